// Sheets to start from, and the sides of their combatants.
import { blank } from "../schema/read.js";
import { numeric, usualFields } from "../schema/usual.js";
import { filled } from "../schema/values.js";

/** @import { Inputs, Party, Ruleset } from "../shapes.d.ts" */

/** @typedef {{ label: string, sheet: Inputs, party?: Party }} Model */

/** Return the sheets of this fight and of the ready fights, and an empty sheet. Each label appears once. @param {Ruleset} ruleset @param {Model[]} [here] @returns {Model[]} */
export function models(ruleset, here = []) {
  const ready = ruleset.parties.flatMap((party) => /** @type {Inputs[]} */ (party.sheets).map((sheet) => ({ label: `${sheet.name} (${party.name})`, sheet, party })));
  const empty = { label: "an empty sheet", sheet: { ...emptySheet(ruleset), name: "Somebody" } };
  const labels = new Set();
  return [...here, ...ready, empty].filter(({ label }) => !labels.has(label) && labels.add(label));
}

/** Return a copy of a model's sheet for a new combatant, on an existing side if possible. @param {Ruleset} ruleset @param {Model | undefined} model @param {readonly Inputs[]} others @param {boolean} [foe] whether a sheet without a side is a foe's @returns {Inputs} */
export function modelled(ruleset, model, others, foe = false) {
  const { sheet = {}, party } = model ?? {};
  if (sheet.side !== undefined) return { ...sheet, side: sideHere(sheet, party, others) };
  const players = playersSide(others) ?? playersSide(readySheets(ruleset)) ?? "heroes";
  const foes = others.find(({ side }) => side !== players)?.side;
  return { ...sheet, side: foe ? (foes ?? players) : (players ?? foes) };
}

/** @param {Ruleset} ruleset @returns {Inputs[]} */
export const readySheets = (ruleset) => ruleset.parties.flatMap((party) => /** @type {Inputs[]} */ (party.sheets));

/** Return a sheet without a name that can fight. It has the required fields, and middle values for common numbers. @param {Ruleset} ruleset @returns {Inputs} */
export function emptySheet(ruleset) {
  const ready = readySheets(ruleset);
  const least = blank(ruleset.sheet);
  const middle = usualFields(ruleset.sheet, ready).flatMap((name) => {
    const numbers = numeric(ready.map((sheet) => sheet[name]).filter(filled));
    return numbers === null ? [] : [[name, numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]]];
  });
  return { ...least, ...Object.fromEntries(middle) };
}

/** Return the side of the player characters, or undefined. @param {readonly Inputs[]} sheets @returns {string | undefined} */
export const playersSide = (sheets) => {
  const side = sheets.find(({ owner }) => owner && owner !== "GM")?.side;
  return typeof side === "string" ? side : undefined;
};

/** Return the side of a new combatant: the sheet's side if it exists, or else the side of the players or of their foes. @param {Inputs} sheet @param {Party | undefined} party where the sheet is from @param {readonly Inputs[]} here @returns {unknown} */
export function sideHere(sheet, party, here) {
  const sides = [...new Set(here.map((sheet) => sheet.side))];
  const players = playersSide(here);
  if (party === undefined || players === undefined || sides.includes(sheet.side)) return sheet.side;
  const own = playersSide(/** @type {Inputs[]} */ (party.sheets));
  return own === sheet.side ? players : (sides.find((side) => side !== players) ?? sheet.side);
}
