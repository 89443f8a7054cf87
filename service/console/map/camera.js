// The visible part of the map. A finger or the mouse drags it. Two fingers, Ctrl with the wheel,
// and buttons zoom.
import { useEffect, useRef } from "../view.js";

/** The visible part. `x`, `y`: distance between the middle of this part and the middle of the whole map, in squares. @typedef {{ zoom: number, x: number, y: number }} Camera */
/** @typedef {{ left: number, top: number, width: number, height: number }} Frame */

/** @type {Camera} */
export const WHOLE = { zoom: 1, x: 0, y: 0 };

const NEAREST = 6;
const FURTHEST = 0.4;
/** Maximum distance in pixels that a finger moves during a click. */
const TREMBLE = 6;

/** @param {Camera} camera @param {number} by @returns {Camera} */
export const zoomed = (camera, by) => ({ ...camera, zoom: Math.max(FURTHEST, Math.min(NEAREST, camera.zoom * by)) });

/** @param {Frame} whole @param {Camera} camera @returns {Frame} */
export function framed({ left, top, width, height }, { zoom, x, y }) {
  return { left: left + x + (width - width / zoom) / 2, top: top + y + (height - height / zoom) / 2, width: width / zoom, height: height / zoom };
}

/** A part of the map with its scale, in pixels per square. @typedef {{ key: string, scale: number, left: number, top: number }} Held */

/**
 * Return the position of the map. While `key` is the same and everything is visible, the position
 * does not change, so a card that grows does not move the map. Squares become smaller only if there
 * is too little room.
 * @param {Held | null} before @param {string} key @param {Frame} whole @param {{ width: number, height: number }} pixels @returns {Held}
 */
export function steady(before, key, whole, pixels) {
  const scale = Math.min(pixels.width / whole.width, pixels.height / whole.height);
  if (before !== null && before.key === key && inside(whole, roomOf(before, pixels))) return before;
  const { width, height } = roomOf({ key, scale, left: 0, top: 0 }, pixels);
  return { key, scale, left: whole.left - (width - whole.width) / 2, top: whole.top - (height - whole.height) / 2 };
}

/** Return the visible part of the map. @param {Held} held @param {{ width: number, height: number }} pixels @returns {Frame} */
export const roomOf = ({ scale, left, top }, pixels) => ({ left, top, width: pixels.width / scale, height: pixels.height / scale });

/** Fraction of a square by which a part may exceed the whole. */
const NEARLY = 0.01;

/** @param {Frame} part @param {Frame} whole */
const inside = (part, whole) =>
  part.left >= whole.left - NEARLY && part.top >= whole.top - NEARLY && part.left + part.width <= whole.left + whole.width + NEARLY && part.top + part.height <= whole.top + whole.height + NEARLY;

/**
 * A grip holds a token or a ruler, so that the drag does not move the map.
 * @typedef {{ down: (event: PointerEvent) => boolean, move: (event: PointerEvent) => void, up: () => void }} Grip
 */

/**
 * Follow fingers, mouse and wheel over the map. The result tells whether the last click ended a
 * drag.
 * @param {{ current: SVGSVGElement | null }} svg @param {(next: (camera: Camera) => Camera) => void} set @param {Grip} grip
 */
export function useHands(svg, set, grip) {
  const dragged = useRef(false);
  const hold = useRef(grip);
  hold.current = grip;
  useEffect(() => {
    const there = svg.current;
    if (there === null) return;
    /** @type {Map<number, { x: number, y: number }>} */
    const fingers = new Map();
    let way = 0;
    let gripped = false;

    const scale = () => there.getScreenCTM()?.a ?? 1;
    const spread = () => {
      const [first, other] = [...fingers.values()];
      return first && other ? Math.hypot(first.x - other.x, first.y - other.y) : 0;
    };
    const down = (/** @type {PointerEvent} */ event) => {
      if (fingers.size === 0) {
        [way, dragged.current] = [0, false];
        gripped = event.button === 0 && hold.current?.down(event) === true;
      }
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    };
    const move = (/** @type {PointerEvent} */ event) => {
      const finger = fingers.get(event.pointerId);
      if (finger === undefined) return;
      const [dx, dy, before] = [event.clientX - finger.x, event.clientY - finger.y, spread()];
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      way += Math.hypot(dx, dy);
      if (way < TREMBLE) return;
      if (!dragged.current) there.setPointerCapture(event.pointerId);
      dragged.current = true;
      if (gripped) return hold.current?.move(event);
      const by = before > 0 ? spread() / before : 1;
      const share = scale() * fingers.size;
      set((camera) => zoomed({ ...camera, x: camera.x - dx / share, y: camera.y - dy / share }, by));
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (fingers.delete(event.pointerId) && gripped) {
        gripped = false;
        hold.current?.up();
      }
    };
    const turn = (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      set((camera) => zoomed(camera, event.deltaY < 0 ? 1.15 : 0.87));
    };
    there.addEventListener("pointerdown", down);
    there.addEventListener("pointermove", move);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) there.addEventListener(kind, up);
    there.addEventListener("wheel", turn, { passive: false });
    return () => {
      there.removeEventListener("pointerdown", down);
      there.removeEventListener("pointermove", move);
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) there.removeEventListener(kind, up);
      there.removeEventListener("wheel", turn);
    };
  }, [svg.current]);
  return dragged;
}
