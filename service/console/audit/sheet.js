// A combatant's sheet: first the numbers for a fight, then all other fields. It works for any
// rulebook.
import { html } from "../view.js";
import { called, plain, words } from "../board.js";
import { ruleset } from "../state.js";

/** @import { Combatant } from "../shapes.d.ts" */

/** Fields that the page already shows at the head of the sheet or on the map. */
const OWN = ["name", "side", "owner", "at", "conditions", "picture"];

/** Return true for a value that the sheet leaves out. @param {unknown} value @returns {boolean} */
function empty(value) {
  if (value === null || value === undefined || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(empty);
}

/** Fields that the sheet leaves out: ids for other parts of the page, and whether an item is in hand. */
const INNER = ["id", "drawn", "kind"];

/** Return the label of a field. A pool or a part of the turn has the rulebook's label. @param {string} name */
function label(name) {
  const short = name.replace(/_cost$/, "");
  const known = ["track", "budget"].map((list) => [name, short].map((id) => [id, called(list, id, ruleset.value)]).find(([id, text]) => text !== words(id ?? "")));
  const text = known.find((match) => match !== undefined)?.[1];
  if (text !== undefined) return name === short ? text : `${text} cost`;
  return words(name.replace(/_now$/, ""));
}

/** @param {string} name */
const small = (name) => label(name).replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** @param {{ combatant: Combatant }} props */
export function Stats({ combatant }) {
  const numbers = Object.entries(combatant.derived).filter(([, value]) => (typeof value === "number" && value !== 0) || (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "number")));
  const told = new Set(numbers.map(([name]) => label(name)));
  const sheet = Object.entries(combatant.sheet ?? {}).filter(([name, value]) => !OWN.includes(name) && !empty(value) && !told.has(label(name)));
  const lists = sheet.filter(([, value]) => typeof value === "object");
  const rest = sheet.filter(([, value]) => typeof value !== "object");
  if (numbers.length === 0 && sheet.length === 0) return null;
  return html`
    <section class="stats" aria-label=${`Sheet of ${combatant.name}`}>
      <dl class="numbers">${[...numbers, ...rest].map(([name, value]) => html`<div key=${name}><dt>${label(name)}</dt><dd>${Array.isArray(value) ? value.map((part) => signed(/** @type {number} */ (part))).join(" / ") : plain(value)}</dd></div>`)}</dl>
      ${lists.map(([name, value]) => html`<h4 key=${name}>${label(name)}</h4><${Part} key=${`${name} is`} value=${value} />`)}
    </section>
  `;
}

/** @param {number} value */
const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/** A part of the sheet: named items as lines, all other values as pairs. @param {{ value: unknown }} props */
function Part({ value }) {
  if (Array.isArray(value)) return html`<ul>${value.map((part, index) => html`<li key=${index}>${line(part)}</li>`)}</ul>`;
  const pairs = Object.entries(/** @type {object} */ (value)).filter(([, part]) => !empty(part));
  return html`<p>${pairs.map(([name, part]) => `${label(name)} ${text(part)}`).join(" · ")}</p>`;
}

/** Return an item as a line: "Sword: damage 1d8 · hands 1". @param {unknown} value */
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

/** Return a counted part as text: "2 × attack action", without a count of one. @param {[string, unknown]} pair */
function counted([name, part]) {
  if (name === "amount") return text(part);
  const budget = ruleset.value?.budget.find((resource) => resource.id === name)?.label.toLowerCase();
  if (budget === undefined || typeof part !== "number") return part === true ? small(name) : `${small(name)} ${text(part)}`;
  return part === 1 ? budget : `${part} × ${budget}`;
}
