// Tokens: shape and hue show the side, a bar shows hit points, and marks show conditions.
import { html } from "../view.js";
import { called, pools } from "../board.js";
import { pictured } from "../pictures.js";
import { picked, ruleset, wanted } from "../state.js";
import { moving } from "./moving.js";
import { measure } from "./tools.js";

/** @import { Combatant } from "../shapes.d.ts" */
/** @import { Body } from "./shapes.js" */

const SHAPES = ["circle", "square", "diamond", "hexagon", "circle", "square"];
/** Width of the side's ring around a picture, in squares. */
const EDGE = 0.17;
/** Maximum number of marks on a token. */
const MARKS = 3;

/**
 * A token at the size of its combatant. `small`: the minimum text size. It is drawn again only
 * when one of these changes.
 * @param {Body & { combatant: Combatant | undefined, on: boolean, moves: boolean, small: number }} props
 */
export function Figure({ id, name, x, y, size, side, acts, awaited, out, hidden, combatant, on, moves, small }) {
  const classes = ["figure", `side-${side}`, acts && "acts", awaited && "asked", out && "out", hidden && "hidden", on && "on", moves && "movable"].filter(Boolean).join(" ");
  const middle = size / 2;
  const picture = pictured(combatant?.picture);
  const letters = Math.max(size > 1 ? 0.5 : 0.36, Math.min(0.5, small));
  const mark = Math.max(0.15, 0.6 * small);
  const marks = Math.max(1, Math.min(MARKS, Math.floor(size / (2 * mark))));
  const part = combatant === undefined || out ? null : health(combatant);
  const pick = () => {
    if (wanted.peek() !== null || measure.peek() !== null || (moving.peek() !== null && moving.peek()?.who !== id)) return;
    picked.value = on ? [] : [id];
  };
  return html`
    <g class=${classes} data-token=${id} transform=${`translate(${x} ${y})`} onClick=${pick}>
      <title>${combatant === undefined ? name : described(combatant)}</title>
      ${(acts || awaited) && html`<circle class="ring" cx=${middle} cy=${middle} r=${middle + 0.02} />`}
      <${Shape} side=${side} size=${size} />
      ${picture ? html`<image class="face" x=${EDGE} y=${EDGE} width=${size - 2 * EDGE} height=${size - 2 * EDGE} preserveAspectRatio="xMidYMid slice" href=${picture.url} />` : html`<text x=${middle} y=${middle + 0.35 * letters} font-size=${letters} text-anchor="middle">${initials(name)}</text>`}
      ${out && html`<path class="cross" d=${corners(size)} />`}
      ${part !== null &&
      html`<rect class="hpback" x="0.1" y=${size - 0.13} width=${size - 0.2} height="0.13" rx="0.06" />
        <rect class=${`hp ${part > 0.5 ? "well" : part > 0.25 ? "hurt" : "low"}`} x="0.1" y=${size - 0.13} width=${Math.max(0, (size - 0.2) * part)} height="0.13" rx="0.06" />`}
      ${!out && (combatant?.conditions ?? []).slice(0, marks).map((held, index) => html`<g class="mark" key=${held.key + held.id} transform=${`translate(${size - mark - index * 2 * mark} 0.12)`}><circle r=${mark} /><text y=${small * 0.35} font-size=${small} text-anchor="middle">${called("condition", held.id, ruleset.value).charAt(0)}</text></g>`)}
    </g>
  `;
}

/** Return a cross over a token that leaves its middle free for the letters. @param {number} size */
function corners(size) {
  const [from, to] = [0.1, 0.1 + 0.18 * size];
  const ways = [[from, from, to, to], [size - from, from, size - to, to], [from, size - from, to, size - to], [size - from, size - from, size - to, size - to]];
  return ways.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");
}

/** @param {{ side: number, size: number }} props */
export function Shape({ side, size }) {
  const middle = size / 2;
  const r = middle - 0.1;
  const shape = SHAPES[side] ?? "circle";
  if (shape === "circle") return html`<circle class="shape" cx=${middle} cy=${middle} r=${r} />`;
  if (shape === "square") return html`<rect class="shape" x="0.12" y="0.12" width=${size - 0.24} height=${size - 0.24} rx="0.12" />`;
  const points =
    shape === "diamond"
      ? `${middle},${middle - r} ${middle + r},${middle} ${middle},${middle + r} ${middle - r},${middle}`
      : [0, 1, 2, 3, 4, 5].map((n) => `${middle + r * Math.cos((n * Math.PI) / 3)},${middle + r * Math.sin((n * Math.PI) / 3)}`).join(" ");
  return html`<polygon class="shape" points=${points} />`;
}

/** Return the fraction of health that is left, from points or from the words for the appearance. @param {Combatant} combatant @returns {number | null} */
export function health(combatant) {
  const pool = pools(combatant, ruleset.value).find((other) => other.health);
  if (pool !== undefined) return pool.maximum ? Math.max(0, Math.min(1, pool.value / pool.maximum)) : null;
  const standing = ruleset.value?.standing ?? 0;
  const word = (ruleset.value?.wounds ?? []).slice(0, standing).indexOf(combatant.wound);
  return word < 0 || standing === 0 ? null : (standing - word) / standing;
}

/** @param {Combatant} combatant */
function described(combatant) {
  const held = combatant.conditions.map((condition) => called("condition", condition.id, ruleset.value));
  return [combatant.name, combatant.wound, ...held].filter(Boolean).join(", ");
}

/** Return the initials of a name: "Goblin 2" -> "G2". @param {string} name */
export function initials(name) {
  const number = name.match(/\d+$/)?.[0] ?? "";
  return [...name].slice(0, number ? 1 : 2).join("") + number;
}
