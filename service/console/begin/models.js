// Sheets to begin from.
import { blank } from "../schema/read.js";

/** @import { Inputs, Ruleset } from "../shapes.d.ts" */

/** @typedef {{ label: string, sheet: Inputs }} Model */

/** Sheets of somebody in this fight, of the ready fights, and an empty one; each label once. @param {Ruleset} ruleset @param {Model[]} here @param {string} side @returns {Model[]} */
export function models(ruleset, here, side) {
  const ready = ruleset.parties.flatMap((party) => /** @type {Inputs[]} */ (party.sheets).map((sheet) => ({ label: `${sheet.name} (${party.name})`, sheet })));
  const empty = { label: "an empty sheet", sheet: { ...blank(ruleset.sheet), name: "Somebody", side } };
  const labels = new Set();
  return [...here, ...ready, empty].filter(({ label }) => !labels.has(label) && labels.add(label));
}
