// One key for what is done often. Not while somebody types; can be switched off.
import { html, signal } from "../view.js";
import { lookAt } from "../commands.js";
import { entries, eyes, past, picked, present, role, ruling } from "../state.js";
import { putBack, takeBack } from "../time/verbs.js";
import { hide } from "../rule/hands.js";
import { compare } from "../time/compare.js";
import { moments } from "../time/names.js";

const OFF = "affray-keys-off";
const on = signal(localStorage.getItem(OFF) === null);

const LIST = [
  ["1 – 9", "an option of the card"],
  ["J, K", "next card, card before"],
  ["← →", "a command back, forward"],
  ["End, Esc", "now"],
  ["Ctrl Z, U", "take back"],
  ["Ctrl Shift Z, Shift U", "put back"],
  ["E", "end the turn"],
  ["H, −, +, =", "hit points of those who are picked"],
  ["C", "a condition for those who are picked"],
  ["V", "hide or reveal those who are picked"],
  ["C", "nobody picked: compare, hold this moment, then another"],
  ["L, M, O", "log, map, order"],
  ["/", "find in the log"],
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
  if (!on.peek() || present.peek() === null || event.altKey) return;
  if (at.closest("input, select, textarea, dialog")) return;
  if (event.ctrlKey || event.metaKey ? history(event) : at.closest("svg") === null && doing(event)) event.preventDefault();
}

/** @param {KeyboardEvent} event */
function history(event) {
  if (!ruling.peek() || event.key.toLowerCase() !== "z") return false;
  void (event.shiftKey ? putBack() : takeBack());
  return true;
}

/** Whether the key meant something. @param {KeyboardEvent} event */
function doing(event) {
  const gm = role.peek() === "gm";
  if (/^[1-9]$/.test(event.key)) return click(Number(event.key));
  if (event.key === "j" || event.key === "k") return card(event.key === "j" ? 1 : -1);
  if (event.key === "/") return focus("#find");
  if (event.key === "l") return focus(".log .told");
  if (event.key === "m") return focus(".map svg");
  if (event.key === "o") return focus(".order .name");
  if (event.key === "?") return focus(".keys", true);
  if (event.key === "Escape" || event.key === "End") return past.peek() !== null && (void lookAt(null), true);
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") return step(event.key === "ArrowLeft" ? 1 : -1);
  if (event.key === "e") return focus(".apart .option", true);
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

/** The sign that was typed begins the number. @param {string} sign */
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

/** @param {number} number */
function click(number) {
  const cards = [...document.querySelectorAll("article.card.ask")];
  const card = cards.find((one) => one.contains(document.activeElement)) ?? cards[0];
  const option = card?.querySelectorAll(".option, .die button")[number - 1];
  /** @type {HTMLElement | undefined} */ (option)?.click();
  /** @type {HTMLElement | undefined} */ (option)?.focus();
  return option !== undefined;
}

/** @param {number} by */
function card(by) {
  const cards = [...document.querySelectorAll("article.card.ask")];
  const here = cards.findIndex((one) => one.contains(document.activeElement));
  const next = cards[Math.max(0, Math.min(cards.length - 1, here + by))];
  /** @type {HTMLElement | null | undefined} */ (next?.querySelector("button, input"))?.focus();
  return next !== undefined;
}

/** @param {string} selector @param {boolean} [press] */
function focus(selector, press = false) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  found?.focus();
  if (press) found?.click();
  return found !== null;
}

/** The moment a command before or after the one that is shown. @param {number} by */
function step(by) {
  if (eyes.peek() !== null) return false;
  const all = moments(entries.peek()).reverse();
  const at = past.peek()?.version ?? present.peek()?.version ?? 0;
  const here = all.findIndex((one) => one.last <= at);
  const next = all[here + by];
  if (next === undefined && here + by >= 0) return false;
  void lookAt(next === undefined || here + by <= 0 ? null : next.last);
  return true;
}
