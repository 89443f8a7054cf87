// Everybody on the map, and their names above all of them. It is drawn again when somebody changes, not when the map does.
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
  const standingBelow = (/** @type {Body} */ one) => all.some((other) => !other.out && other !== one && other.y === one.y + one.size && other.x < one.x + one.size && one.x < other.x + other.size);
  const captions = all.filter((one) => !standingBelow(one) || picked.value.includes(one.id));
  const second = lowered(captions, small);
  return html`
    ${[...all].sort((a, b) => Number(b.out) - Number(a.out)).map((one) => html`<${Figure} key=${one.id} ...${one} one=${known.get(one.id)} on=${picked.value.includes(one.id)} moves=${movable(one.id)} small=${small} />`)}
    ${captions.map((one) => html`<text key=${`called ${one.id}`} class=${one.out ? "caption out" : "caption"} x=${one.x + one.size / 2} y=${one.y + one.size + (second.has(one) ? 1.8 : 0.8) * small} font-size=${small} text-anchor="middle">${one.name}</text>`)}
  `;
}

/** The width of a letter as a share of its height. */
const LETTER = 0.55;

/** Those whose name stands one line lower, because that of a neighbour to the left needs the room. @param {readonly Body[]} all @param {number} small */
function lowered(all, small) {
  const middle = (/** @type {Body} */ body) => body.x + body.size / 2;
  const near = (/** @type {Body} */ left, /** @type {Body} */ right) => left.y + left.size === right.y + right.size && middle(right) - middle(left) < ((left.name.length + right.name.length) / 2 + 0.5) * LETTER * small;
  /** @type {Set<Body>} */
  const second = new Set();
  /** @type {Body[]} */
  const done = [];
  for (const body of [...all].sort((a, b) => middle(a) - middle(b))) {
    if (done.some((left) => !second.has(left) && near(left, body))) second.add(body);
    done.push(body);
  }
  return second;
}
