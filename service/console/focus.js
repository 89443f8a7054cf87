// Where the focus goes when what had it is gone: to what is asked, to a neighbour, or back to what opened a window.

import { useLayoutEffect, useRef } from "./view.js";

const CONTROLS = "button, input, select, textarea, summary, a[href]";

/** @param {Element | null | undefined} place @returns {HTMLElement | null} */
function control(place) {
  if (!place?.isConnected) return null;
  const all = [place, ...place.querySelectorAll(CONTROLS)];
  return /** @type {HTMLElement | undefined} */ (all.find((one) => one.matches(CONTROLS) && one.checkVisibility())) ?? null;
}

/** Fingers need no focus, and a field with the focus would open a keyboard over the map. */
const byTouch = () => matchMedia("(pointer: coarse)").matches;

/** Focus what is asked first: the next die, or the most probable option. Return whether something is asked. */
export function focusAsked() {
  const card = document.querySelector("article.card.ask");
  const dice = /** @type {HTMLInputElement[]} */ ([...(card?.querySelectorAll(".faces input") ?? [])]);
  const found = /** @type {HTMLElement | null | undefined} */ (
    (byTouch() ? null : (dice.find((one) => one.value === "") ?? dice[0])) ?? card?.querySelector(".option.primary") ?? card?.querySelector(".option") ?? card?.querySelector(".primary")
  );
  found?.focus();
  return found != null;
}

/** The first control inside a window, or null before its content is there. @param {HTMLElement | null} dialog */
export const firstInside = (dialog) => control(dialog?.querySelector(".inside"));

/** Give the focus back to what had it before a window opened. @param {Element | null} opener */
export function giveBack(opener) {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    if (opener?.isConnected && opener !== document.body) /** @type {HTMLElement} */ (opener).focus();
    else toNeighbour();
  });
}

/** The focused element, and where each of its ancestors stands. @type {{ one: Element, parent: Element | null, next: Element | null, before: Element | null }[]} */
let trail = [];

/** @param {FocusEvent} event */
function note({ target }) {
  trail = [];
  for (let one = /** @type {Element | null} */ (target); one !== null && one.id !== "page"; one = one.parentElement) {
    trail.push({ one, parent: one.parentElement, next: one.nextElementSibling, before: one.previousElementSibling });
  }
}

/** The focus of a removed element goes to its neighbour, and not to the top of the page. A removed window gives it back itself. */
function mend() {
  if (document.activeElement !== document.body || trail[0] === undefined || trail[0].one.isConnected) return;
  if (!trail.some(({ one }) => one.localName === "dialog" && !one.isConnected)) toNeighbour();
}

function toNeighbour() {
  const gone = trail.find(({ parent }) => parent?.isConnected === true);
  if (gone === undefined || gone.parent?.id === "page") return headline();
  (control(gone.next) ?? control(gone.before) ?? control(gone.parent))?.focus();
}

/** Another page than the table begins at its headline. */
function headline() {
  const found = /** @type {HTMLElement | null} */ (document.querySelector("main.begin h1"));
  if (found === null) return;
  found.tabIndex = -1;
  found.focus();
}

/** Watch the focus of a page. @param {Element} page */
export function keepFocus(page) {
  document.addEventListener("focusin", note);
  new MutationObserver(mend).observe(page, { childList: true, subtree: true });
}

/** A part that has just opened comes into view. */
export function useInView() {
  const opened = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => opened.current?.scrollIntoView({ block: "nearest" }), []);
  return opened;
}
