// A line or template on the map, and the combatants that it covers.
import { html, signal } from "../view.js";
import { ask } from "../commands.js";
import { present } from "../state.js";
import { covered, steps } from "./areas.js";
import { covers } from "./shapes.js";
import { measure } from "./tools.js";
import { length, place } from "./wanted.js";

/** @import { Square } from "../shapes.d.ts" */
/** @import { Body } from "./shapes.js" */

/** Distances between two combatants in the rulebook's words, by ids and version. */
const known = signal(/** @type {Record<string, string>} */ ({}));

/** @param {{ bodies: readonly Body[], small: number }} props */
export function Measured({ bodies, small }) {
  const now = measure.value;
  if (now?.at == null || now.to === null) return null;
  const { template, at, to } = now;
  if (template === null) {
    return html`<g class="ruler"><line x1=${half(at[0])} y1=${half(at[1])} x2=${half(to[0])} y2=${half(to[1])} /><text x=${half(to[0])} y=${half(to[1]) - 0.6} font-size=${small} text-anchor="middle">${steps(at, to)}</text></g>`;
  }
  const inside = covered(template, at, to);
  const struck = within(bodies, inside);
  return html`
    <g class="template">
      ${inside.map((square) => html`<rect key=${square.join()} x=${square[0]} y=${square[1]} width="1" height="1" />`)}
      ${struck.map((body) => html`<circle class="covered" key=${body.id} cx=${body.x + body.size / 2} cy=${body.y + body.size / 2} r=${body.size / 2} />`)}
    </g>
  `;
}

/** @param {number | undefined} part */
const half = (part) => (part ?? 0) + 0.5;

/** @param {readonly Body[]} bodies @param {readonly Square[]} squares */
const within = (bodies, squares) => bodies.filter((body) => squares.some((at) => covers({ x: body.x, y: body.y, width: body.size, height: body.size }, at)));

/** Return the measured distance or area as text. @param {readonly Body[]} bodies */
export function sayMeasured(bodies) {
  const now = measure.value;
  if (now?.at == null || now.to === null) return "";
  if (now.template !== null) {
    const names = within(bodies, covered(now.template, now.at, now.to)).map((body) => body.name);
    return names.length > 0 ? `Inside: ${names.join(", ")}.` : "Nobody is inside.";
  }
  const squares = steps(now.at, now.to);
  const [from] = within(bodies, [now.at]);
  const [to] = within(bodies, [now.to]);
  const between = from && to && from !== to ? `, ${from.name} to ${to.name}${ruled(from.id, to.id)}` : "";
  return `${squares} ${squares === 1 ? "square" : "squares"} from ${place(now.at)} to ${place(now.to)}${between}.`;
}

/** Ask the service for the distance as the rulebook measures it. @param {string} from @param {string} to */
function ruled(from, to) {
  const key = `${present.value?.version} ${from} ${to}`;
  if (known.value[key] === undefined) {
    queueMicrotask(() => {
      if (known.peek()[key] !== undefined) return;
      known.value = { [key]: "" };
      const path = `/sight?combatant=${encodeURIComponent(from)}&target=${encodeURIComponent(to)}`;
      void ask(path).then(({ distance, unit }) => (known.value = { [key]: distance === null ? "" : `: ${length(distance)} ${unit}` }), () => {});
    });
  }
  return known.value[key] ?? "";
}
