// The end of a condition, in words.
import { shown } from "../state.js";

/** @import { Condition } from "../shapes.d.ts" */

/** @param {Condition} held */
export function until(held) {
  const ends = held.until.map((end) => {
    const whose = end.who === undefined ? "" : `${shown.value?.combatants.find((combatant) => combatant.id === end.who)?.name ?? end.who}'s `;
    const [what = "", edge] = String(end.moment ?? "").split(/[-_/](start|end)$/);
    const kind = what.replace(/[-_/]/g, " ");
    const which = end.round === undefined ? `${whose}${kind}` : kind === "round" ? `round ${end.round}` : `${whose}${kind} in round ${end.round}`;
    return edge === undefined ? which : `the ${edge} of ${whose || end.round !== undefined ? which : `the ${which}`}`;
  });
  return ends.length === 0 ? "" : `until ${ends.join(" or ")}`;
}
