// A list of names, each isolated from the next.
import { html } from "./view.js";

/** @param {readonly string[]} names */
export const listed = (names) => names.map((name, index) => html`${index > 0 ? ", " : ""}<bdi key=${index}>${name}</bdi>`);
