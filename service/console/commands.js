// Commands to the service, reads, and the moment or view that the page shows.
import { batch } from "./view.js";
import { read, send } from "./http.js";
import { complete } from "./board.js";
import * as session from "./session.js";
import { base, entries, eyes, past, present, said, seat, seen } from "./state.js";
import { refresh, show } from "./stream.js";

/** @import { Committed, TokenLine } from "./shapes.d.ts" */

/** Show the view of a token. `null` is the reader's own token. @param {TokenLine | null} token */
export async function lookAs(token) {
  batch(() => {
    past.value = null;
    eyes.value = token === null ? null : { token, board: null };
    entries.value = [];
  });
  await refresh();
}

/** Show a moment of the past, or the current moment for `null`. @param {number | null} version */
export async function lookAt(version) {
  try {
    if (version === null || version === present.peek()?.version) past.value = null;
    else past.value = { version, board: complete(await read(`${base()}?at=${version}`)) };
  } catch (failed) {
    said.value = { text: `That moment cannot be shown: ${/** @type {Error} */ (failed).message}` };
  }
  history.replaceState(null, "", session.place(seat.peek()?.combat ?? "", past.peek()?.version ?? null, session.address().screen));
}

/** The versions after each command of this page, in the order of sending. @type {number[]} */
export const sentVersions = [];

let reached = 0;
/** Return the version after the last command of this page. */
export const reachedVersion = () => reached;

/**
 * Send a command about the combat. It takes effect on the page when the service confirms it.
 * @param {string} path @param {unknown} [body] @param {{ version?: number, signal?: AbortSignal }} [more] @param {string} [method]
 * @returns {Promise<Committed>}
 */
export async function command(path, body = {}, more = {}, method = "POST") {
  const at = seat.peek();
  const done = await send(method, `${base()}${path}`, body, more);
  reached = Math.max(reached, done?.stored ?? done?.version ?? 0); // an amendment has both versions
  sentVersions.push(done?.version ?? 0);
  setTimeout(() => {
    if (seat.peek() === at && done?.version > (present.peek()?.version ?? 0)) void fetchBoard();
  }, 1000); // read the board, unless the stream has already brought it
  return done;
}

async function fetchBoard() {
  try {
    show(await read(base()));
    await refresh();
  } catch {
    /* when the stream reconnects, it brings the board */
  }
}

/** @param {string} path @param {{ accept?: string }} [more] */
export const ask = (path, more) => read(`${base()}${path}`, more);

/** Read something as the shown view may know it, with that view's versions. @param {string} path @param {{ accept?: string }} [more] */
export const askSeen = (path, more) => read(`${base()}${seen(path)}`, more);

/** @param {string} method @param {string} path @param {unknown} [body] */
export const tell = (method, path, body) => send(method, `${base()}${path}`, body);
