// The state of the page: signals that only the service's answers fill.
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
/** The legal offers. */
export const offers = signal(/** @type {Offer[]} */ ([]));
export const schemas = signal(/** @type {Record<string, Schema>} */ ({}));
export const entries = signal(/** @type {Entry[]} */ ([]));
export const older = signal(/** @type {string | null} */ (null));
export const you = signal(/** @type {TokenLine | null} */ (null));
export const link = signal(/** @type {"connecting" | "live" | "lost" | "waiting"} */ ("connecting"));
/** The seats at the table that this reader may know. */
export const seats = signal(/** @type {readonly Seat[]} */ ([]));
export const closed = signal(/** @type {string | null} */ (null));
/** The moment of the past that the page shows, or null for the current moment. */
export const past = signal(/** @type {{ version: number, board: Board } | null} */ (null));
/** The token whose view the GM sees, or null. */
export const eyes = signal(/** @type {{ token: TokenLine, board: Board | null } | null} */ (null));
/** The selected combatants. The map and the order show them. */
export const picked = signal(/** @type {readonly string[]} */ ([]));
/** True if clicks add to the selection, as with Shift. */
export const adding = signal(false);
/** A message that the page shows as a toast and announces once. */
export const said = signal(/** @type {{ text: string, undo?: () => void, version?: number } | null} */ (null));
/** The progress of an amendment. */
export const progress = signal(/** @type {{ done: number, total: number } | null} */ (null));
/** The squares for which a form asks. */
export const wanted = signal(/** @type {import("./map/wanted.js").Wanted | null} */ (null));

/** A map that is drawn and not yet saved. */
export const sketch = signal(/** @type {Record<string, any> | null} */ (null));

/** The board that the page shows. */
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

/** True while the page loads the options, the log and the shown view after a message. */
export const learning = signal(false);

/** Return the path of the combat. */
export const base = () => `/v1/combats/${seat.peek()?.combat}`;

/** Return a path for the shown view. @param {string} path */
export const seen = (path) => (eyes.peek() === null ? path : `${path}${path.includes("?") ? "&" : "?"}as=${eyes.peek()?.token.id}`);

effect(() => {
  const chosen = picked.value;
  if (chosen.length === 0) adding.value = false;
  if (seat.peek() !== null) setDraft("picked", chosen.length > 0 ? chosen : undefined);
});
