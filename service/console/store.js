// What the page knows: signals, filled from the service and from nothing else.
import { batch, computed, effect, signal } from "./view.js";
import { line, read, send } from "./http.js";
import { follow } from "./stream.js";
import { after } from "./audit/tail.js";
import { complete } from "./board.js";
import { draft, setDraft } from "./draft.js";
import * as session from "./session.js";

/** @import { Board, Committed, Entry, Offer, Ruleset, Schema, TokenLine } from "./shapes.d.ts" */
/** @import { Signal } from "./view.js" */

/** @type {Signal<session.Session | null>} */
export const seat = signal(/** @type {session.Session | null} */ (null));
export const present = signal(/** @type {Board | null} */ (null));
export const ruleset = signal(/** @type {Ruleset | null} */ (null));
/** What may be done or answered, and what may not, with the reasons. */
export const offers = signal(/** @type {Offer[]} */ ([]));
export const schemas = signal(/** @type {Record<string, Schema>} */ ({}));
export const entries = signal(/** @type {Entry[]} */ ([]));
export const older = signal(/** @type {string | null} */ (null));
export const you = signal(/** @type {TokenLine | null} */ (null));
export const link = signal(/** @type {"connecting" | "live" | "lost" | "waiting"} */ ("connecting"));
export const closed = signal(/** @type {string | null} */ (null));
/** A moment of the past that the page shows instead of the present. */
export const past = signal(/** @type {{ version: number, board: Board } | null} */ (null));
/** Whose eyes the GM looks through. */
export const eyes = signal(/** @type {{ token: TokenLine, board: Board | null } | null} */ (null));
/** Who is pointed at, by click or key: the map and the order show it. */
export const picked = signal(/** @type {readonly string[]} */ ([]));
/** Said aloud once, by the live region and as a toast. */
export const said = signal(/** @type {{ text: string, undo?: () => void } | null} */ (null));
/** What the map is asked for: squares for a form. */
export const wanted = signal(/** @type {import("./map/wanted.js").Wanted | null} */ (null));

/** A map that is being drawn and not set yet. */
export const sketch = signal(/** @type {Record<string, any> | null} */ (null));

/** The board on the screen. */
export const shown = computed(() => past.value?.board ?? eyes.value?.board ?? present.value);
export const role = computed(() => present.value?.you.role ?? "spectator");
export const reading = computed(() => past.value !== null || eyes.value !== null);
export const acting = computed(() => !reading.value && role.value !== "spectator" && closed.value === null);
export const ruling = computed(() => acting.value && role.value === "gm");

line.locked = () => reading.peek();
line.waiting = (is) => {
  if (is) link.value = "waiting";
  else if (link.peek() === "waiting") link.value = "live";
};

/** The path of the combat. */
const base = () => `/v1/combats/${seat.peek()?.combat}`;
const LOG = 60;
const MOST = 200;
let stop = () => {};

effect(() => {
  const chosen = picked.value;
  if (seat.peek() !== null) setDraft("picked", chosen.length > 0 ? chosen : undefined);
});

/** Sits down at a combat and follows it. @param {session.Session} at */
export async function open(at) {
  stop();
  line.token = at.token;
  batch(() => {
    seat.value = at;
    present.value = null;
    past.value = eyes.value = closed.value = null;
    entries.value = [];
    offers.value = [];
    picked.value = draft("picked") ?? [];
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
    /* the stream says what is wrong */
  }
}

/** Leaves the table. */
export function close() {
  stop();
  line.token = null;
  seat.value = present.value = null;
}

/** @param {string} type @param {any} data */
function told(type, data) {
  if (type === "board" || type === "erased") show(data.board ?? data);
  if ((type === "command" || type === "amended") && data.board) show(data.board);
  // Entries after `back_to` are undone now, and a moment of the past may have been one of them.
  if (type === "amended") past.value = null;
  if (!["tokens", "progress"].includes(type)) void refresh();
}

/** @param {Board} board */
function show(board) {
  present.value = complete(board);
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

/** Whether the page is still asking what follows from what happened. */
export const learning = signal(false);
let again = false;

/** Asks anew for what the stream does not bring: options, the log, other eyes. Never twice at once. */
export async function refresh() {
  if (learning.peek()) {
    again = true;
    return;
  }
  learning.value = true;
  try {
    do {
      again = false;
      if (seat.peek() === null) return; // nobody sits here any more
      await Promise.all([readOffers(), readLog(), readEyes()]);
    } while (again);
  } catch {
    /* the stream comes back and asks again */
  } finally {
    learning.value = false;
  }
}

/** The same question in other eyes, where the page looks through them. @param {string} path */
const seen = (path) => (eyes.peek() === null ? path : `${path}${path.includes("?") ? "&" : "?"}as=${eyes.peek()?.token.id}`);

/** Who asks about what: an answer that comes after another was asked is nobody's. */
const asker = () => `${seat.peek()?.combat} ${eyes.peek()?.token.id}`;

async function readOffers() {
  if (present.peek()?.you.role === "spectator") return;
  const by = asker();
  const found = await read(`${base()}/options?include=refused&schemas=cite`);
  const forms = await complemented(found);
  if (by !== asker()) return;
  batch(() => {
    offers.value = found.options;
    schemas.value = forms;
  });
}

/**
 * The schemas of an answer, with those that it cites from the rulebook. Reads the rulebook anew if
 * it has changed since.
 * @param {{ schemas: Record<string, Schema>, cited: Record<string, string> }} found
 */
async function complemented(found) {
  const cited = Object.entries(found.cited);
  const known = () => ruleset.peek()?.schemas ?? {};
  const id = present.peek()?.ruleset; // none: the first board asks again
  if (id !== undefined && cited.some(([key, hash]) => known()[key]?.hash !== hash)) await learn(id);
  const places = cited.map(([key]) => [key, pointed(ruleset.peek(), known()[key]?.at ?? "/none")]);
  return { ...Object.fromEntries(places), ...found.schemas };
}

/** What a JSON pointer without escapes leads to. @param {any} document @param {string} at */
const pointed = (document, at) => at.split("/").slice(1).reduce((value, name) => value?.[name], document) ?? {};

async function readLog() {
  const known = entries.peek();
  const length = Math.max(LOG, Math.min(known.length, MOST));
  const by = asker();
  const found = await read(seen(`${base()}/timeline?order=newest&limit=${length}`));
  if (by !== asker()) return;
  const rest = after(found.entries, known);
  batch(() => {
    entries.value = [...found.entries, ...rest];
    if (rest.length === 0) older.value = found.next ?? null;
  });
}

/** The log further back. */
export async function readOlder() {
  const cursor = encodeURIComponent(older.peek() ?? "");
  const by = asker();
  const found = await read(seen(`${base()}/timeline?order=newest&limit=${MOST}&cursor=${cursor}`));
  if (by !== asker()) return;
  batch(() => {
    entries.value = [...entries.peek(), ...found.entries];
    older.value = found.next ?? null;
  });
}

async function readEyes() {
  const token = eyes.peek()?.token;
  if (!token) return;
  const board = complete(await read(`${base()}?as=${token.id}`));
  if (eyes.peek()?.token.id === token.id) eyes.value = { token, board };
}

/** Looks through the eyes of a token; null = one's own. @param {TokenLine | null} token */
export async function lookAs(token) {
  batch(() => {
    past.value = null;
    eyes.value = token === null ? null : { token, board: null };
    entries.value = [];
  });
  await refresh();
}

/** Shows a moment of the past; null = the present. @param {number | null} version */
export async function lookAt(version) {
  try {
    if (version === null || version === present.peek()?.version) past.value = null;
    else past.value = { version, board: complete(await read(`${base()}?at=${version}`)) };
  } catch (failed) {
    said.value = { text: `That moment cannot be shown: ${/** @type {Error} */ (failed).message}` };
  }
  history.replaceState(null, "", session.place(seat.peek()?.combat ?? "", past.peek()?.version ?? null, session.address().screen));
}

/**
 * A command about the combat; shown as done when the service says so.
 * @param {string} path @param {unknown} [body] @param {{ version?: number }} [more] @param {string} [method]
 * @returns {Promise<Committed>}
 */
export async function command(path, body = {}, more = {}, method = "POST") {
  const at = seat.peek();
  const done = await send(method, `${base()}${path}`, body, more);
  setTimeout(() => {
    if (seat.peek() === at && done?.version > (present.peek()?.version ?? 0)) void fetchBoard();
  }, 1000); // the stream was quicker, or is away
  return done;
}

async function fetchBoard() {
  try {
    show(await read(base()));
    await refresh();
  } catch {
    /* the stream comes back and tells */
  }
}

/** @param {string} path @param {{ accept?: string }} [more] */
export const ask = (path, more) => read(`${base()}${path}`, more);

/** Asks for what the eyes on the screen may know; versions are theirs. @param {string} path @param {{ accept?: string }} [more] */
export const askSeen = (path, more) => read(`${base()}${seen(path)}`, more);

/** @param {string} method @param {string} path @param {unknown} [body] */
export const tell = (method, path, body) => send(method, `${base()}${path}`, body);
