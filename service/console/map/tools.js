// The tools at the side of the map: zones, ruler, templates and zoom.
import { html, signal, useState } from "../view.js";
import { FORMS } from "./areas.js";

/** @import { Square } from "../shapes.d.ts" */
/** @import { Template } from "./areas.js" */

/** The line or area that the user measures, from `at` to `to`. */
export const measure = signal(/** @type {{ template: Template | null, at: Square | null, to: Square | null } | null} */ (null));

const NAMES = { circle: "Circle", square: "Square", cone: "Cone", line: "Line" };
const SIZES = [1, 2, 3, 4, 6, 8, 12];

/** @param {{ zones: boolean, every: boolean, setEvery: (every: boolean) => void, zoom: (by: number | null) => void }} props */
export function MapTools({ zones, every, setEvery, zoom }) {
  const [open, setOpen] = useState(false);
  const now = measure.value;
  const template = now?.template ?? null;
  const set = (/** @type {Template | null} */ next) => (measure.value = { template: next, at: null, to: null });
  return html`
    <div class=${open || every || now !== null ? "zoom" : "zoom folded"} role="group" aria-label="Map tools">
      <button type="button" class="fold" aria-expanded=${open} onClick=${() => setOpen(!open)}>Tools</button>
      ${zones && html`<button type="button" aria-pressed=${every} onClick=${() => setEvery(!every)}>Zones</button>`}
      <button type="button" aria-pressed=${now !== null && template === null} onClick=${() => (now !== null && template === null ? (measure.value = null) : set(null))}>Ruler</button>
      <button type="button" aria-pressed=${template !== null} onClick=${() => (template !== null ? (measure.value = null) : set({ form: "circle", size: 3 }))}>Area</button>
      ${template !== null &&
      html`<div class="area">
        <select aria-label="Form of the area" value=${template.form} onChange=${(/** @type {Event} */ event) => set({ ...template, form: /** @type {import("./areas.js").Form} */ (/** @type {HTMLSelectElement} */ (event.target).value) })}>${FORMS.map((form) => html`<option key=${form} value=${form}>${NAMES[form]}</option>`)}</select>
        <select aria-label="Size of the area, in squares" value=${template.size} onChange=${(/** @type {Event} */ event) => set({ ...template, size: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>${SIZES.map((number) => html`<option key=${number} value=${number}>${number} ${number === 1 ? "square" : "squares"}</option>`)}</select>
      </div>`}
      <span class="scale"><button type="button" aria-label="Closer" onClick=${() => zoom(1.4)}>+</button><button type="button" aria-label="Further" onClick=${() => zoom(1 / 1.4)}>−</button><button type="button" onClick=${() => zoom(null)}>Fit</button></span>
    </div>
  `;
}
