// Whose page this is: a combat and a token. A link carries both in its fragment, which is never
// sent; the token is taken out of the address at once and kept with the tab.

/** @typedef {{ combat: string, token: string }} Session */
/** @typedef {{ combat: string, name: string, role: string, token: string }} Kept */

const TABLE = "affray:";
const SHELF = "affray-kept";
const SEEN = "affray-seen";

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

/** Takes the token out of the address. @returns {Session | null} */
export function enter() {
  const { combat, token, screen } = address();
  if (combat === null) return null;
  if (token !== null) {
    sessionStorage.setItem(TABLE + combat, token);
    history.replaceState(null, "", place(combat, null, screen));
  }
  const kept = sessionStorage.getItem(TABLE + combat) ?? found(combat)?.token ?? null;
  return kept === null ? null : { combat, token: kept };
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
  sessionStorage.setItem(TABLE + combat, token);
  location.hash = place(combat);
}

/** Leaves a combat: neither the tab nor the browser knows of it any more. @param {string} combat */
export function leave(combat) {
  sessionStorage.removeItem(TABLE + combat);
  sessionStorage.setItem(SEEN, JSON.stringify(list(sessionStorage, SEEN).filter((one) => one.combat !== combat)));
  forget(combat);
}

/** The combats of this tab, and those that this browser was told to keep. @returns {Kept[]} */
export function shelf() {
  const kept = list(localStorage, SHELF);
  const here = list(sessionStorage, SEEN).filter((one) => kept.every((other) => other.combat !== one.combat));
  return [...here, ...kept].flatMap((one) => {
    const token = sessionStorage.getItem(TABLE + one.combat) ?? one.token;
    return token === undefined ? [] : [{ ...one, token }];
  });
}

/** What a combat of this tab is called, so that there is a way back to it. @param {Omit<Kept, "token">} one */
export function remember(one) {
  const others = list(sessionStorage, SEEN).filter((other) => other.combat !== one.combat);
  sessionStorage.setItem(SEEN, JSON.stringify([one, ...others]));
}

/** @param {Storage} store @param {string} name @returns {Kept[]} */
function list(store, name) {
  try {
    return JSON.parse(store.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} combat */
export const found = (combat) => list(localStorage, SHELF).find((one) => one.combat === combat);

/** Keeps a combat beyond the tab. @param {Kept} one */
export function keep(one) {
  const others = list(localStorage, SHELF).filter((other) => other.combat !== one.combat);
  localStorage.setItem(SHELF, JSON.stringify([one, ...others]));
}

/** What this browser was told to keep of a combat. @param {string} combat */
export function forget(combat) {
  localStorage.setItem(SHELF, JSON.stringify(list(localStorage, SHELF).filter((one) => one.combat !== combat)));
}
