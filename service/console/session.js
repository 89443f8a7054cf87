// Whose page this is: a combat and a token. A link carries both in its fragment, which is never
// sent; the token is taken out of the address at once. The tab keeps the token, and so does the device.

/** @typedef {{ combat: string, token: string }} Session */
/**
 * A place at a fight that this device keeps.
 * @typedef {Session & { name?: string, role?: string, label?: string, round?: number, status?: string, seen?: number }} Place
 */

const TAB = "affray:";
const DEVICE = "affray-kept";
const RANKS = ["gm", "player", "spectator"];

/** The address: which combat, at which moment, in which layout. */
export function address() {
  const fields = new URLSearchParams(location.hash.slice(1));
  return {
    combat: fields.get("c"),
    token: fields.get("t"),
    at: Number(fields.get("at")) || null,
    screen: fields.has("screen"),
  };
}

/** Takes the token out of the address. Without one, the tab's place counts, then the device's. @returns {Session | null} */
export function enter() {
  const { combat, token, screen } = address();
  if (combat === null) return null;
  if (token !== null) {
    take({ combat, token });
    history.replaceState(null, "", place(combat, null, screen));
  }
  const known = sessionStorage.getItem(TAB + combat) ?? best(combat)?.token ?? null;
  if (known !== null) sessionStorage.setItem(TAB + combat, known); // two places at one fight stay apart
  return known === null ? null : { combat, token: known };
}

/** Where a combat is in this page. @param {string} combat @param {number | null} [at] @param {boolean} [screen] */
export function place(combat, at = null, screen = false) {
  return `#c=${combat}${at === null ? "" : `&at=${at}`}${screen ? "&screen" : ""}`;
}

/** A link for somebody else. @param {string} combat @param {string} token @param {boolean} [screen] */
export function link(combat, token, screen = false) {
  return `${location.origin}/#c=${combat}&t=${token}${screen ? "&screen" : ""}`;
}

/** Goes to a combat. @param {Session} session */
export function sit({ combat, token }) {
  take({ combat, token });
  location.hash = place(combat);
}

/** The tab and the device keep a place. @param {Session} session */
function take({ combat, token }) {
  sessionStorage.setItem(TAB + combat, token);
  if (find({ combat, token }) === undefined) keep({ combat, token, seen: Date.now() });
}

/** The places that this device keeps, and the tab's own, latest first. @returns {Place[]} */
export function places() {
  return list().sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
}

/** The GM's place comes first where the device has several at one fight. @param {string} combat */
function best(combat) {
  const rank = (/** @type {Place} */ kept) => RANKS.indexOf(kept.role ?? "spectator");
  return places().filter((kept) => kept.combat === combat).sort((a, b) => rank(a) - rank(b))[0];
}

/** Return the device's entry of a place, or undefined. @param {Session} session */
export const find = ({ combat, token }) => list().find((kept) => kept.combat === combat && kept.token === token);

/** Notes how a fight stands, where the device keeps a place at it. @param {Place} place */
export function remember(place) {
  const kept = find(place);
  if (kept !== undefined) keep({ ...kept, ...place, seen: Date.now() });
}

/** Keeps a place on this device; other tabs share it. @param {Place} place */
export function keep(place) {
  store([place, ...list().filter((kept) => kept.combat !== place.combat || kept.token !== place.token)]);
}

/** The device keeps this place no more; a tab that has it open goes on. @param {Session} session */
export function forget({ combat, token }) {
  store(list().filter((kept) => kept.combat !== combat || kept.token !== token));
}

/** Forgets a place in this tab as well. @param {Session} session */
export function leave({ combat, token }) {
  if (sessionStorage.getItem(TAB + combat) === token) sessionStorage.removeItem(TAB + combat);
  forget({ combat, token });
}

/** Forgets every place at a fight, in this tab and on this device. @param {string} combat */
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
    /* a browser without storage keeps the place in the tab */
  }
}
