// What the page knows: signals, filled from the service and from nothing else.
import { computed, effect, signal } from "./view.js";
import { line } from "./http.js";
import { setDraft } from "./draft.js";

/** @import { Board, Entry, Offer, Ruleset, Schema, Seat, TokenLine } from "./shapes.d.ts" */
/** @import { Session } from "./session.js" */
/** @import { Signal } from "./view.js" */

/** @type {Signal<Session | null>} */
export const seat = signal(/** @type {Session | null} */ (null));
export const present = signal(/** @type {Board | null} */ (null));
export const ruleset = signal(/** @type {Ruleset | null} */ (null));
/** The legal offers, and the refused ones with their reasons. */
export const offers = signal(/** @type {Offer[]} */ ([]));
export const schemas = signal(/** @type {Record<string, Schema>} */ ({}));
export const entries = signal(/** @type {Entry[]} */ ([]));
export const older = signal(/** @type {string | null} */ (null));
export const you = signal(/** @type {TokenLine | null} */ (null));
export const link = signal(/** @type {"connecting" | "live" | "lost" | "waiting"} */ ("connecting"));
/** The seats at the table, as far as this reader may know. */
export const seats = signal(/** @type {readonly Seat[]} */ ([]));
export const closed = signal(/** @type {string | null} */ (null));
/** A moment of the past that the page shows instead of the present. */
export const past = signal(/** @type {{ version: number, board: Board } | null} */ (null));
/** The token whose view the GM sees. */
export const eyes = signal(/** @type {{ token: TokenLine, board: Board | null } | null} */ (null));
/** The picked combatants, by click or key. The map and the order show them. */
export const picked = signal(/** @type {readonly string[]} */ ([]));
/** Whether clicks add to those who are picked, as with Shift. */
export const adding = signal(false);
/** Said aloud once, by the live region and as a toast. */
export const said = signal(/** @type {{ text: string, undo?: () => void, version?: number } | null} */ (null));
/** How far an amendment is. */
export const progress = signal(/** @type {{ done: number, total: number } | null} */ (null));
/** The squares that a form wants from the map. */
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

/** Whether the page is still asking what follows from what happened. */
export const learning = signal(false);

/** The path of the combat. */
export const base = () => `/v1/combats/${seat.peek()?.combat}`;

/** The same question in other eyes, where the page looks through them. @param {string} path */
export const seen = (path) => (eyes.peek() === null ? path : `${path}${path.includes("?") ? "&" : "?"}as=${eyes.peek()?.token.id}`);

effect(() => {
  const chosen = picked.value;
  if (chosen.length === 0) adding.value = false;
  if (seat.peek() !== null) setDraft("picked", chosen.length > 0 ? chosen : undefined);
});
