// Values as buttons. A combatant has the shape and hue of its side.
import { html } from "../view.js";
import { called, plain, sideNumber, words } from "../board.js";
import { ruleset, shown } from "../state.js";
import { same } from "./read.js";

/**
 * @param {{ picks: readonly unknown[], chosen: readonly unknown[], pick: (value: unknown) => void,
 *   label: string, refers?: string | null, who?: string | null, titles?: Record<string, string>, several?: boolean }} props
 */
export function Chips({ picks, chosen, pick, label, refers = null, who = null, titles = {}, several = false }) {
  return html`
    <div class="chips" role="group" aria-label=${label}>
      ${picks.map((choice) => {
        const on = chosen.some((other) => same(other, choice));
        return html`<button type="button" class="chip" key=${JSON.stringify(choice)} aria-pressed=${on} onClick=${() => pick(choice)}>
          ${several && html`<span class="tick" aria-hidden="true">✓ </span>`}${titles[String(choice)] ?? html`<${Name} value=${choice} refers=${refers} who=${who} />`}
        </button>`;
      })}
    </div>
  `;
}

/** A value in words. A combatant shows its side. @param {{ value: unknown, refers?: string | null, who?: string | null }} props */
export function Name({ value, refers = null, who = null }) {
  const board = shown.value;
  const combatant = typeof value === "string" ? board?.combatants.find((other) => other.id === value) : undefined;
  if (combatant !== undefined && board !== null && (refers === null || refers === "combatant")) {
    return html`<span class=${`mark side-${sideNumber(board, combatant.side)}`} aria-hidden="true"></span><bdi>${combatant.name}</bdi>`;
  }
  if (value === null) return refers === "weapon" ? "as usual" : "none"; // the rulebook takes the usual weapon
  if (typeof value !== "string") return inWords(value);
  return thingOf(value, who)?.name ?? (refers === "weapon" ? inWords(value) : called(refers, value, ruleset.value));
}

/** Return a value in a few words, with names in place of ids. @param {unknown} value */
export const inWords = (value) => plain(value, (id) => shown.value?.combatants.find((combatant) => combatant.id === id)?.name ?? id);

/**
 * Return the name of an id: a combatant, a thing on a sheet, or a term of the rulebook.
 * @param {string | null} refers @param {string} id @param {string | null} who whose sheet has the thing
 */
export function nameOf(refers, id, who) {
  const all = shown.value?.combatants ?? [];
  if (refers === "combatant") return all.find((combatant) => combatant.id === id)?.name ?? words(id);
  return thingOf(id, who)?.name ?? called(refers, id, ruleset.value);
}

/** Return a thing on a combatant's sheet, if the reader has that sheet. @param {string} id @param {string | null} who @returns {{ name?: string } | undefined} */
function thingOf(id, who) {
  const sheet = who === null ? null : shown.value?.combatants.find((combatant) => combatant.id === who)?.sheet;
  const lists = /** @type {any[]} */ (Object.values(sheet ?? {}).filter(Array.isArray));
  return lists.flat().find((candidate) => candidate?.id === id);
}
