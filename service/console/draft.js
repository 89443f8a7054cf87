// Drafts of forms. A reload keeps them. Sending or cancelling the form removes them.
import { useState } from "./view.js";
import { address } from "./session.js";

const DRAFT = "affray-draft:";

/** @param {string} name */
const key = (name) => `${DRAFT}${address().combat ?? ""}:${name}`;

/** @template T @param {string} name @returns {T | undefined} */
export function draft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Store a draft. `undefined` removes the draft. @param {string} name @param {unknown} value */
export function setDraft(name, value) {
  try {
    if (value === undefined) sessionStorage.removeItem(key(name));
    else sessionStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    /* without storage, the draft does not survive a reload */
  }
}

/**
 * A state that survives a reload. `drop` removes the draft and leaves the state unchanged.
 * @template T @param {string} name @param {T | (() => T)} first @returns {[T, (next: T) => void, () => void]}
 */
export function useDraft(name, first) {
  const [value, setValue] = useState(/** @type {() => T} */ (() => draft(name) ?? (typeof first === "function" ? /** @type {() => T} */ (first)() : first)));
  const set = (/** @type {T} */ next) => {
    setDraft(name, next);
    setValue(next);
  };
  return [value, set, () => setDraft(name, undefined)];
}
