// The numbers of columns and rows at the left and lower edges of the map.
import { html } from "../view.js";

/** @import { Frame } from "./camera.js" */

const STEPS = [1, 2, 5, 10, 20, 50, 100];

/** Return the visible part of the map. The picture rarely has the proportions of its frame. @param {Frame} view @param {{ width: number, height: number }} pixels @param {number} scale @returns {Frame} */
export function seen(view, pixels, scale) {
  const [width, height] = [pixels.width / scale, pixels.height / scale];
  return { left: view.left + (view.width - width) / 2, top: view.top + (view.height - height) / 2, width, height };
}

/** Return the columns or rows that get a number, so that no two numbers touch. @param {number} first @param {number} last @param {number} apart */
function numbered(first, last, apart) {
  const step = STEPS.find((squares) => squares >= apart) ?? 200;
  const numbers = [];
  for (let at = Math.ceil(first / step) * step; at + 1 <= last; at += step) numbers.push(at);
  return numbers;
}

/** The numbers at both edges. Offsets are in em, because the television has larger text. @param {{ view: Frame, size: number }} props `size`: the height of a letter, in squares */
export function Numbers({ view: { left, top, width, height }, size }) {
  return html`<g class="columns-and-rows" aria-hidden="true" font-size=${size}>
    ${numbered(left + 2 * size, left + width, 2 * size).map((column) => html`<text key=${`column ${column}`} data-column=${column} x=${column + 0.5} y=${top + height} dy="-0.4em" text-anchor="middle">${column}</text>`)}
    ${numbered(top, top + height - 1.5 * size, 1.5 * size).map((row) => html`<text key=${`row ${row}`} data-row=${row} x=${left} y=${row + 0.5} dx="0.4em" dy="0.35em">${row}</text>`)}
  </g>`;
}
