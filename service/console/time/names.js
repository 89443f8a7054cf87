// Names of moments: what had just happened.
import { entries, present } from "../state.js";
import { short } from "../audit/lines.js";

/** @import { Entry } from "../shapes.d.ts" */

/** @param {Entry} entry */
export const told = (entry) => `${entry.round > 0 ? `R${entry.round} ` : ""}${plainly(entry)}`;

/** @param {Entry} entry */
const plainly = (entry) => `${short(entry.lines?.[0]?.text ?? "")}${entry.undone ? " (taken back)" : ""}`;

/** Return the first sentence of a command. @param {Entry} entry */
export const sentenceOf = (entry) => short(entry.lines?.[0]?.text ?? "");

/** Return the commands that led to a new state, oldest first. A step back leads to an earlier state. @param {readonly Entry[]} all */
export const moments = (all) => all.filter((entry) => entry.lines?.[0]?.type !== "reverted").reverse();

/** Return the name of a moment by its version. @param {number} version */
export function nameOf(version) {
  if (version === present.value?.version) return "now";
  const entry = entries.value.find((entry) => entry.first <= version && version <= entry.last);
  if (entry === undefined) return `moment ${version}`;
  return `after “${plainly(entry)}”`;
}
