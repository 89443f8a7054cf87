// Combatants without a square, beside the map. A drag or a click places them.
import { html } from "../view.js";
import { sideNumber } from "../board.js";
import { ruling, shown, wanted } from "../state.js";
import { put } from "./moving.js";

/** @import { Square } from "../shapes.d.ts" */

const OWNER = "beside the map";
/** Pixels from which a movement counts as a drag. */
const SLACK_PX = 6;

export function Beside() {
  const board = shown.value;
  const all = board?.combatants.filter((combatant) => combatant.in_fight && combatant.position === null) ?? [];
  if (board === null || all.length === 0) return null;
  const nobody = board.combatants.every((combatant) => combatant.position === null);
  if (nobody && !ruling.value) return null; // the fight has no map
  return html`
    <ul class="beside" aria-label="Without a square">
      ${all.map(
        (combatant) => html`<li key=${combatant.id} class=${ruling.value ? "movable" : ""} title=${ruling.value ? "Drag it onto the map" : undefined} onPointerDown=${ruling.value ? (/** @type {any} */ event) => drag(event, combatant.id) : undefined}>
          <span class=${`mark side-${sideNumber(board, combatant.side)}`} aria-hidden="true"></span><b><bdi>${combatant.name}</bdi></b> <small>${combatant.hidden ? "hidden, " : ""}has no square</small>
          ${ruling.value && html`<button type="button" class="quiet" aria-label=${`Place ${combatant.name}`} onClick=${() => place(combatant.id)}>Place</button>`}
        </li>`,
      )}
    </ul>
  `;
}

/** Ask the map for a square. @param {string} who @param {Square[]} [squares] */
function want(who, squares = []) {
  const choose = (/** @type {Square} */ square) => {
    wanted.value = null;
    void put(who, square);
  };
  wanted.value = { owner: OWNER, who, path: false, from: null, squares, goals: [], choose, back: () => void (wanted.value = null) };
}

/** Place the combatant at the next click on the map. @param {string} who */
const place = (who) => want(who);

/** Drag a chip. The map shows the square below the pointer, and the combatant is placed there at the end. @param {PointerEvent} event @param {string} who */
function drag(event, who) {
  const chip = /** @type {HTMLElement} */ (event.currentTarget);
  const map = /** @type {SVGSVGElement | null} */ (chip.closest(".map")?.querySelector("svg[role=application]") ?? null);
  if (map === null || event.button !== 0) return;
  const plan = map;
  const begun = { x: event.clientX, y: event.clientY };
  let dragged = false;

  /** Return the square below the pointer, or null outside the map and above a chip. @param {PointerEvent} at @returns {Square | null} */
  function squareAt({ clientX, clientY }) {
    const inside = (/** @type {DOMRect} */ box) => clientX > box.left && clientX < box.right && clientY > box.top && clientY < box.bottom;
    if (!inside(plan.getBoundingClientRect()) || inside(chip.getBoundingClientRect())) return null;
    const point = new DOMPoint(clientX, clientY).matrixTransform(plan.getScreenCTM()?.inverse());
    return [Math.floor(point.x), Math.floor(point.y), 0];
  }
  function held(/** @type {PointerEvent} */ to) {
    if (!dragged && Math.hypot(to.clientX - begun.x, to.clientY - begun.y) < SLACK_PX) return;
    dragged = true;
    to.preventDefault();
    const square = squareAt(to);
    want(who, square === null ? [] : [square]);
  }
  function release(/** @type {PointerEvent} */ at) {
    over();
    if (!dragged) return;
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    const square = squareAt(at);
    wanted.value = null;
    if (square !== null) void put(who, square);
  }
  function over() {
    removeEventListener("pointermove", held);
    removeEventListener("pointerup", release);
    removeEventListener("pointercancel", cancel);
  }
  function cancel() {
    over();
    if (dragged) wanted.value = null;
  }
  addEventListener("pointermove", held);
  addEventListener("pointerup", release);
  addEventListener("pointercancel", cancel);
}

/** Suppress the click at the end of a drag. @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
