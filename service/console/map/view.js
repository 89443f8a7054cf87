// The map, with one unit a square. A form can ask for a clicked square. The map itself does not
// know which squares are legal.
import { html, useEffect, useRef, useState } from "../view.js";
import { words } from "../board.js";
import { offers, picked, ruleset, shown, sketch, wanted } from "../state.js";
import { pictured } from "../pictures.js";
import { framed, roomOf, steady, useHands, WHOLE, zoomed } from "./camera.js";
import { Beside } from "./beside.js";
import { Crowd } from "./crowd.js";
import { Measured, sayMeasured } from "./measured.js";
import { drop, go, letGo, movable, moving, over, renew, take, wayOf } from "./moving.js";
import { Numbers, seen } from "./numbers.js";
import { Says } from "./says.js";
import { bodies, covers, edges, frame, ground, zones } from "./shapes.js";
import { Shape } from "./tokens.js";
import { MapTools, measure } from "./tools.js";
import { place, sameSquare } from "./wanted.js";

/** @import { Body, Ground, Zone } from "./shapes.js" */
/** @import { Square } from "../shapes.d.ts" */

/** Squares beyond which the map ignores its edges and shows the combatants. */
const FAR = 60;
/** Size of a square below which the map shows only the part with combatants. */
const LEAST_SQUARE_PX = 26;
/** Minimum readable text size. */
const SMALLEST_PX = 12;
/** Size before the browser has measured the map. */
const UNMEASURED = { width: 756, height: 380 };
/** Text size on a screen 1920 px wide. */
const SCREEN_PX = 28;

export function MapView() {
  const board = shown.value;
  const [camera, setCamera] = useState(WHOLE);
  const [every, setEvery] = useState(false);
  const [cursor, setCursor] = useState(/** @type {Square | null} */ (null));
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const grasped = useRef(/** @type {string | null} */ (null));
  const ask = wanted.value;
  const [pixels, setPixels] = useState(UNMEASURED);
  const stands = useRef(/** @type {import("./camera.js").Held | null} */ (null));
  const move = moving.value;
  const dragged = useHands(svg, setCamera, { down, move: drag, up });
  useEffect(() => {
    if (svg.current === null) return;
    const watch = new ResizeObserver(([entry]) => entry && entry.contentRect.height > 0 && setPixels({ width: entry.contentRect.width, height: entry.contentRect.height }));
    watch.observe(svg.current);
    return () => watch.disconnect();
  }, [board === null]);
  useEffect(renew, [board?.version]);
  if (board === null) return null;
  const all = bodies(board);
  const map = sketch.value ?? /** @type {Record<string, any>} */ (board.map ?? board.options.map ?? {});
  const floor = ground(map);
  const edge = edges(map);
  const under = below(map.background);
  const chosen = cursor ? [cursor] : [];
  const everything = frame(all, [...floor, ...[edge, under].flatMap((ground) => (ground && ground.width <= FAR && ground.height <= FAR ? [ground] : []))], chosen);
  const fits = Math.min(pixels.width / everything.width, pixels.height / everything.height) >= LEAST_SQUARE_PX;
  const part = svg.current?.closest(".table")?.getAttribute("data-part") ?? "";
  const scene = JSON.stringify([board.id, part, pixels.width, board.combatants.map(({ id }) => id)]);
  const held = steady(stands.current, scene, fits ? everything : frame(all, [], chosen), pixels);
  if (pixels !== UNMEASURED) stands.current = held;
  const view = framed(roomOf(held, pixels), camera);
  const reaching = zones(board, ruleset.value);
  const scale = Math.min(pixels.width / view.width, pixels.height / view.height);
  const small = Math.max(0.28, SMALLEST_PX / scale);
  const walker = ask?.path || move ? all.find((body) => body.id === (move?.who ?? ask?.who)) : undefined;
  const drawn = reaching.filter((zone) => every || picked.value.includes(zone.who) || (walker !== undefined && zone.side !== walker.side));
  const told = (/** @type {Square} */ at) => `${place(at)}: ${standing(at, all, floor, drawn)}${ask?.goals.some((square) => sameSquare(square, at)) ? ", can be reached" : ""}`;

  /** Return the square under the pointer. @param {MouseEvent} event @returns {Square} */
  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current?.getScreenCTM()?.inverse());
    return [Math.floor(point.x), Math.floor(point.y), ask?.from?.[2] ?? move?.from[2] ?? 0];
  }

  /** Return the draggable token under the pointer. @param {Event} event */
  function tokenAt(event) {
    const who = /** @type {Element} */ (event.target).closest("[data-token]")?.getAttribute("data-token") ?? null;
    return who !== null && (ask?.path ? who === ask.who : movable(who)) ? who : null;
  }

  /** Return true if the pointer picked up a token or a ruler and not the map. @param {PointerEvent} event */
  function down(event) {
    if (sketch.peek() !== null) return false;
    if (ask !== null) {
      grasped.current = tokenAt(event);
      return ask.path && grasped.current !== null;
    }
    const at = squareAt(event);
    if (measure.peek() !== null) {
      measure.value = { template: measure.peek()?.template ?? null, at, to: at };
      return true;
    }
    const who = tokenAt(event);
    if (who !== null) grasped.current = who;
    return who !== null;
  }

  /** @param {PointerEvent} event */
  function drag(event) {
    const now = measure.peek();
    const to = squareAt(event);
    if (ask !== null) {
      setCursor(to);
      return;
    }
    if (now !== null) {
      const follows = now.template !== null && ["circle", "square"].includes(now.template.form);
      measure.value = { ...now, at: follows ? to : now.at, to };
      return;
    }
    if (grasped.current !== null && !moving.peek()?.held) take(grasped.current, true);
    over(to);
  }

  function up() {
    const walks = grasped.current !== null && dragged.current;
    grasped.current = null;
    if (walks && ask !== null && cursor !== null) ask.choose(cursor);
    if (moving.peek()?.held) letGo();
  }

  /** Handle a tap: choose a square for a form, or the goal of the token that was tapped before. @param {MouseEvent} event */
  function click(event) {
    if (svg.current === null || dragged.current || measure.peek() !== null) return;
    if (ask !== null) return ask.choose(squareAt(event));
    const who = tokenAt(event);
    if (who !== null && offers.peek().some((offer) => offer.who === who && offer.legal && offer.prompt !== null && offer.category === "move")) return move?.who === who ? drop() : take(who, false);
    if (move !== null) over(squareAt(event));
  }

  /** Suppress the click at the end of a drag. @param {Event} event */
  const swallow = (event) => void (dragged.current && event.stopPropagation());

  /** @param {KeyboardEvent} event */
  function key(event) {
    const [dx, dy] = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[event.key] ?? [0, 0];
    const acts = all.find((body) => board?.acting.includes(body.id)) ?? all[0];
    const at = cursor ?? ask?.squares.at(-1) ?? ask?.from ?? [acts?.x ?? 0, acts?.y ?? 0];
    if (dx || dy) {
      const to = [(at[0] ?? 0) + (dx ?? 0), (at[1] ?? 0) + (dy ?? 0), at[2] ?? 0];
      setCursor(to);
      if (move !== null) over(to);
    }
    else if (event.key === "m" && ask === null) {
      setCursor(at);
      const who = all.find((body) => sameSquare([body.x, body.y], at))?.id;
      if (who !== undefined && movable(who)) take(who, false);
    } else if (event.key === "Escape" && (move !== null || measure.peek() !== null)) {
      drop();
      measure.value = null;
    } else if (event.key === "Enter" && ask === null && move !== null) {
      const way = wayOf(move);
      if (way !== null) void go(way);
    } else if (event.key === "Enter" && ask !== null && cursor !== null) ask.choose(cursor);
    else if (event.key === "Backspace" && ask !== null) ask.back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number | null} by `null` shows the whole map again */
  function zoom(by) {
    if (by === null && camera.zoom === 1 && camera.x === 0 && camera.y === 0) stands.current = null; // also discard the scale, so that the map fills its room
    setCamera(by === null ? { ...WHOLE } : zoomed(camera, by));
  }

  const way = move === null ? null : wayOf(move);
  const low = move?.to != null && (move.to[1] ?? 0) + 0.5 > view.top + view.height / 2; // put the words at the top, so that they do not cover the goal
  const goals = ask?.goals ?? (move?.ways ?? []).flatMap((way) => way.reach?.squares.map((reached) => reached.to) ?? []);
  const ghost = move?.to ? all.find((body) => body.id === move.who) : undefined;
  const route = ask === null ? [] : [...(ask.path && ask.from ? [ask.from] : []), ...ask.squares];
  return html`
    <section class=${ask === null ? "map" : "map wanting"} aria-label="Map">
      <h2 class=${ask === null ? "unseen" : "mapask"}>Map ${ask !== null && html`<small>${ask.path ? "tap where to go; further taps extend the path" : "tap a square"}</small>`}</h2>
      <${MapTools} zones=${reaching.length > 0} every=${every} setEvery=${setEvery} zoom=${zoom} />
      <svg
        ref=${svg}
        viewBox=${`${view.left} ${view.top} ${view.width} ${view.height}`}
        role="application"
        aria-label="Map; arrows move a cursor"
        tabindex="0"
        onClickCapture=${swallow}
        onClick=${click}
        onKeyDown=${key}
      >
        <defs>
          <pattern id="hatch" width="0.25" height="0.25" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V0.25" class="hatchline" /></pattern>
          <pattern id="grid" width="1" height="1" patternUnits="userSpaceOnUse"><path d="M1 0H0V1" class="gridline" /></pattern>
        </defs>
        <rect ...${wide(view)} class="floor" />
        ${under?.url && html`<image class="background" x=${under.x} y=${under.y} width=${under.width} height=${under.height} preserveAspectRatio="none" href=${under.url} />`}
        <rect ...${wide(view)} fill="url(#grid)" />
        ${floor.map((ground, index) => html`<rect key=${index} class=${`ground ${ground.kind}`} x=${ground.x} y=${ground.y} width=${ground.width} height=${ground.height}><title>${words(ground.kind)}</title></rect>`)}
        ${edge !== null && html`<rect class="edge" x=${edge.x} y=${edge.y} width=${edge.width} height=${edge.height} />`}
        ${drawn.map((zone, index) => html`<g key=${`zone ${index}`} class=${`zone side-${zone.side}`}><title>zone of ${zone.name}</title><rect x=${zone.x + 0.04} y=${zone.y + 0.04} width=${zone.width - 0.08} height=${zone.height - 0.08} rx="0.2" /></g>`)}
        ${goals.map((square) => html`<rect key=${square.join()} class="goal" x=${square[0]} y=${square[1]} width="1" height="1" />`)}
        ${ask?.path && route.length > 1 && html`<polyline class="route" points=${route.map((square) => `${(square[0] ?? 0) + 0.5},${(square[1] ?? 0) + 0.5}`).join(" ")} />`}
        ${ask?.squares.map((square, index) => html`<circle key=${index} class="step" cx=${(square[0] ?? 0) + 0.5} cy=${(square[1] ?? 0) + 0.5} r="0.16" />`)}
        <${Numbers} view=${seen(view, pixels, scale)} size=${(svg.current?.closest(".screen") ? (SCREEN_PX * innerWidth) / 1920 : SMALLEST_PX) / scale} />
        <${Crowd} small=${small} />
        ${way !== null && move !== null && html`<polyline class="route moving" points=${[move.from, ...way.way.path].map((square) => `${(square[0] ?? 0) + 0.5},${(square[1] ?? 0) + 0.5}`).join(" ")} />`}
        ${ghost && move?.to && html`<g class=${`ghost side-${ghost.side}${way === null ? " barred" : ""}`} transform=${`translate(${move.to[0]} ${move.to[1]})`}><${Shape} side=${ghost.side} size=${ghost.size} /></g>`}
        ${way !== null && spots(way.way).map(([at, count]) => html`<g class="reaction" key=${at.join()} transform=${`translate(${(at[0] ?? 0) + 0.5} ${(at[1] ?? 0) + 0.5})`}><circle r="0.26" /><text y=${small * 0.35} font-size=${small} text-anchor="middle">${count}</text></g>`)}
        <${Measured} bodies=${all} small=${small} />
        ${cursor !== null && html`<rect class="cursor" x=${cursor[0]} y=${cursor[1]} width="1" height="1" />`}
      </svg>
      <div class=${low ? "foot raised" : "foot"}><${Says} /><${Beside} />${measure.value?.at && html`<p class="says" role="status">${sayMeasured(all)}</p>`}</div>
      <p class="unseen" aria-live="polite">${cursor === null ? "" : told(cursor)}</p>
    </section>
  `;
}

/** The picture below the grid, in squares. @param {{ picture: string, left?: number, top?: number, columns?: number } | null | undefined} background */
function below(background) {
  if (!background) return null;
  const { picture, left = 0, top = 0, columns = 20 } = background;
  const shown = pictured(picture);
  return shown === null ? null : { kind: "background", x: left, y: top, width: columns, height: columns * shown.ratio, url: shown.url };
}

/** Return the squares in which a path provokes reactions, with the number of reactions. @param {import("./moving.js").Reached} way @returns {[Square, number][]} */
function spots({ provokes = [] }) {
  /** @type {[Square, number][]} */
  const squares = [];
  for (const { at } of provokes) {
    const known = squares.find(([other]) => sameSquare(other, at));
    if (known) known[1] += 1;
    else squares.push([at, 1]);
  }
  return squares;
}

/** Return a wider part of the map, because the picture rarely has the proportions of its frame. @param {import("./camera.js").Frame} view */
const wide = ({ left, top, width, height }) => ({ x: left - width, y: top - height, width: 3 * width, height: 3 * height });

/** Describe the content of a square. @param {Square} at @param {Body[]} all @param {Ground[]} floor @param {Zone[]} reaching */
function standing(at, all, floor, reaching) {
  const there = all.filter((body) => covers({ x: body.x, y: body.y, width: body.size, height: body.size }, at)).map((body) => body.name);
  const kinds = floor.filter((ground) => covers(ground, at)).map((ground) => words(ground.kind).toLowerCase());
  const near = reaching.filter((zone) => covers(zone, at)).map((zone) => `zone of ${zone.name}`);
  return [...(there.length > 0 ? there : ["empty"]), ...new Set([...kinds, ...near])].join(", ");
}
