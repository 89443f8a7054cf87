// Derives every roll of an export again from the committed seed, as docs/dice.md describes. Pure.
import { hex, hmac, sha256, unhex, utf8 } from "./sha256.js";

/**
 * @typedef {object} Report
 * @property {number} derived number of rolls of the service that the page has derived again
 * @property {number} byHand
 * @property {number} kept number of rolls whose faces an amendment kept
 * @property {number} unrevealed number of rolls whose seed is secret, or that belong to the fight that this fight continues
 * @property {string[]} faults
 */

const SPAN = 1n << 64n;

/** `published`: the commitment that was published before the rolls. @param {string} file @param {string} [published] @returns {Report} */
export function verify(file, published) {
  const recorded = file.split("\n").slice(1).filter(Boolean).map((line) => JSON.parse(line).event);
  /** @type {Report} */
  const report = { derived: 0, byHand: 0, kept: 0, unrevealed: 0, faults: [] };
  const seeds = new Map();
  for (const { event, version } of recorded) {
    if (event.type !== "seed-revealed") continue;
    seeds.set(event.commitment, event.seed);
    if (hex(sha256(unhex(event.seed))) !== event.commitment) report.faults.push(`event ${version}: not the seed that was committed to`);
  }
  const salts = new Map([[0, /** @type {Record<string, string>} */ ({})]]);
  const commitments = new Map([[0, ""]]);
  const rolls = new Map(recorded.filter(({ event }) => event.type === "rolled").map(({ event, version }) => [version, event]));
  for (const { event, version, parent, replays } of recorded) {
    let ours = salts.get(parent) ?? {};
    let commitment = commitments.get(parent) ?? "";
    if (event.type === "salt-added") ours = { ...ours, [event.by]: event.salt };
    if (event.commitment && event.type !== "seed-revealed") commitment = event.commitment;
    if (event.type === "rolled" && isKept(event, rolls.get(replays))) report.kept += 1;
    else if (event.type === "rolled") roll(event, version, ours, seeds.get(commitment), report);
    salts.set(version, ours);
    commitments.set(version, commitment);
  }
  if (published !== undefined && recorded.every(({ event }) => event.commitment !== published)) report.faults.push("not the fight whose commitment is published here");
  return report;
}

/** Return true if a roll has the same dice as the roll that it repeats. @param {any} event @param {any} original */
function isKept(event, original) {
  const dice = (/** @type {any} */ roll) => JSON.stringify([roll.who, roll.purpose, sides(roll.formula), roll.faces, roll.by, roll.key, roll.ordinal]);
  return original !== undefined && (event.by ?? "server") === "server" && dice(event) === dice(original);
}

/** @param {any} event @param {number} version @param {Record<string, string>} salts @param {string | undefined} seed @param {Report} report */
function roll(event, version, salts, seed, report) {
  if ((event.by ?? "server") !== "server") report.byHand += 1;
  else if (seed === undefined || !event.key) report.unrevealed += 1;
  else {
    report.derived += 1;
    const fallen = faces(unhex(seed), salts, event, sides(event.formula));
    if (fallen.join() !== event.faces.join()) report.faults.push(`event ${version}: ${event.faces.join(", ")}, but the seed gives ${fallen.join(", ")}`);
  }
}

/** Return the dice of a formula, each by its number of sides. @param {string} formula */
export function sides(formula) {
  return [...formula.matchAll(/(\d*)d(\d+)/g)].flatMap(([, count, most]) => Array.from({ length: Number(count || 1) }, () => Number(most)));
}

/** @param {Uint8Array} seed @param {Record<string, string>} salts @param {{ key: string, purpose: string, ordinal?: number }} which @param {number[]} sides */
export function faces(seed, salts, which, sides) {
  const texts = Object.entries(salts).map(([by, salt]) => `${by}=${salt}`);
  texts.sort((a, b) => (hex(utf8(a)) < hex(utf8(b)) ? -1 : 1));
  const mixed = hex(sha256(utf8(texts.join("\x1e"))));
  const prefix = ["affray-dice-1", mixed, which.key, which.purpose, which.ordinal ?? 0].join("\x1f");
  return sides.map((most, index) => face(seed, `${prefix}\x1f${index}`, BigInt(most)));
}

/** @param {Uint8Array} seed @param {string} prefix @param {bigint} most */
function face(seed, prefix, most) {
  for (let attempt = 0; ; attempt += 1) {
    const block = hmac(seed, utf8(`${prefix}\x1f${attempt}`));
    const number = new DataView(block.buffer).getBigUint64(0);
    if (number < SPAN - (SPAN % most)) return Number(number % most) + 1;
  }
}
