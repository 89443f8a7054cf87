// The seat of this page: a combat and a token. A link carries both in the fragment, which a browser
// never sends. The page removes the token from the address at once and stores it for the tab and
// the device.

/** @typedef {{ combat: string, token: string }} Session */
/**
 * A seat that this device remembers.
 * @typedef {Session & { name?: string, role?: string, label?: string, round?: number, status?: string, seen?: number }} Place
 */

const TAB = "affray:";
const DEVICE = "affray-kept";
const RANKS = ["gm", "player", "spectator"];

/** The address: the combat, the moment and the layout. */
export function address() {
  const fields = new URLSearchParams(location.hash.slice(1));
  return {
    combat: fields.get("c"),
    token: fields.get("t"),
    at: Number(fields.get("at")) || null,
    screen: fields.has("screen"),
  };
}

/** Take the token out of the address. Without one, use the seat of the tab, or else of the device. @returns {Session | null} */
export function enter() {
  const { combat, token, screen } = address();
  if (combat === null) return null;
  if (token !== null) {
    take({ combat, token });
    history.replaceState(null, "", place(combat, null, screen));
  }
  const known = sessionStorage.getItem(TAB + combat) ?? best(combat)?.token ?? null;
  if (known !== null) sessionStorage.setItem(TAB + combat, known); // a second tab may have another seat at the same fight
  return known === null ? null : { combat, token: known };
}

/** Return the address of a combat in this page. @param {string} combat @param {number | null} [at] @param {boolean} [screen] */
export function place(combat, at = null, screen = false) {
  return `#c=${combat}${at === null ? "" : `&at=${at}`}${screen ? "&screen" : ""}`;
}

/** Return a link for somebody else. @param {string} combat @param {string} token @param {boolean} [screen] */
export function link(combat, token, screen = false) {
  return `${location.origin}/#c=${combat}&t=${token}${screen ? "&screen" : ""}`;
}

/** Open a combat in this page. @param {Session} session */
export function sit({ combat, token }) {
  take({ combat, token });
  location.hash = place(combat);
}

/** Store a seat for the tab and the device. @param {Session} session */
function take({ combat, token }) {
  sessionStorage.setItem(TAB + combat, token);
  if (find({ combat, token }) === undefined) keep({ combat, token, seen: Date.now() });
}

/** Return the seats of this device and of the tab, latest first. @returns {Place[]} */
export function places() {
  return list().sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
}

/** Return the device's seat at a fight, with a preference for the GM's. @param {string} combat */
function best(combat) {
  const rank = (/** @type {Place} */ kept) => RANKS.indexOf(kept.role ?? "spectator");
  return places().filter((kept) => kept.combat === combat).sort((a, b) => rank(a) - rank(b))[0];
}

/** Return the device's entry of a seat, or undefined. @param {Session} session */
export const find = ({ combat, token }) => list().find((kept) => kept.combat === combat && kept.token === token);

/** Update the state of a fight, if the device has a seat at it. @param {Place} place */
export function remember(place) {
  const kept = find(place);
  if (kept !== undefined) keep({ ...kept, ...place, seen: Date.now() });
}

/** Store a seat on this device. Other tabs share it. @param {Place} place */
export function keep(place) {
  store([place, ...list().filter((kept) => kept.combat !== place.combat || kept.token !== place.token)]);
}

/** Remove a seat from this device. A tab that has it open is not affected. @param {Session} session */
export function forget({ combat, token }) {
  store(list().filter((kept) => kept.combat !== combat || kept.token !== token));
}

/** Remove a seat from this tab and this device. @param {Session} session */
export function leave({ combat, token }) {
  if (sessionStorage.getItem(TAB + combat) === token) sessionStorage.removeItem(TAB + combat);
  forget({ combat, token });
}

/** Remove every seat at a fight from this tab and this device. @param {string} combat */
export function forgetFight(combat) {
  sessionStorage.removeItem(TAB + combat);
  store(list().filter((kept) => kept.combat !== combat));
}

/** @returns {Place[]} */
function list() {
  try {
    return JSON.parse(localStorage.getItem(DEVICE) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Place[]} all */
function store(all) {
  try {
    localStorage.setItem(DEVICE, JSON.stringify(all));
  } catch {
    /* without storage, only the tab remembers the seat */
  }
}
