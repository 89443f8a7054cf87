// A form's request for squares on the map. Pure.

/** @import { Square } from "../shapes.d.ts" */

/**
 * @typedef {object} Wanted
 * @property {string} owner the field that asks
 * @property {string | null} who the combatant of the form
 * @property {boolean} path true for a walk of several squares, false for one square
 * @property {Square | null} from the start of the walk
 * @property {Square[]} squares the chosen squares
 * @property {readonly Square[]} goals the squares that can be reached, according to the service
 * @property {(square: Square) => void} choose
 * @property {() => void} back removes the last square
 */

/** Return the squares of a straight walk without its start. Diagonal steps come first. @param {Square} from @param {Square} to @returns {Square[]} */
export function walk(from, to) {
  const path = [];
  let at = [...from];
  while (at.some((part, axis) => part !== (to[axis] ?? part))) {
    at = at.map((part, axis) => part + Math.sign((to[axis] ?? part) - part));
    path.push(at);
  }
  return path;
}

/** @param {Square} square @param {Square} other */
export const sameSquare = (square, other) => square[0] === other[0] && square[1] === other[1];

/** Return a square as the log writes it: "(3, −1)". A height of 0 is left out. @param {readonly number[]} square */
export const place = (square) => `(${square.filter((part, axis) => axis < 2 || part !== 0).join(", ").replace(/-/g, "−")})`;

/** Return a length with one decimal at most. @param {number} far */
export const length = (far) => String(Math.round(far * 10) / 10);

/** Parse squares such as "(3, 0); (2, −1)", also without brackets. Return null for any other text. @param {string} text @returns {Square[] | null} */
export function written(text) {
  const parts = text.replace(/−/g, "-").replace(/\)[\s,]*\(/g, ";").replace(/[()]/g, "").split(/[;|]/).map((part) => part.trim()).filter(Boolean);
  const squares = parts.map((part) => part.split(/[\s,]+/).map(Number));
  return squares.every((square) => square.length >= 2 && square.every(Number.isFinite)) ? squares : null;
}
