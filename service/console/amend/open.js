// The command of the log that the GM wants to change or to explore.
import { signal } from "../view.js";

/** @import { Entry } from "../shapes.d.ts" */

/** @typedef {{ first: number, last: number, title: string, real: boolean }} Asked `real`: it may be applied */

export const asked = signal(/** @type {Asked | null} */ (null));

/** @param {Entry} entry @param {boolean} real */
export function open(entry, real) {
  asked.value = { first: entry.first, last: entry.last, title: entry.result.sentence || (entry.lines[0]?.text ?? ""), real };
}
