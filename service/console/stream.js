// The current combat: its stream, and the reads after each message.
import { batch } from "./view.js";
import { Refused, line, read } from "./http.js";
import { follow } from "./sse.js";
import { rest } from "./audit/tail.js";
import { complete, kept } from "./board.js";
import { draft } from "./draft.js";
import * as session from "./session.js";
import { base, closed, entries, eyes, learning, link, offers, older, past, picked, present, progress, ruleset, schemas, seat, seats, seen, you } from "./state.js";

/** @import { Entry, Message, Offer, Ruleset, Schema, WireBoard } from "./shapes.d.ts" */

/** Number of commands of the log that the page loads at first, after each message, and at most at once. */
const LOG = 60;
const NEWEST = 15;
const MOST = 200;
let stop = () => {};

/** Take a seat at a combat, and follow it. @param {session.Session} at */
export async function open(at) {
  stop();
  line.token = at.token;
  batch(() => {
    seat.value = at;
    present.value = null;
    past.value = eyes.value = closed.value = null;
    entries.value = [];
    offers.value = seats.value = [];
    picked.value = draft("picked") ?? [];
    behind = 0;
    link.value = "connecting";
  });
  stop = follow(at.combat, at.token, {
    told,
    link: (state) => (link.value = state),
    closed: (why) => {
      closed.value = why;
      session.remember({ ...at, status: why });
    },
  });
  void refresh();
  try {
    you.value = await read(`${base()}/you`);
    session.remember({ ...at, label: you.value?.label });
  } catch {
    /* the stream reports the same fault */
  }
}

/** Leaves the table. */
export function close() {
  stop();
  line.token = null;
  seat.value = present.value = null;
}

/** @param {Message} message */
function told({ event, data }) {
  if (event === "board" || event === "erased") {
    wording.now += 1;
    show(data);
  }
  if ((event === "command" || event === "amended") && data.board) show(data.board);
  // Entries after `back_to` are undone now. The shown moment of the past may have been one of them.
  if (event === "amended") past.value = null;
  if (event === "progress") progress.value = data;
  if (event === "presence") seats.value = data.seats;
  else if (event !== "tokens" && event !== "progress") void refresh();
}

/** @param {WireBoard} board */
export function show(board) {
  present.value = kept(complete(board), present.peek());
  const at = seat.peek();
  if (at !== null) session.remember({ ...at, name: board.name, role: board.you.role, round: board.round, status: board.status });
  if (ruleset.peek()?.id !== board.ruleset) void learn(board.ruleset);
}

/** @param {string} id */
async function learn(id) {
  try {
    ruleset.value = await read(`/v1/rulesets/${id}`);
  } catch {
    /* the next board asks again */
  }
}

let again = false;
/** Waiting times before the page repeats a failed read. */
const WAIT_MS = { first: 500, most: 8000, longest: 20_000 };
let wait = WAIT_MS.first;
/** The newest version that the board had before the log. */
let behind = 0;

/** Read a part of the refresh. A timeout ends it, because later messages wait for the refresh. @param {string} path */
const part = (path) => read(path, { signal: AbortSignal.timeout(WAIT_MS.longest) });

/**
 * Load the data that the stream does not bring: options, the log, and the shown view. Only one
 * refresh runs at a time. A failed refresh runs again, because the next message may be far away.
 */
export async function refresh() {
  if (learning.peek()) {
    again = true;
    return;
  }
  learning.value = true;
  try {
    do {
      again = false;
      if (seat.peek() === null) return; // the reader has left the table
      await Promise.all([readOffers(), readLog(), readEyes()]);
    } while (again);
    wait = WAIT_MS.first;
    const now = eyes.peek() === null ? (present.peek()?.version ?? 0) : 0;
    if ((entries.peek()[0]?.last ?? 0) < now && behind < now) {
      behind = now; // repeat once for each version, because some versions have no entry in the log
      later();
    }
  } catch (failed) {
    const refused = failed instanceof Refused && failed.status < 500 && failed.status !== 429;
    if (!refused || again) later();
  } finally {
    learning.value = false;
  }
}

function later() {
  const at = seat.peek();
  setTimeout(() => at !== null && seat.peek() === at && closed.peek() === null && void refresh(), wait);
  wait = Math.min(2 * wait, WAIT_MS.most);
}

/** Return a key of the reader. The page drops answers for an earlier reader. */
const asker = () => `${seat.peek()?.combat} ${eyes.peek()?.token.id}`;

async function readOffers() {
  if (present.peek()?.you.role === "spectator") return;
  const by = asker();
  const answer = await part(`${base()}/options?prompted=yes&schemas=cite`);
  const forms = await complemented(answer);
  if (by !== asker()) return;
  batch(() => {
    offers.value = answer.options;
    schemas.value = { ...schemas.peek(), ...forms };
  });
}

/** Load further offers: refused ones, and those that are available at any moment. @param {string} query @returns {Promise<Offer[]>} */
export async function readMore(query) {
  const answer = await read(`${base()}/options?${query}&schemas=cite`);
  schemas.value = { ...schemas.peek(), ...(await complemented(answer)) };
  return answer.options;
}

/**
 * Return the schemas of an answer, with those that it cites from the catalogue. Load the
 * catalogue again if it has changed.
 * @param {{ schemas: Record<string, Schema>, cited: Record<string, string> }} answer
 */
async function complemented(answer) {
  const cited = Object.entries(answer.cited);
  const known = () => ruleset.peek()?.schemas ?? {};
  const id = present.peek()?.ruleset; // without a board, skip this: the first board causes another refresh
  if (id !== undefined && cited.some(([key, hash]) => known()[key]?.hash !== hash)) await learn(id);
  const places = cited.map(([key]) => [key, pointed(ruleset.peek(), known()[key]?.at ?? "/none")]);
  return { ...Object.fromEntries(places), ...answer.schemas };
}

/** Return the value at a JSON pointer without escapes. @param {any} document @param {string} at */
const pointed = (document, at) => at.split("/").slice(1).reduce((value, name) => value?.[name], document) ?? {};

/** Counts of messages that may change the words of old lines: until now, and until the last read. */
const wording = { now: 0, read: 0 };

/** Load the newest commands of the log, and older ones that may have changed. */
async function readLog() {
  const by = asker();
  const words = wording.now;
  const known = words === wording.read ? entries.peek() : [];
  /** @type {Entry[]} */
  const fresh = [];
  let [next, length] = ["", known.length > 0 ? NEWEST : Math.max(LOG, Math.min(entries.peek().length, MOST))];
  /** @type {Entry[] | null} */
  let unchanged = null;
  do {
    const answer = await part(seen(`${base()}/timeline?order=newest&limit=${length}${next && `&cursor=${encodeURIComponent(next)}`}`));
    fresh.push(...answer.entries);
    [next, length] = [answer.next ?? "", MOST];
    unchanged = rest(fresh, known);
  } while (unchanged === null && next !== "" && (fresh.at(-1)?.first ?? 0) > (known.at(-1)?.first ?? Infinity));
  if (by !== asker()) return;
  wording.read = words;
  batch(() => {
    entries.value = [...fresh, ...(unchanged ?? [])];
    if ((unchanged ?? []).length === 0) older.value = next || null;
  });
}

/** Load older commands of the log. */
export async function readOlder() {
  const cursor = encodeURIComponent(older.peek() ?? "");
  const by = asker();
  const answer = await read(seen(`${base()}/timeline?order=newest&limit=${MOST}&cursor=${cursor}`));
  if (by !== asker()) return;
  batch(() => {
    entries.value = [...entries.peek(), ...answer.entries];
    older.value = answer.next ?? null;
  });
}

async function readEyes() {
  const token = eyes.peek()?.token;
  if (!token) return;
  const board = complete(await part(`${base()}?as=${token.id}`));
  if (eyes.peek()?.token.id === token.id) eyes.value = { token, board };
}
