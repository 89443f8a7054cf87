// Keyboard shortcuts. They do nothing in text fields, and can be switched off.
import { html, signal } from "../view.js";
import { focusAsked } from "../focus.js";
import { lookAt } from "../commands.js";
import { entries, eyes, past, picked, present, role, ruling } from "../state.js";
import { putBack, takeBack } from "../time/verbs.js";
import { hide } from "../rule/hands.js";
import { compare, compared } from "../time/compare.js";
import { moments } from "../time/names.js";

const OFF = "affray-keys-off";
const on = signal(localStorage.getItem(OFF) === null);

const LIST = [
  ["1 – 9", "an option of the card; in its form, a value of the first choice"],
  ["digits", "a die that you roll by hand"],
  ["Enter", "what has the focus; sends a form, and dice"],
  ["J, K", "next card, card before; also requests, and the end of a decided fight"],
  ["P", "all pass, but for players who are here"],
  ["G", "as last round"],
  ["Esc", "out of a form, a field or a window, back to what is asked"],
  ["← →", "a command back, forward"],
  ["End, Esc", "now"],
  ["Ctrl Z, U", "take back"],
  ["Ctrl Shift Z, Shift U", "put back"],
  ["E", "end the turn"],
  ["H, −, +, =", "hit points of those who are picked"],
  ["C", "a condition for those who are picked"],
  ["V", "hide or reveal those who are picked"],
  ["C", "nobody picked: compare, hold this moment, then another"],
  ["L, M, O", "log, map, order; ↑ ↓ go along log and order, Enter picks, and Shift Enter picks one more"],
  ["R", "rulings"],
  ["S", "links; for players, the own sheet"],
  ["A", "ask the GM, as a player"],
  ["/", "find in the log"],
  ["?", "this list"],
];

export function Keys() {
  const set = (/** @type {boolean} */ use) => {
    if (use) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
    on.value = use;
  };
  return html`
    <dl class="keylist">${LIST.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <label><input type="checkbox" checked=${on.value} onChange=${(/** @type {any} */ event) => set(event.target.checked)} /> Use these keys</label>
  `;
}

/** @param {KeyboardEvent} event */
export function press(event) {
  const at = /** @type {HTMLElement} */ (event.target);
  if (!on.peek() || present.peek() === null || event.altKey || document.querySelector("dialog[open]") !== null) return;
  if (at.closest("input, select, textarea") && !passes(event, at)) return;
  if (event.ctrlKey || event.metaKey ? history(event) : doing(event)) event.preventDefault();
}

/** Return true if a field ignores the key: Escape, or letters in a field for dice. @param {KeyboardEvent} event @param {Element} at */
const passes = (event, at) => event.key === "Escape" || (at.matches(".faces input") && /^[a-df-z?/]$/i.test(event.key));

/** @param {KeyboardEvent} event */
function history(event) {
  if (!ruling.peek() || event.key.toLowerCase() !== "z") return false;
  void (event.shiftKey ? putBack() : takeBack());
  return true;
}

/** Handle a key. Return true if it is a shortcut. @param {KeyboardEvent} event */
function doing(event) {
  const gm = role.peek() === "gm";
  if (/^[1-9]$/.test(event.key)) return click(Number(event.key));
  if (event.key === "j" || event.key === "k") return card(event.key === "j" ? 1 : -1);
  if (event.key === "/") return focus("#find");
  if (event.key === "l") return focus(".log .told");
  if (event.key === "m") return focus(".map svg");
  if (event.key === "o") return focus(".order .name");
  if (event.key === "?") return tap(".keys");
  if (event.key === "p") return tap(".alltogether .pass");
  if (event.key === "g") return tap(".cards .again");
  if (event.key === "s") return tap(".menu button");
  if (event.key === "a") return tap(".requests details:not([open]) > summary") || focus(".requests button"), focus(".requests button");
  if (event.key === "r") return focus(".rulings .option");
  if (event.key === "Escape" && compared.peek() !== null) return (compared.value = null), true;
  if (event.key === "End" || (event.key === "Escape" && past.peek() !== null)) return past.peek() !== null && (void lookAt(null), true);
  if (event.key === "Escape") return leave();
  if (event.key === "ArrowUp" || event.key === "ArrowDown") return along(event.key === "ArrowDown" ? 1 : -1);
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") return step(event.key === "ArrowLeft" ? 1 : -1);
  if (event.key === "e") return focus(".card:not(.anothers) .apart .option", true);
  if (!gm) return false;
  if (picked.peek().length > 0 && past.peek() === null) {
    if (event.key === "h" || "-−+=".includes(event.key)) return number(event.key);
    if (event.key === "c") return focus(".quick .chips button");
    if (event.key === "v") return void hide(), true;
  }
  if (event.key === "c") return void compare(past.peek()?.version ?? present.peek()?.version ?? 0), true;
  if (past.peek() !== null) return false;
  if (event.key === "u") return void takeBack(), true;
  if (event.key === "U") return void putBack(), true;
  return false;
}

/** Start to type a number with this sign. @param {string} sign */
function number(sign) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("quick-hp"));
  if (field === null) return false;
  field.focus();
  if (sign !== "h") {
    field.value = sign;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return true;
}

/** Leave the current action. From a field for hit points, return to the row. Otherwise clear the selection and focus the prompt. */
function leave() {
  const at = document.activeElement;
  if (at?.closest(".quick")) return focus(".order .name[aria-pressed=true]");
  if (picked.peek().length > 0) picked.value = [];
  if (!focusAsked()) focus(".cards h2");
  return true;
}

/** Move to the neighbour in the order of initiative or in the log. @param {number} by */
function along(by) {
  const at = document.activeElement;
  const [place, rows] = at?.closest(".order") ? [".combatant", ".order .name"] : at?.closest(".log") ? [".command", ".log .told"] : ["", ""];
  if (at === null || place === "") return false;
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(rows)].filter((element) => element.checkVisibility()));
  const here = all.findIndex((element) => element === at);
  const now = here >= 0 ? here : all.findIndex((element) => at.closest(place)?.contains(element));
  all[Math.max(0, Math.min(all.length - 1, now + by))]?.focus();
  return true;
}

/** @param {number} number */
function click(number) {
  const cards = [...document.querySelectorAll("article.card.ask")];
  const card = cards.find((card) => card.contains(document.activeElement)) ?? cards[0];
  if (card?.classList.contains("roll")) return focusAsked() && false; // the digit is typed there
  const form = document.activeElement?.closest("article.card.ask form.filling");
  const chips = (document.activeElement?.closest(".chips") ?? form?.querySelector(".chips"))?.querySelectorAll("button") ?? [];
  if (form && chips.length > 0) {
    chips[number - 1]?.click();
    /** @type {HTMLElement | null} */ (form.querySelector("[type=submit]"))?.focus();
    return true;
  }
  const option = /** @type {HTMLElement | undefined} */ (card?.querySelectorAll(".option")[number - 1]);
  option?.focus();
  option?.click();
  return option !== undefined;
}

/** Press the button of a shortcut without a change of the focus. @param {string} selector */
function tap(selector) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  element?.click();
  return element !== null;
}

/** @param {number} by */
function card(by) {
  const cards = [...document.querySelectorAll(".middle article.card")].filter((element) => element.querySelector("button, input"));
  const here = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[Math.max(0, Math.min(cards.length - 1, here + by))];
  /** @type {HTMLElement | null | undefined} */ (next?.querySelector("button, input"))?.focus();
  return next !== undefined;
}

/** @param {string} selector @param {boolean} [press] */
function focus(selector, press = false) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  element?.focus();
  if (press) element?.click();
  return element !== null;
}

/** Show the moment before or after the shown one. @param {number} by */
function step(by) {
  if (eyes.peek() !== null) return false;
  const all = moments(entries.peek()).reverse();
  const at = past.peek()?.version ?? present.peek()?.version ?? 0;
  const here = all.findIndex((entry) => entry.last <= at);
  const next = all[here + by];
  if (next === undefined && here + by >= 0) return false;
  void lookAt(next === undefined || here + by <= 0 ? null : next.last);
  return true;
}
