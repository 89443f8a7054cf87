// What came of a command, for the strip: its verdict and look, one sentence, the sum, the changes. Pure.
import { LOUD, short } from "./lines.js";

/** @import { Combatant, Entry, Line } from "../shapes.d.ts" */

/**
 * @typedef {object} Outcome
 * @property {"dead" | "down" | "critical" | "hit" | "miss" | "help" | "plain"} look
 * @property {string} word the rulebook's word for it; "" where nothing was decided
 * @property {string} sentence
 * @property {string} sum
 * @property {readonly string[]} changes
 */

/** The service's result of a command, if there is one. @typedef {{ verdict: string | null, sentence: string, sum: string | null, changes: readonly Change[] }} Result */
/** @typedef {{ name: string, what: string, before: number | string | null, after: number | string | null }} Change */

/** Events that can head a command, the most important first. */
const HEADS = ["died", "downed", "damaged", "healed", "stabilized", "rolled"];

/** @param {Entry & { result?: Result | null }} entry @param {readonly Combatant[]} combatants @returns {Outcome} */
export function outcome(entry, combatants) {
  const lines = entry.lines;
  const types = new Set(lines.map((line) => line.type));
  const rolls = lines.filter((line) => line.type === "rolled");
  const head = HEADS.map((type) => lines.findLast((line) => line.type === type)).find((line) => line !== undefined) ?? lines[0];
  const result = entry.result ?? null;
  const verdict = result?.verdict ?? "";
  const look = lookOf(types, `${verdict} ${rolls.map((line) => line.text).join(" ")}`);
  const others = lines.filter((line) => LOUD.includes(line.type) && line !== head && line !== rolls[0]);
  return {
    look,
    word: fallen(look, head, combatants) || verdict.replace(/[-_]/g, " ") || (look === "plain" ? "" : WORDS[look]),
    sentence: result?.sentence || short(head?.text ?? ""),
    sum: result ? (result.sum ?? "") : rolls[0] !== undefined && rolls[0] !== head ? short(rolls[0].text) : "",
    changes: result ? result.changes.map(changed) : others.map((line) => short(line.text)),
  };
}

const WORDS = { dead: "dead", down: "down", critical: "critical", hit: "hit", miss: "miss", help: "helped", plain: "" };

/** @param {ReadonlySet<string>} types @param {string} told @returns {Outcome["look"]} */
function lookOf(types, told) {
  if (types.has("died")) return "dead";
  if (types.has("downed")) return "down";
  if (/\bcritical/i.test(told) && types.has("damaged")) return "critical";
  if (types.has("damaged") || /\bhits?\b/.test(told)) return "hit";
  if (types.has("healed") || types.has("stabilized")) return "help";
  if (/\bmiss(es)?\b|\bfails?\b|\bfumble/i.test(told)) return "miss";
  return "plain";
}

/** The rulebook's word for somebody who fell. @param {Outcome["look"]} look @param {Line | undefined} head @param {readonly Combatant[]} combatants */
function fallen(look, head, combatants) {
  if (look !== "dead" && look !== "down") return "";
  const who = combatants.find((one) => one.id === head?.combatants?.[0]);
  return who !== undefined && !who.in_fight ? who.wound : "";
}

/** @param {Change} change */
export function changed({ name, what, before, after }) {
  if (what === "condition") return before === null ? `${name}: ${after}` : `${name}: no longer ${before}`;
  if (what === "state" || what === "wound" || what === "position") return `${name}: ${after}`;
  return `${name}: ${what} ${before ?? "?"} → ${after ?? "?"}`;
}
