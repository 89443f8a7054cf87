// Where the focus goes when its element disappears: to the prompt, to a neighbour, or back to the
// opener of a window.

import { useLayoutEffect, useRef } from "./view.js";

const CONTROLS = "button, input, select, textarea, summary, a[href]";

/** @param {Element | null | undefined} place @returns {HTMLElement | null} */
function control(place) {
  if (!place?.isConnected) return null;
  const all = [place, ...place.querySelectorAll(CONTROLS)];
  return /** @type {HTMLElement | undefined} */ (all.find((control) => control.matches(CONTROLS) && control.checkVisibility())) ?? null;
}

/** Return true on a touch screen, where a focused field would open a keyboard over the map. */
const byTouch = () => matchMedia("(pointer: coarse)").matches;

/** Focus the first control of the prompt: the next die, or the most probable option. Return true if there is one. */
export function focusAsked() {
  const card = document.querySelector("article.card.ask");
  const dice = /** @type {HTMLInputElement[]} */ ([...(card?.querySelectorAll(".faces input") ?? [])]);
  const element = /** @type {HTMLElement | null | undefined} */ (
    (byTouch() ? null : (dice.find((input) => input.value === "") ?? dice[0])) ?? card?.querySelector(".option.primary") ?? card?.querySelector(".option") ?? card?.querySelector(".primary")
  );
  element?.focus();
  return element != null;
}

/** Return the first control inside a window, or null before its content exists. @param {HTMLElement | null} dialog */
export const firstInside = (dialog) => control(dialog?.querySelector(".inside"));

/** Return the focus to the element that had it before a window opened. @param {Element | null} opener */
export function giveBack(opener) {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    if (opener?.isConnected && opener !== document.body) /** @type {HTMLElement} */ (opener).focus();
    else toNeighbour();
  });
}

/** The focused element, and the neighbours of each of its ancestors. @type {{ ancestor: Element, parent: Element | null, next: Element | null, before: Element | null }[]} */
let trail = [];

/** @param {FocusEvent} event */
function note({ target }) {
  trail = [];
  for (let ancestor = /** @type {Element | null} */ (target); ancestor !== null && ancestor.id !== "page"; ancestor = ancestor.parentElement) {
    trail.push({ ancestor, parent: ancestor.parentElement, next: ancestor.nextElementSibling, before: ancestor.previousElementSibling });
  }
}

/** Move the focus of a removed element to its neighbour. A window that closes moves the focus itself. */
function mend() {
  if (document.activeElement !== document.body || trail[0] === undefined || trail[0].ancestor.isConnected) return;
  if (!trail.some(({ ancestor }) => ancestor.localName === "dialog" && !ancestor.isConnected)) toNeighbour();
}

function toNeighbour() {
  const gone = trail.find(({ parent }) => parent?.isConnected === true);
  if (gone === undefined || gone.parent?.id === "page") return headline();
  (control(gone.next) ?? control(gone.before) ?? control(gone.parent))?.focus();
}

/** Focus the headline of any page but the table. */
function headline() {
  const element = /** @type {HTMLElement | null} */ (document.querySelector("main.begin h1"));
  if (element === null) return;
  element.tabIndex = -1;
  element.focus();
}

/** Watch the focus of a page. @param {Element} page */
export function keepFocus(page) {
  document.addEventListener("focusin", note);
  new MutationObserver(mend).observe(page, { childList: true, subtree: true });
}

/** Scroll a new part into view, also while the page around it changes its size. Return a function that stops it. @param {HTMLElement} part */
export function bringIntoView(part) {
  const observer = new ResizeObserver(() => part.scrollIntoView({ block: "nearest" }));
  for (const element of [part, part.closest(".cards, .column")]) if (element !== null) observer.observe(element);
  setTimeout(() => observer.disconnect(), 500);
  return () => observer.disconnect();
}

/** Scroll a part into view when it opens. */
export function useInView() {
  const opened = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => opened.current?.scrollIntoView({ block: "nearest" }), []);
  return opened;
}
