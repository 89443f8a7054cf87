// The map: one unit a square. Click a square for a form that wants one; nothing is legal or illegal here.
import { html, useEffect, useRef, useState } from "../view.js";
import { picked, shown, sketch, wanted } from "../store.js";
import { bodies, edges, frame, ground } from "./shapes.js";
import { place } from "./wanted.js";

/** @import { Body } from "./shapes.js" */
/** @import { Square } from "../shapes.d.ts" */

/** Edges that are further apart are not waited for: the map shows where somebody stands. */
const FAR = 60;

export function MapView() {
  const board = shown.value;
  const [zoom, setZoom] = useState(1);
  const [cursor, setCursor] = useState(/** @type {Square | null} */ (null));
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const ask = wanted.value;
  useWheel(svg, setZoom);
  if (board === null) return null;
  const all = bodies(board);
  if (all.length === 0 && sketch.value === null && ask === null) return null;
  const map = sketch.value ?? /** @type {Record<string, any>} */ (board.map ?? board.options.map ?? {});
  const floor = ground(map);
  const edge = edges(map);
  const whole = frame(all, edge && edge.width <= FAR && edge.height <= FAR ? [...floor, edge] : floor, cursor ? [cursor] : []);
  const view = zoomed(whole, zoom);

  /** @param {MouseEvent} event */
  function click(event) {
    if (ask === null || svg.current === null) return;
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
      <h2>Map ${ask !== null && html`<small>${ask.path ? "click where to go; click again to go on" : "click a square"}</small>`}</h2>
      <div class="zoom" role="group" aria-label="Zoom">
        <button type="button" aria-label="Closer" onClick=${() => setZoom(Math.min(4, zoom * 1.4))}>+</button>
        <button type="button" aria-label="Further" onClick=${() => setZoom(Math.max(0.4, zoom / 1.4))}>−</button>
        <button type="button" onClick=${() => setZoom(1)}>Fit</button>
      </div>
      <svg
        ref=${svg}
        viewBox=${`${view.left} ${view.top} ${view.width} ${view.height}`}
        role="application"
        aria-label=${cursor === null ? "Map; arrows move a cursor" : `${place(cursor)}, ${standing(all, cursor)}`}
        tabindex="0"
        onClick=${click}
        onKeyDown=${key}
      >
        <defs>
          <pattern id="grid" width="1" height="1" patternUnits="userSpaceOnUse"><path d="M1 0H0V1" class="gridline" /></pattern>
        </defs>
        <rect x=${view.left} y=${view.top} width=${view.width} height=${view.height} class="floor" />
        <rect x=${view.left} y=${view.top} width=${view.width} height=${view.height} fill="url(#grid)" />
        ${floor.map((one, index) => html`<rect key=${index} class=${`ground ${one.kind}`} x=${one.x} y=${one.y} width=${one.width} height=${one.height}><title>${one.kind}</title></rect>`)}
        ${edge !== null && html`<rect class="edge" x=${edge.x} y=${edge.y} width=${edge.width} height=${edge.height} />`}
        ${ask?.goals.map((one) => html`<rect key=${one.join()} class="goal" x=${one[0]} y=${one[1]} width="1" height="1" />`)}
        ${ask?.path && route.length > 1 && html`<polyline class="route" points=${route.map((one) => `${(one[0] ?? 0) + 0.5},${(one[1] ?? 0) + 0.5}`).join(" ")} />`}
        ${ask?.squares.map((one, index) => html`<circle key=${index} class="step" cx=${(one[0] ?? 0) + 0.5} cy=${(one[1] ?? 0) + 0.5} r="0.16" />`)}
        ${all.map((one) => html`<${Figure} key=${one.id} body=${one} />`)}
        ${cursor !== null && html`<rect class="cursor" x=${cursor[0]} y=${cursor[1]} width="1" height="1" />`}
      </svg>
      <p class="unseen" aria-live="polite">${cursor === null ? "" : `${place(cursor)}: ${standing(all, cursor)}`}</p>
    </section>
  `;
}

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
      <text class="caption" x=${middle} y=${size + 0.22} font-size="0.28" text-anchor="middle">${body.name}</text>
    </g>
  `;
}

/** "Goblin 2" -> "G2". @param {string} name */
function initials(name) {
  const number = name.match(/\d+$/)?.[0] ?? "";
  return [...name].slice(0, number ? 1 : 2).join("") + number;
}

/** @param {Body[]} all @param {Square} at */
function standing(all, at) {
  const there = all.filter((one) => (at[0] ?? 0) >= one.x && (at[0] ?? 0) < one.x + one.size && (at[1] ?? 0) >= one.y && (at[1] ?? 0) < one.y + one.size);
  return there.map((one) => one.name).join(", ") || "empty";
}

/** @param {{ left: number, top: number, width: number, height: number }} whole @param {number} zoom */
function zoomed({ left, top, width, height }, zoom) {
  return { left: left + (width - width / zoom) / 2, top: top + (height - height / zoom) / 2, width: width / zoom, height: height / zoom };
}

/** Ctrl and the wheel zoom; the wheel alone scrolls the page. @param {{ current: SVGSVGElement | null }} svg @param {(next: (zoom: number) => number) => void} setZoom */
function useWheel(svg, setZoom) {
  useEffect(() => {
    const there = svg.current;
    const turn = (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      setZoom((zoom) => Math.max(0.4, Math.min(4, zoom * (event.deltaY < 0 ? 1.15 : 0.87))));
    };
    there?.addEventListener("wheel", turn, { passive: false });
    return () => there?.removeEventListener("wheel", turn);
  });
}
