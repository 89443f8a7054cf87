// The result of a command for the strip above the cards: its look, a verdict in the rulebook's
// words, a sentence, the sum and the changes. Pure.
import { words } from "../board.js";
import { short } from "./lines.js";

/** @import { Combatant, Entry, Result } from "../shapes.d.ts" */

/**
 * @typedef {object} Outcome
 * @property {"dead" | "down" | "critical" | "hit" | "miss" | "help" | "plain"} look
 * @property {string} word the rulebook's word for the result, or "" if the command decided nothing
 * @property {string} sentence
 * @property {string} sum
 * @property {readonly string[]} changes
 */

/** `standing`: the rulebook's states of combatants that can fight. `own`: the reader's combatants. Their attacks come first. @param {Entry} entry @param {readonly Combatant[]} combatants @param {readonly string[]} standing @param {readonly string[]} own @returns {Outcome} */
export function outcome({ result, lines }, combatants, standing, own = []) {
  const types = new Set(lines.map((line) => line.type));
  const look = lookOf(result, types);
  const verdict = result.verdict ? words(result.verdict).toLowerCase() : "";
  const mixed = several(result);
  const byWord = types.has("ruled") && (look === "hit" || look === "help") ? "ruling" : WORDS[look];
  return {
    look,
    word: [result.kind === "critical" && look !== "critical" ? verdict : "", fallen(look, result, combatants, standing)].filter(Boolean).join(", ") || mixed || verdict || byWord,
    sentence: short(result.sentence),
    sum: sums(result, own),
    changes: gathered(result.changes.filter((change) => !result.sentence.includes(`${change.name} is ${changed(change)}.`))),
  };
}

/** Return how many of several attacks hit and missed, or "" if all had the same outcome. @param {Result} result */
function several({ blows }) {
  const misses = blows.filter((blow) => blow.kind === "miss").length;
  const hits = blows.length - misses;
  return hits > 0 && misses > 0 ? `${hits} ${hits > 1 ? "hits" : "hit"}, ${misses} ${misses > 1 ? "misses" : "miss"}` : "";
}

/** Number of attacks that the strip shows. The log has the others. */
const MOST = 6;

/** Return the sum of the roll. For several attacks, return the attacks whose sum or outcome the sentence does not tell. @param {Result} result @param {readonly string[]} own */
function sums({ blows, sum, sentence }, own) {
  if (blows.length < 2) return sum ?? "";
  const isOwn = (/** @type {Result["blows"][number]} */ blow) => own.includes(blow.combatant) || own.includes(blow.against);
  const sorted = blows.filter((blow) => blow.sum || !sentence.includes(blow.sentence)).sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return sorted.slice(0, MOST).map((blow) => [blow.sentence.replace(/\.$/, ""), blow.sum].filter(Boolean).join(": ")).join(" · ");
}

/** Return true if a command had an attack, a save, a fall or the end of the fight. @param {Entry} entry */
function decides({ result, lines }) {
  const types = new Set(lines.map((line) => line.type));
  return types.has("combat-ended") || lookOf(result, types) !== "plain";
}

/** Number of newest commands among which the strip looks for a decisive result, also from the previous round. */
const KEPT = 4;

/** Return the command to show: the newest command that decides something or begins an action, if it is recent. Otherwise, return the newest command. @param {readonly Entry[]} all newest first @returns {Entry | undefined} */
export const deciding = ([latest, ...others]) => [latest, ...others.slice(0, KEPT - 1)].find((other) => other !== undefined && other.round + 1 >= (latest?.round ?? 0) && (decides(other) || other.result.acts)) ?? latest;

/** Verdicts without a roll. Harm without an attack is not a hit. */
const WORDS = { dead: "dead", down: "down", critical: "critical", hit: "hurt", miss: "miss", help: "helped", plain: "" };

/** @param {Result} result @param {ReadonlySet<string>} types of the lines @returns {Outcome["look"]} */
function lookOf({ kind, changes, blows }, types) {
  for (const state of /** @type {const} */ (["dead", "down"])) if (changes.some((change) => change.what === "state" && change.after === state)) return state;
  const best = /** @type {const} */ (["critical", "hit"]).find((look) => blows.some((blow) => blow.kind === look));
  if (best !== undefined && blows.length > 1) return best;
  if (kind === "critical" || kind === "miss") return kind;
  if (kind === "hit" || types.has("damaged")) return "hit";
  if (types.has("healed") || types.has("stabilized")) return "help";
  if (kind === "failure") return "miss";
  return kind === "success" ? "help" : "plain";
}

/** Return the rulebook's word for the state of a combatant that fell. @param {Outcome["look"]} look @param {Result} result @param {readonly Combatant[]} combatants @param {readonly string[]} standing */
function fallen(look, { changes }, combatants, standing) {
  if (look !== "dead" && look !== "down") return "";
  const change = changes.find((change) => change.what === "state" && change.after === look);
  const who = combatants.find((combatant) => combatant.id === change?.combatant);
  return who === undefined || standing.includes(who.wound) ? WORDS[look] : words(who.wound).toLowerCase();
}

/** Return the changes by combatant, each name once: "Orc: HP 6 → 0, down, prone". @param {Result["changes"]} changes */
export function gathered(changes) {
  const all = /** @type {Map<string, Set<string>>} */ (new Map());
  for (const change of changes) all.set(change.name, (all.get(change.name) ?? new Set()).add(changed(change)));
  return [...all].map(([name, told]) => `${name}: ${[...told].join(", ")}`);
}

/** @param {Result["changes"][number]} change */
function changed({ what, before, after }) {
  if (what === "condition") return before === null ? `${after}` : `no longer ${before}`;
  if (what === "state" || what === "wound" || what === "position") return `${after}`;
  return `${what} ${amount(before)} → ${amount(after)}`;
}

/** @param {Result["changes"][number]["after"]} value */
const amount = (value) => String(value ?? "?").replace(/^-/, "−");
