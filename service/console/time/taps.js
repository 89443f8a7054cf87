// Commands that one tap has sent. An undo takes them back together.
import { sentVersions } from "../commands.js";

/** @import { Entry } from "../shapes.d.ts" */

/** For each tap with several commands, the versions after them. @type {Set<number>[]} */
const taps = [];

/** Send commands as one tap. @template T @param {() => Promise<T>} send @returns {Promise<T>} */
export async function asOneTap(send) {
  const before = sentVersions.length;
  try {
    return await send();
  } finally {
    const versions = sentVersions.slice(before);
    if (versions.length > 1) taps.push(new Set(versions));
  }
}

/**
 * Return the commands that the newest tap has sent, oldest first, and the version after them. If
 * its tap sent only one command, return the newest command. `moments` are the commands that are not
 * undone, oldest first.
 * @param {readonly Entry[]} moments
 */
export function newestTap(moments) {
  const newest = moments.at(-1)?.last ?? 0;
  const tap = taps.findLast((versions) => versions.has(newest));
  if (tap === undefined) return { commands: moments.slice(-1), last: newest };
  return { commands: moments.slice(moments.findLastIndex(({ last }) => !tap.has(last)) + 1), last: Math.max(...tap) };
}
