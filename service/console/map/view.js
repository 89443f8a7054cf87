// The map: one unit a square. Click a square for a form that wants one; nothing is legal or illegal here.
import { html, useRef, useState } from "../view.js";
import { words } from "../board.js";
import { picked, ruleset, shown, sketch, wanted } from "../state.js";
import { framed, useHands, WHOLE, zoomed } from "./camera.js";
import { bodies, covers, edges, frame, ground, zones } from "./shapes.js";
import { place, sameSquare } from "./wanted.js";

/** @import { Body, Ground, Zone } from "./shapes.js" */
/** @import { Square } from "../shapes.d.ts" */

/** Edges that are further apart are not waited for: the map shows where somebody stands. */
const FAR = 60;

export function MapView() {
  const board = shown.value;
  const [camera, setCamera] = useState(WHOLE);
  const [every, setEvery] = useState(false);
  const [cursor, setCursor] = useState(/** @type {Square | null} */ (null));
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const ask = wanted.value;
  const dragged = useHands(svg, setCamera);
  if (board === null) return null;
  const all = bodies(board);
  const map = sketch.value ?? /** @type {Record<string, any>} */ (board.map ?? board.options.map ?? {});
  const floor = ground(map);
  const edge = edges(map);
  const whole = frame(all, edge && edge.width <= FAR && edge.height <= FAR ? [...floor, edge] : floor, cursor ? [cursor] : []);
  const view = framed(whole, camera);
  const reaching = zones(board, ruleset.value);
  const walker = ask?.path ? all.find((one) => one.id === ask.who) : undefined;
  const drawn = reaching.filter((one) => every || picked.value.includes(one.who) || (walker !== undefined && one.side !== walker.side));
  const told = (/** @type {Square} */ at) => `${place(at)}: ${standing(at, all, floor, drawn)}${ask?.goals.some((one) => sameSquare(one, at)) ? ", can be reached" : ""}`;

  /** @param {MouseEvent} event */
  function click(event) {
    if (ask === null || svg.current === null || dragged.current) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current.getScreenCTM()?.inverse());
    ask.choose([Math.floor(point.x), Math.floor(point.y), ask.from?.[2] ?? 0]);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const [dx, dy] = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[event.key] ?? [0, 0];
    const at = cursor ?? ask?.squares.at(-1) ?? ask?.from ?? [all[0]?.x ?? 0, all[0]?.y ?? 0];
    if (dx || dy) setCursor([(at[0] ?? 0) + (dx ?? 0), (at[1] ?? 0) + (dy ?? 0), at[2] ?? 0]);
    else if (event.key === "Enter" && ask !== null && cursor !== null) ask.choose(cursor);
    else if (event.key === "Backspace" && ask !== null) ask.back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const route = ask === null ? [] : [...(ask.path && ask.from ? [ask.from] : []), ...ask.squares];
  return html`
    <section class=${ask === null ? "map" : "map wanting"} aria-label="Map">
      <h2 class=${ask === null ? "unseen" : "mapask"}>Map ${ask !== null && html`<small>${ask.path ? "click where to go; click again to go on" : "click a square"}</small>`}</h2>
      <div class="zoom" role="group" aria-label="Zoom">
        ${reaching.length > 0 && html`<button type="button" aria-pressed=${every} onClick=${() => setEvery(!every)}>Zones</button>`}
        <button type="button" aria-label="Closer" onClick=${() => setCamera(zoomed(camera, 1.4))}>+</button>
        <button type="button" aria-label="Further" onClick=${() => setCamera(zoomed(camera, 1 / 1.4))}>−</button>
        <button type="button" onClick=${() => setCamera(WHOLE)}>Fit</button>
      </div>
      <svg
        ref=${svg}
        viewBox=${`${view.left} ${view.top} ${view.width} ${view.height}`}
        role="application"
        aria-label="Map; arrows move a cursor"
        tabindex="0"
        onClick=${click}
        onKeyDown=${key}
      >
        <defs>
          <pattern id="hatch" width="0.25" height="0.25" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V0.25" class="hatchline" /></pattern>
          <pattern id="grid" width="1" height="1" patternUnits="userSpaceOnUse"><path d="M1 0H0V1" class="gridline" /></pattern>
        </defs>
        <rect ...${wide(view)} class="floor" />
        <rect ...${wide(view)} fill="url(#grid)" />
        ${floor.map((one, index) => html`<rect key=${index} class=${`ground ${one.kind}`} x=${one.x} y=${one.y} width=${one.width} height=${one.height}><title>${words(one.kind)}</title></rect>`)}
        ${edge !== null && html`<rect class="edge" x=${edge.x} y=${edge.y} width=${edge.width} height=${edge.height} />`}
        ${drawn.map((one, index) => html`<g key=${`zone ${index}`} class=${`zone side-${one.side}`}><title>zone of ${one.name}</title><rect x=${one.x + 0.04} y=${one.y + 0.04} width=${one.width - 0.08} height=${one.height - 0.08} rx="0.2" /></g>`)}
        ${ask?.goals.map((one) => html`<rect key=${one.join()} class="goal" x=${one[0]} y=${one[1]} width="1" height="1" />`)}
        ${ask?.path && route.length > 1 && html`<polyline class="route" points=${route.map((one) => `${(one[0] ?? 0) + 0.5},${(one[1] ?? 0) + 0.5}`).join(" ")} />`}
        ${ask?.squares.map((one, index) => html`<circle key=${index} class="step" cx=${(one[0] ?? 0) + 0.5} cy=${(one[1] ?? 0) + 0.5} r="0.16" />`)}
        ${all.map((one) => html`<${Figure} key=${one.id} body=${one} />`)}
        ${all.map((one) => html`<text key=${`called ${one.id}`} class=${one.out ? "caption out" : "caption"} x=${one.x + one.size / 2} y=${one.y + one.size + 0.22} font-size="0.28" text-anchor="middle">${one.name}</text>`)}
        ${cursor !== null && html`<rect class="cursor" x=${cursor[0]} y=${cursor[1]} width="1" height="1" />`}
      </svg>
      <p class="unseen" aria-live="polite">${cursor === null ? "" : told(cursor)}</p>
    </section>
  `;
}

/** The plane goes on beside what is shown: the picture is seldom as wide as its frame. @param {import("./camera.js").Frame} view */
const wide = ({ left, top, width, height }) => ({ x: left - width, y: top - height, width: 3 * width, height: 3 * height });

const SHAPES = ["circle", "square", "diamond", "hexagon", "circle", "square"];

/** Somebody, as large as they are; shape and hue are the side's. @param {{ body: Body }} props */
function Figure({ body }) {
  const { x, y, size, side } = body;
  const on = picked.value.includes(body.id);
  const classes = ["figure", `side-${side}`, body.acts && "acts", body.out && "out", body.hidden && "hidden", on && "on"].filter(Boolean).join(" ");
  const middle = size / 2;
  const r = middle - 0.1;
  const points = {
    diamond: `${middle},${middle - r} ${middle + r},${middle} ${middle},${middle + r} ${middle - r},${middle}`,
    hexagon: [0, 1, 2, 3, 4, 5].map((n) => `${middle + r * Math.cos((n * Math.PI) / 3)},${middle + r * Math.sin((n * Math.PI) / 3)}`).join(" "),
  };
  const shape = SHAPES[side] ?? "circle";
  const pick = (/** @type {Event} */ event) => {
    if (wanted.peek() !== null) return;
    event.stopPropagation();
    picked.value = on ? [] : [body.id];
  };
  return html`
    <g class=${classes} transform=${`translate(${x} ${y})`} onClick=${pick}>
      <title>${body.name}</title>
      ${shape === "circle" && html`<circle cx=${middle} cy=${middle} r=${r} />`}
      ${shape === "square" && html`<rect x="0.12" y="0.12" width=${size - 0.24} height=${size - 0.24} rx="0.12" />`}
      ${(shape === "diamond" || shape === "hexagon") && html`<polygon points=${points[shape]} />`}
      <text x=${middle} y=${middle + 0.13} font-size=${size > 1 ? 0.5 : 0.36} text-anchor="middle">${initials(body.name)}</text>
    </g>
  `;
}

/** "Goblin 2" -> "G2". @param {string} name */
function initials(name) {
  const number = name.match(/\d+$/)?.[0] ?? "";
  return [...name].slice(0, number ? 1 : 2).join("") + number;
}

/** What is at a square, in words. @param {Square} at @param {Body[]} all @param {Ground[]} floor @param {Zone[]} reaching */
function standing(at, all, floor, reaching) {
  const there = all.filter((one) => covers({ x: one.x, y: one.y, width: one.size, height: one.size }, at)).map((one) => one.name);
  const kinds = floor.filter((one) => covers(one, at)).map((one) => words(one.kind).toLowerCase());
  const near = reaching.filter((one) => covers(one, at)).map((one) => `zone of ${one.name}`);
  return [...(there.length > 0 ? there : ["empty"]), ...new Set([...kinds, ...near])].join(", ");
}
