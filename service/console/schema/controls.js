// Controls for simple values.
import { html } from "../view.js";
import { called, plain, words } from "../board.js";
import { follow, same } from "./read.js";
import { Chips, inWords } from "./chips.js";

/** @import { Field } from "./read.js" */
/** @import { Inputs, Ruleset } from "../shapes.d.ts" */

/** A fault that the service found, with its place below this form. @typedef {{ at: readonly string[], text: string }} Wrong */

/**
 * @typedef {object} WidgetProps
 * @property {Field} field
 * @property {unknown} value
 * @property {(value: unknown) => void} set
 * @property {readonly unknown[]} candidates
 * @property {Wrong | null} wrong
 * @property {string | null} who
 * @property {string | null} option
 * @property {Ruleset | null} ruleset
 * @property {boolean} explain
 * @property {readonly Inputs[]} [like]
 */

const FEW = 14;

/** Return the service's titles for the values of a closed list. @param {Field} field @returns {Record<string, string>} */
const titlesOf = ({ schema }) => schema["x-titles"] ?? (schema.items && follow(schema.items, schema)["x-titles"]) ?? {};

/** A choice of one value: buttons, or a list if there are many. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
export function Pick({ value, set, picks, label, candidates, field, ruleset, who }) {
  const chosen = value ?? field.schema.default ?? null;
  if (picks.length <= FEW) return html`<${Chips} picks=${picks} chosen=${[chosen]} pick=${set} label=${label} refers=${field.refers} who=${who} titles=${titlesOf(field)} />`;
  const at = picks.findIndex((pick) => same(pick, chosen));
  return html`
    <select aria-label=${label} value=${at} onChange=${(/** @type {any} */ event) => set(picks[event.target.value])}>
      ${at < 0 && html`<option value="-1">choose</option>`}
      ${picks.map((pick, index) => html`<option value=${index} key=${index}>${titlesOf(field)[String(pick)] ?? (candidates.length > 0 ? inWords(pick) : called(field.refers, plain(pick), ruleset))}</option>`)}
    </select>
  `;
}

/** A choice of several values. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
export function Several({ value, set, picks, label, field, who }) {
  const chosen = Array.isArray(value) ? value : [];
  const all = [...new Set([...picks.flat(), ...chosen].map((pick) => JSON.stringify(pick)))].map((text) => JSON.parse(text));
  const pick = (/** @type {unknown} */ choice) =>
    set(chosen.some((other) => same(other, choice)) ? chosen.filter((other) => !same(other, choice)) : [...chosen, choice]);
  return html`<${Chips} picks=${all.filter((choice) => choice !== null)} chosen=${chosen} pick=${pick} label=${label} refers=${field.refers} who=${who} titles=${titlesOf(field)} several />`;
}

/** @param {WidgetProps & { label: string }} props */
export function Switch({ field, value, set, label }) {
  return html`<input type="checkbox" class="switch" role="switch" aria-label=${label} checked=${(value ?? field.schema.default) === true} onChange=${(/** @type {any} */ event) => set(event.target.checked)} />`;
}

/** @param {WidgetProps & { label: string }} props */
export function Amount({ field, value, set, label }) {
  const { minimum, maximum } = field.schema;
  return html`
    <input
      type="number"
      inputmode="numeric"
      aria-label=${label}
      min=${minimum}
      max=${maximum}
      step=${field.schema.type === "number" ? "any" : undefined}
      placeholder=${field.schema.default ?? undefined}
      value=${value ?? ""}
      onInput=${(/** @type {any} */ event) => set(event.target.value === "" ? (field.nullable ? null : undefined) : Number(event.target.value))}
    />
  `;
}

/** @param {WidgetProps & { label: string }} props */
export function Text({ field, value, set, label }) {
  return html`<input type="text" aria-label=${label} maxlength=${field.schema.maxLength} placeholder=${field.schema.default ?? undefined} value=${value ?? ""} onInput=${(/** @type {any} */ event) => set(event.target.value === "" && field.nullable ? null : event.target.value)} />`;
}

/** A field for a text, a number, or yes and no. @param {WidgetProps} props */
export function Plain({ field, value, set }) {
  if (typeof value === "object" && value !== null) return html`<output>${inWords(value)}</output>`;
  return html`<input type="text" aria-label=${words(field.name)} value=${value ?? ""} onChange=${(/** @type {any} */ event) => set(meant(event.target.value))} />`;
}

/** @param {string} text */
function meant(text) {
  if (text === "") return undefined;
  if (text === "yes" || text === "true") return true;
  if (text === "no" || text === "false") return false;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
