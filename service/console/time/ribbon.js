// The ribbon: a tick for each command, a block for each round, and undone commands below. A drag
// shows a moment. Two handles compare two moments.
import { html } from "../view.js";
import { lookAt } from "../commands.js";
import { entries, eyes, older, past, present, role } from "../state.js";
import { readOlder } from "../stream.js";
import { begin, between, compared, Comparison } from "./compare.js";
import { moments, told } from "./names.js";
import { Verbs } from "./verbs.js";

/** @import { Entry } from "../shapes.d.ts" */

/** Number of round labels that fit side by side. */
const ROOM = 14;
/** Number of commands above which the ribbon shows only rounds. */
const MANY = 150;

export function Ribbon() {
  if (present.value === null || eyes.value !== null) return null;
  const gm = role.value === "gm";
  const all = moments(entries.value);
  if (all.length === 0) return null;
  const now = present.value.version;
  const held = compared.value;
  const both = held !== null && held.to !== null;
  const at = past.value?.version ?? now;
  const index = place(all, at);
  const move = (/** @type {number} */ to) => {
    const entry = all[Math.max(0, Math.min(all.length - 1, to))];
    if (entry !== undefined) void lookAt(to >= all.length - 1 ? null : entry.last);
  };
  const versionAt = (/** @type {number} */ to) => (to >= all.length - 1 ? now : (all[to]?.last ?? now));
  const apart = Math.ceil(all.length / ROOM);
  let labelled = 0;
  const tick = (/** @type {number} */ number) => (held !== null && held.to === null ? void between(held.from, versionAt(number)) : move(number));
  return html`
    <${Comparison} />
    <section class="ribbon" aria-label="Time">
      <${Verbs} />
      ${older.value && html`<button type="button" class="quiet" onClick=${readOlder}>‹ Earlier</button>`}
      <div class=${both ? "track two" : "track"}>
        ${all.length > MANY
          ? html`<div class="blocks" aria-hidden="true">
              ${rounds(all).map(({ round, last, from, to }) => html`<i key=${last} class=${index >= from && index <= to ? "block at" : "block"} title=${round > 0 ? `Round ${round}` : "Before the fight"} onClick=${() => tick(to)}>${round > 0 ? `R${round}` : ""}</i>`)}
            </div>`
          : html`<div class="ticks" aria-hidden="true">
          ${all.map((entry, number) => {
            const first = number === 0 || all[number - 1]?.round !== entry.round;
            const on = both ? number === place(all, held.from) || number === place(all, held.to ?? 0) : number === index;
            return html`<i
              key=${entry.first}
              class=${["tick", entry.undone && "undone", on && "at", first && "first"].filter(Boolean).join(" ")}
              data-round=${first && entry.round > 0 && number >= labelled ? ((labelled = number + apart), `R${entry.round}`) : undefined}
              title=${told(entry)}
              onClick=${() => tick(number)}
            ></i>`;
          })}
        </div>`}
        ${both
          ? html`<div class="handles">
              <${Handle} all=${all} label="First moment" version=${held.from} set=${(/** @type {number} */ to) => between(versionAt(to), held.to ?? now)} kind="a" />
              <${Handle} all=${all} label="Second moment" version=${held.to ?? now} set=${(/** @type {number} */ to) => between(held.from, versionAt(to))} kind="b" />
            </div>`
          : html`<${Handle} all=${all} label="Moment" version=${at} set=${move} kind="single" />`}
      </div>
      <output class="here">${both ? "" : past.value === null ? "now" : all[index] && told(/** @type {Entry} */ (all[index]))}</output>
      ${gm && html`<button type="button" class="quiet" aria-pressed=${both} onClick=${() => (both ? (compared.value = null) : begin())}>Compare</button>`}
    </section>
  `;
}

/** Return a stretch for each round, with the places of its commands. @param {readonly Entry[]} all */
function rounds(all) {
  /** @type {{ round: number, from: number, to: number, last: number }[]} */
  const stretches = [];
  for (const [place, entry] of all.entries()) {
    const now = stretches.at(-1);
    if (now?.round === entry.round) Object.assign(now, { to: place, last: entry.last });
    else stretches.push({ round: entry.round, from: place, to: place, last: entry.last });
  }
  return stretches;
}

/** @param {{ all: readonly Entry[], label: string, version: number, set: (index: number) => void, kind: string }} props */
function Handle({ all, label, version, set, kind }) {
  const index = place(all, version);
  const entry = all[index];
  return html`<input type="range" class=${kind} min="0" max=${all.length - 1} value=${index} aria-label=${label} aria-valuetext=${entry && told(entry)} onInput=${(/** @type {any} */ event) => set(Number(event.target.value))} />`;
}

/** Return the place of the command to which a moment belongs. @param {readonly Entry[]} all @param {number} version */
const place = (all, version) => Math.max(0, all.findLastIndex((entry) => entry.last <= version));
