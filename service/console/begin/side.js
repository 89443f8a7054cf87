// The side of a combatant: an existing one or a new one.
import { html, useState } from "../view.js";
import { listed } from "../listed.js";

/** @import { Inputs } from "../shapes.d.ts" */

const ANOTHER = "\0";
/** Maximum number of wrong letters in a mistyped side. */
const SLIPS = 2;

/** @param {{ name: string, value: string, sides: readonly string[], set: (side: string) => void }} props */
export function Side({ name, value, sides, set }) {
  const [typing, setTyping] = useState(value === "");
  const label = `Side of ${name}`;
  const all = sides.includes(value) ? sides : [...sides, value];
  if (typing) {
    return html`<input type="text" class="side" aria-label=${label} placeholder="name of the side" required ref=${(/** @type {HTMLInputElement | null} */ input) => value === "" && input?.focus()} value=${value} onInput=${(/** @type {any} */ event) => set(event.target.value)} onBlur=${() => value.trim() !== "" && (set(value.trim()), setTyping(false))} />`;
  }
  const choose = (/** @type {string} */ side) => {
    if (side !== ANOTHER) return set(side);
    setTyping(true);
    set("");
  };
  return html`
    <select class="side" aria-label=${label} value=${value} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      ${all.map((side) => html`<option key=${side} value=${side}>${side}</option>`)}
      <option value=${ANOTHER}>another side…</option>
    </select>
  `;
}

/** The sides of a set-up, with a warning about a side that may be mistyped. @param {{ sheets: readonly Inputs[], unite: (from: string, to: string) => void }} props */
export function Sides({ sheets, unite }) {
  const sides = bySide(sheets);
  if (sides.size === 0) return null;
  const slip = slipIn([...sides.keys()], sides);
  const told = slip !== null ? `“${slip.from}” and “${slip.to}” are two sides: they fight against each other.` : sides.size === 1 ? "All are on one side: they have no foe." : sides.size > 2 ? `${sides.size} sides: each fights against all others.` : "";
  return html`
    <div class="sides" role="group" aria-label="Sides">
      ${[...sides].map(([side, names]) => html`<p key=${side}><b><bdi>${side}</bdi></b>: ${listed(counted(names))}</p>`)}
      ${told && html`<p class="caution" role="status">${told} ${slip !== null && html`<button type="button" onClick=${() => unite(slip.from, slip.to)}>Put all on ${slip.to}</button>`}</p>`}
    </div>
  `;
}

/** @param {readonly Inputs[]} sheets @returns {Map<string, string[]>} */
function bySide(sheets) {
  const names = new Map();
  for (const { name, side } of sheets) names.set(String(side ?? ""), [...(names.get(String(side ?? "")) ?? []), String(name ?? "")]);
  return names;
}

/** Return the names, each once with its number. @param {readonly string[]} names */
const counted = (names) => [...new Set(names)].map((name) => [name, names.filter((other) => other === name).length]).map(([name, count]) => (Number(count) > 1 ? `${count} × ${name}` : String(name)));

/** Return two sides whose names differ by a typing error, the smaller side first, or null. @param {readonly string[]} names @param {ReadonlyMap<string, readonly string[]>} sides */
function slipIn(names, sides) {
  for (const [index, text] of names.entries()) {
    const other = names.slice(index + 1).find((name) => close(text, name));
    if (other === undefined) continue;
    const [from, to] = (sides.get(text)?.length ?? 0) < (sides.get(other)?.length ?? 0) ? [text, other] : [other, text];
    return { from, to };
  }
  return null;
}

/** Return true if two names differ only in case, spaces or a few letters. @param {string} text @param {string} other */
function close(text, other) {
  const [a, b] = [text, other].map((name) => name.trim().toLowerCase());
  if (a === undefined || b === undefined) return false;
  return a === b || (Math.min(a.length, b.length) > 2 * SLIPS && distance(a, b) <= SLIPS);
}

/** Return the number of wrong, missing and extra letters. @param {string} text @param {string} other */
function distance(text, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...text].entries()) {
    const next = [index + 1];
    for (const [at, against] of [...other].entries()) next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (letter === against ? 0 : 1)));
    row = next;
  }
  return row[other.length] ?? 0;
}
