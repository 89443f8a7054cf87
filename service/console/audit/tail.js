// What the page knows of the log beyond its newest page. Pure.

/** @import { Entry } from "../shapes.d.ts" */

/**
 * Keep older entries, unless the path to the present has changed.
 * @param {readonly Entry[]} fresh @param {readonly Entry[]} known
 */
export function after(fresh, known) {
  const last = fresh.at(-1)?.first ?? 0;
  const newest = known[0]?.first ?? 0;
  const turned = fresh.some((one) => one.first > newest && one.lines?.[0]?.type === "reverted");
  return turned || last > newest ? [] : known.filter((one) => one.first < last);
}
