// A form made from a JSON Schema: one field a line, what may be left out folded.
import { html, useState } from "../view.js";
import { words } from "../board.js";
import { fields, kind } from "./read.js";
import { Widget } from "./widgets.js";

/** @import { Inputs, Schema } from "../shapes.d.ts" */
/** @import { Field } from "./read.js" */

/**
 * @typedef {object} FormProps
 * @property {Schema} schema
 * @property {Inputs} value
 * @property {(name: string, value: unknown) => void} set
 * @property {Record<string, readonly unknown[]>} [candidates] legal values by field
 * @property {{ pointer?: string | null, text: string } | null} [fault] what the service found wrong
 * @property {string | null} [who] whose form it is
 * @property {string | null} [option] which option it is for
 */

/** @param {FormProps} props */
export function Form({ schema, value, set, candidates = {}, fault = null, who = null, option = null }) {
  const all = fields(schema).filter((one) => candidates[one.name]?.length !== 1 || same(candidates, one, value));
  const needed = all.filter((one) => isNeeded(one, candidates, fault));
  const rest = all.filter((one) => !needed.includes(one));
  const [open, setOpen] = useState(false);
  const draw = (/** @type {Field} */ one) => html`
    <${Line}
      key=${one.name}
      field=${one}
      value=${value[one.name]}
      set=${(/** @type {unknown} */ next) => set(one.name, next)}
      candidates=${candidates[one.name] ?? []}
      fault=${pointsAt(fault, one.name) ? fault?.text : null}
      who=${who}
      option=${option}
    />
  `;
  return html`
    <div class="form">
      ${needed.map(draw)}
      ${rest.length > 0 &&
      html`<details open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
        <summary>${rest.length} more ${rest.length === 1 ? "field" : "fields"}</summary>
        ${open && rest.map(draw)}
      </details>`}
    </div>
  `;
}

/** A value that is the only one and chosen already needs no line, unless it is worth seeing. @param {Record<string, readonly unknown[]>} candidates @param {Field} field @param {Inputs} value */
function same(candidates, field, value) {
  return value[field.name] === undefined || (candidates[field.name]?.[0] !== null && candidates[field.name]?.[0] !== false);
}

/** @param {Field} field @param {Record<string, readonly unknown[]>} candidates @param {FormProps["fault"]} fault */
function isNeeded(field, candidates, fault) {
  if (field.required || (candidates[field.name]?.length ?? 0) > 1) return true;
  return pointsAt(fault, field.name);
}

/** @param {FormProps["fault"]} fault @param {string} name */
const pointsAt = (fault, name) => fault?.pointer?.split("/").includes(name) === true;

/** One field. @param {{ field: Field, value: unknown, set: (value: unknown) => void, candidates: readonly unknown[], fault: string | null | undefined, who: string | null, option: string | null }} props */
function Line({ field, value, set, candidates, fault, who, option }) {
  const group = kind(field) !== "number" && kind(field) !== "text" ? "group" : undefined;
  return html`
    <div class=${fault ? "field wrong" : "field"} role=${group} aria-label=${group && words(field.name)}>
      <span class="label" title=${field.about}>${words(field.name)}</span>
      <${Widget} field=${field} value=${value} set=${set} candidates=${candidates} who=${who} option=${option} />
      ${fault ? html`<p class="fault" role="alert">${fault}</p>` : null}
    </div>
  `;
}
