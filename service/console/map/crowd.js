// All tokens, with their names above them. They are drawn again when a combatant changes, not when
// the map moves.
import { html } from "../view.js";
import { picked, shown } from "../state.js";
import { movable } from "./moving.js";
import { bodies } from "./shapes.js";
import { Figure } from "./tokens.js";

/** @import { Body } from "./shapes.js" */

/** @param {{ small: number }} props the least size of text */
export function Crowd({ small }) {
  const board = shown.value;
  if (board === null) return null;
  const all = bodies(board);
  const known = new Map(board.combatants.map((one) => [one.id, one]));
  const captions = lines(all, small, picked.value);
  return html`
    ${[...all].sort((a, b) => Number(b.out) - Number(a.out)).map((one) => html`<${Figure} key=${one.id} ...${one} one=${known.get(one.id)} on=${picked.value.includes(one.id)} moves=${movable(one.id)} small=${small} />`)}
    ${[...captions].map(([one, line]) => html`<text key=${`called ${one.id}`} class=${one.out ? "caption out" : "caption"} x=${one.x + one.size / 2} y=${line} font-size=${small} text-anchor="middle">${one.name}</text>`)}
  `;
}

/** Width of a letter, as a fraction of its height. */
const LETTER = 0.55;
/** Margin of a token inside its squares, at each edge. */
const EDGE = 0.1;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** @param {Box} one @param {Box} other */
const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/**
 * Return the base line of each name: below its token, one line lower, or above it. The name must
 * not cover another token or name. If no place is free, only a picked token shows its name.
 * @param {readonly Body[]} all @param {number} small @param {readonly string[]} always @returns {Map<Body, number>}
 */
function lines(all, small, always) {
  const tokens = all.filter((one) => !one.out).map((one) => ({ one, left: one.x + EDGE, right: one.x + one.size - EDGE, top: one.y + EDGE, bottom: one.y + one.size - EDGE }));
  /** @type {Map<Body, number>} */
  const found = new Map();
  /** @type {Box[]} */
  const taken = [];
  for (const one of [...all].sort((a, b) => Number(a.out) - Number(b.out) || a.x - b.x)) {
    const half = (one.name.length * LETTER * small) / 2;
    const box = (/** @type {number} */ line) => ({ left: one.x + one.size / 2 - half, right: one.x + one.size / 2 + half, top: line - 0.75 * small, bottom: line + 0.2 * small });
    const below = one.y + one.size + 0.8 * small;
    const free = [below, below + small, one.y - 0.25 * small].find((line) => !tokens.some((other) => other.one !== one && meet(box(line), other)) && !taken.some((other) => meet(box(line), other)));
    const line = free ?? (always.includes(one.id) ? below : undefined);
    if (line === undefined) continue;
    found.set(one, line);
    taken.push(box(line));
  }
  return found;
}
