// A combatant on paper: the numbers that a fight asks for, then all that its sheet says. For any rulebook.
import { html } from "../view.js";
import { called, plain, words } from "../board.js";
import { ruleset } from "../state.js";

/** @import { Combatant } from "../shapes.d.ts" */

/** Fields that the head of a sheet or the map shows already. */
const OWN = ["name", "side", "owner", "at", "conditions", "picture"];

/** Said by nothing more than its absence. @param {unknown} value @returns {boolean} */
function empty(value) {
  if (value === null || value === undefined || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(empty);
}

/** Fields that the sheet leaves out: names for other parts of the page, and the state of a thing in hand. */
const INNER = ["id", "drawn", "kind"];

/** Return the words for a field: the rulebook's own for a pool or a part of the turn. @param {string} name */
function label(name) {
  const short = name.replace(/_cost$/, "");
  const known = ["track", "budget"].map((list) => [name, short].map((id) => [id, called(list, id, ruleset.value)]).find(([id, text]) => text !== words(id ?? "")));
  const text = known.find((one) => one !== undefined)?.[1];
  if (text !== undefined) return name === short ? text : `${text} cost`;
  return words(name.replace(/_now$/, ""));
}

/** @param {string} name */
const small = (name) => label(name).replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** @param {{ one: Combatant }} props */
export function Stats({ one }) {
  const numbers = Object.entries(one.derived).filter(([, value]) => (typeof value === "number" && value !== 0) || (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "number")));
  const told = new Set(numbers.map(([name]) => label(name)));
  const sheet = Object.entries(one.sheet ?? {}).filter(([name, value]) => !OWN.includes(name) && !empty(value) && !told.has(label(name)));
  const lists = sheet.filter(([, value]) => typeof value === "object");
  const rest = sheet.filter(([, value]) => typeof value !== "object");
  if (numbers.length === 0 && sheet.length === 0) return null;
  return html`
    <section class="stats" aria-label=${`Sheet of ${one.name}`}>
      <dl class="numbers">${[...numbers, ...rest].map(([name, value]) => html`<div key=${name}><dt>${label(name)}</dt><dd>${Array.isArray(value) ? value.map((part) => signed(/** @type {number} */ (part))).join(" / ") : plain(value)}</dd></div>`)}</dl>
      ${lists.map(([name, value]) => html`<h4 key=${name}>${label(name)}</h4><${Part} key=${`${name} is`} value=${value} />`)}
    </section>
  `;
}

/** @param {number} value */
const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/** Things with names as lines, the rest as pairs. @param {{ value: unknown }} props */
function Part({ value }) {
  if (Array.isArray(value)) return html`<ul>${value.map((part, index) => html`<li key=${index}>${line(part)}</li>`)}</ul>`;
  const pairs = Object.entries(/** @type {object} */ (value)).filter(([, part]) => !empty(part));
  return html`<p>${pairs.map(([name, part]) => `${label(name)} ${text(part)}`).join(" · ")}</p>`;
}

/** "Sword: damage 1d8 · hands 1". @param {unknown} value */
function line(value) {
  if (value === null || typeof value !== "object") return plain(value);
  const { id, name, ...others } = /** @type {Record<string, unknown>} */ (value);
  const parts = Object.entries(others).filter(([what, part]) => !empty(part) && !INNER.includes(what));
  const said = parts.map(([what, part]) => (part === true ? small(what) : `${small(what)} ${text(part)}`));
  const head = String(name ?? (typeof id === "string" ? words(id) : ""));
  return html`${head && html`<b>${head}</b> `}${said.join(" · ")}`;
}

/** @param {unknown} value @returns {string} */
function text(value) {
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).filter(([name, part]) => !empty(part) && !INNER.includes(name)).map(counted).join(", ");
  return plain(value);
}

/** "2 attack actions" are told as "2 × attack action", a single one without its number, and an amount without its word. @param {[string, unknown]} pair */
function counted([name, part]) {
  if (name === "amount") return text(part);
  const budget = ruleset.value?.budget.find((one) => one.id === name)?.label.toLowerCase();
  if (budget === undefined || typeof part !== "number") return part === true ? small(name) : `${small(name)} ${text(part)}`;
  return part === 1 ? budget : `${part} × ${budget}`;
}
