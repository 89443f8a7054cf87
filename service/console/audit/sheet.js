// A combatant on paper: the numbers that a fight asks for, then all that its sheet says. For any rulebook.
import { html } from "../view.js";
import { plain, words } from "../board.js";

/** @import { Combatant } from "../shapes.d.ts" */

/** Fields that the head of a sheet or the map shows already. */
const OWN = ["name", "side", "owner", "at", "conditions", "picture"];

/** Said by nothing more than its absence. @param {unknown} value @returns {boolean} */
function empty(value) {
  if (value === null || value === undefined || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(empty);
}

/** @param {{ one: Combatant }} props */
export function Stats({ one }) {
  const numbers = Object.entries(one.derived).filter(([, value]) => (typeof value === "number" && value !== 0) || (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "number")));
  const sheet = Object.entries(one.sheet ?? {}).filter(([name, value]) => !OWN.includes(name) && !empty(value));
  const lists = sheet.filter(([, value]) => typeof value === "object");
  const rest = sheet.filter(([, value]) => typeof value !== "object");
  if (numbers.length === 0 && sheet.length === 0) return null;
  return html`
    <section class="stats" aria-label=${`Sheet of ${one.name}`}>
      <dl class="numbers">${[...numbers, ...rest].map(([name, value]) => html`<div key=${name}><dt>${words(name)}</dt><dd>${Array.isArray(value) ? value.map((part) => signed(/** @type {number} */ (part))).join(" / ") : plain(value)}</dd></div>`)}</dl>
      ${lists.map(([name, value]) => html`<h4 key=${name}>${words(name)}</h4><${Part} key=${`${name} is`} value=${value} />`)}
    </section>
  `;
}

/** @param {number} value */
const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/** Things with names as lines, the rest as pairs. @param {{ value: unknown }} props */
function Part({ value }) {
  if (Array.isArray(value)) return html`<ul>${value.map((part, index) => html`<li key=${index}>${line(part)}</li>`)}</ul>`;
  const pairs = Object.entries(/** @type {object} */ (value)).filter(([, part]) => !empty(part));
  return html`<p>${pairs.map(([name, part]) => `${words(name)} ${text(part)}`).join(" · ")}</p>`;
}

/** "Sword: damage 1d8 · hands 1". @param {unknown} value */
function line(value) {
  if (value === null || typeof value !== "object") return plain(value);
  const { id, name, ...others } = /** @type {Record<string, unknown>} */ (value);
  const said = Object.entries(others).filter(([, part]) => !empty(part)).map(([what, part]) => (part === true ? words(what).toLowerCase() : `${words(what).toLowerCase()} ${text(part)}`));
  const head = String(name ?? (typeof id === "string" ? words(id) : ""));
  return html`${head && html`<b>${head}</b> `}${said.join(" · ")}`;
}

/** @param {unknown} value @returns {string} */
function text(value) {
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).filter(([, part]) => !empty(part)).map(([name, part]) => `${words(name).toLowerCase()} ${text(part)}`).join(", ");
  return plain(value);
}
