// Fields for the faces of dice.
import { html } from "../view.js";
import { sides } from "../share/fairness.js";

/** @param {{ label: string, formula: string, faces: readonly (number | null)[], set: (faces: (number | null)[]) => void }} props */
export function Faces({ label, formula, faces, set }) {
  const dice = sides(formula);
  const put = (/** @type {number} */ index, /** @type {string} */ text) => set(dice.map((_, at) => (at === index ? (text === "" ? null : Number(text)) : (faces[at] ?? null))));
  return html`
    <div class="field" role="group" aria-label=${label}>
      <span class="label">${label}</span>
      <span class="faces">
        ${dice.map((most, index) => html`<label key=${index}>d${most} <input type="number" inputmode="numeric" min="1" max=${most} value=${faces[index] ?? ""} aria-label=${`${label}, die ${index + 1}, d${most}`} onInput=${(/** @type {any} */ event) => put(index, event.target.value)} /></label>`)}
      </span>
    </div>
  `;
}

/** Return true if each die of the formula shows one of its faces. @param {string} formula @param {readonly (number | null)[]} faces @returns {faces is number[]} */
export function fit(formula, faces) {
  return sides(formula).every((most, index) => Number.isInteger(faces[index]) && Number(faces[index]) >= 1 && Number(faces[index]) <= most);
}
