// Lists of names, each isolated from the next.
import { html } from "./view.js";

/** @param {readonly string[]} names */
export const listed = (names) => names.map((name, index) => html`${index > 0 ? ", " : ""}<bdi key=${index}>${name}</bdi>`);

/** Sides in a sentence, as in the log: "the bandits", but "Anna's friends". @param {readonly string[]} sides */
export const listedSides = (sides) => listed(sides.map((side) => (/^\p{Ll}/u.test(side) ? `the ${side}` : side)));
