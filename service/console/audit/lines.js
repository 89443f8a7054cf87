// The lines of the log, as a story tells them.

/** @import { Entry } from "../shapes.d.ts" */

/** Events of a story. The others are bookkeeping. */
export const LOUD = ["rolled", "damaged", "healed", "downed", "died", "stabilized", "condition-gained", "condition-lost", "moved", "combat-ended", "effect-resolved", "noted"];

/** Without rule ids, which unfold. @param {string} text */
export const short = (text) => text.replace(/ \[[A-Z]+(-[A-Z0-9]+)+\]/g, "");

/** Whether the GM only arranged something, such as to hide somebody: no news for the table. @param {Entry} entry */
export const quiet = ({ lines }) => lines.length > 0 && lines.every((line) => line.type === "combatant-changed");
