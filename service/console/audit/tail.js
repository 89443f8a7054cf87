// How the log goes on: what is read anew, and what stays of what was read before. Pure.

/** @import { Entry } from "../shapes.d.ts" */

/**
 * Return the entries that are known and older than the fresh ones, or null if they may have changed.
 *
 * An entry that is on the present path before and after proves that everything older is as it was:
 * a step back or forward changes only what comes after the point where the two paths part.
 * @param {readonly Entry[]} fresh @param {readonly Entry[]} known
 */
export function rest(fresh, known) {
  const before = new Map(known.map((one) => [one.first, one]));
  const shared = fresh.some((one) => !one.undone && before.get(one.first)?.undone === false);
  const last = fresh.at(-1)?.first ?? 0;
  return shared ? known.filter((one) => one.first < last) : null;
}
