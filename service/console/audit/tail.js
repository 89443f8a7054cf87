// Merge new entries of the log with known ones. Pure.

/** @import { Entry } from "../shapes.d.ts" */

/**
 * Return the known entries that are older than the fresh ones, or null if they may have changed.
 * An entry that is on the current path in both lists proves that all older entries are unchanged.
 * @param {readonly Entry[]} fresh @param {readonly Entry[]} known
 */
export function rest(fresh, known) {
  const before = new Map(known.map((entry) => [entry.first, entry]));
  const shared = fresh.some((entry) => !entry.undone && before.get(entry.first)?.undone === false);
  const last = fresh.at(-1)?.first ?? 0;
  return shared ? known.filter((entry) => entry.first < last) : null;
}
