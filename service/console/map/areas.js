// Ruler and templates: the squares of an area, and the length of a line. Pure.

/** @import { Square } from "../shapes.d.ts" */

/** @typedef {"circle" | "square" | "cone" | "line"} Form */
/** @typedef {{ form: Form, size: number }} Template */

export const FORMS = /** @type {Form[]} */ (["circle", "square", "cone", "line"]);

/** Return the number of steps between two squares, with diagonal steps. @param {Square} from @param {Square} to */
export const steps = (from, to) => Math.max(Math.abs((to[0] ?? 0) - (from[0] ?? 0)), Math.abs((to[1] ?? 0) - (from[1] ?? 0)));

/**
 * Return the squares whose middles are inside a template. Circle and square surround `at`. Cone
 * and line begin beside `at` and point to `toward`.
 * @param {Template} template @param {Square} at @param {Square} toward @returns {Square[]}
 */
export function covered({ form, size }, at, toward) {
  const [x = 0, y = 0] = at;
  const [dx, dy] = [(toward[0] ?? 0) - x, (toward[1] ?? 0) - y];
  const length = Math.hypot(dx, dy) || 1;
  const inside = (/** @type {number} */ a, /** @type {number} */ b) => {
    const far = Math.hypot(a, b);
    if (form === "circle") return far <= size;
    if (form === "square") return Math.max(Math.abs(a), Math.abs(b)) <= size;
    const along = (a * dx + b * dy) / length;
    const aside = Math.abs(a * dy - b * dx) / length;
    if (along <= 0 || (dx === 0 && dy === 0)) return false;
    return form === "cone" ? far <= size + 0.5 && aside <= along / 2 + 0.01 : along <= size + 0.5 && aside <= 0.5;
  };
  /** @type {Square[]} */
  const squares = [];
  for (let a = -size; a <= size; a += 1) for (let b = -size; b <= size; b += 1) if (inside(a, b)) squares.push([x + a, y + b]);
  return squares;
}
