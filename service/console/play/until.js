// When a condition ends, in words.
import { shown } from "../store.js";

/** @import { Condition } from "../shapes.d.ts" */

/** @param {Condition} held */
export function until(held) {
  const ends = held.until.map((end) => {
    const moment = String(end.moment ?? "").replace(/[-_/]/g, " ");
    const whose = end.who === undefined ? "" : ` of ${shown.value?.combatants.find((one) => one.id === end.who)?.name ?? end.who}`;
    const round = end.round === undefined ? "" : `, round ${end.round}`;
    return `${moment}${whose}${round}`;
  });
  return ends.length === 0 ? "" : `until ${ends.join(" or ")}`;
}
