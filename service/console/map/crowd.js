// All tokens, with their names above them. They are drawn again when a combatant changes, not when
// the map moves.
import { html } from "../view.js";
import { picked, shown } from "../state.js";
import { movable } from "./moving.js";
import { bodies } from "./shapes.js";
import { Figure } from "./tokens.js";

/** @import { Body } from "./shapes.js" */

/** @param {{ small: number }} props `small`: the minimum text size */
export function Crowd({ small }) {
  const board = shown.value;
  if (board === null) return null;
  const all = bodies(board);
  const known = new Map(board.combatants.map((combatant) => [combatant.id, combatant]));
  const captions = lines(all, small, picked.value);
  return html`
    ${[...all].sort((a, b) => Number(b.out) - Number(a.out)).map((body) => html`<${Figure} key=${body.id} ...${body} combatant=${known.get(body.id)} on=${picked.value.includes(body.id)} moves=${movable(body.id)} small=${small} />`)}
    ${[...captions].map(([body, line]) => html`<text key=${`called ${body.id}`} class=${body.out ? "caption out" : "caption"} x=${body.x + body.size / 2} y=${line} font-size=${small} text-anchor="middle">${body.name}</text>`)}
  `;
}

/** Width of a letter, as a fraction of its height. */
const LETTER = 0.55;
/** Margin of a token inside its squares, at each edge. */
const EDGE = 0.1;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** @param {Box} box @param {Box} other */
const meet = (box, other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;

/**
 * Return the base line of each name: below its token, one line lower, or above it. The name must
 * not cover another token or name. If no place is free, only a picked token shows its name.
 * @param {readonly Body[]} all @param {number} small @param {readonly string[]} always @returns {Map<Body, number>}
 */
function lines(all, small, always) {
  const tokens = all.filter((body) => !body.out).map((body) => ({ body, left: body.x + EDGE, right: body.x + body.size - EDGE, top: body.y + EDGE, bottom: body.y + body.size - EDGE }));
  /** @type {Map<Body, number>} */
  const places = new Map();
  /** @type {Box[]} */
  const taken = [];
  for (const body of [...all].sort((a, b) => Number(a.out) - Number(b.out) || a.x - b.x)) {
    const half = (body.name.length * LETTER * small) / 2;
    const box = (/** @type {number} */ line) => ({ left: body.x + body.size / 2 - half, right: body.x + body.size / 2 + half, top: line - 0.75 * small, bottom: line + 0.2 * small });
    const below = body.y + body.size + 0.8 * small;
    const free = [below, below + small, body.y - 0.25 * small].find((line) => !tokens.some((other) => other.body !== body && meet(box(line), other)) && !taken.some((other) => meet(box(line), other)));
    const line = free ?? (always.includes(body.id) ? below : undefined);
    if (line === undefined) continue;
    places.set(body, line);
    taken.push(box(line));
  }
  return places;
}
