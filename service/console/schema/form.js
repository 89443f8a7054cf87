// A form made from a JSON Schema: one field a line, what may be left out folded; parts are forms too.
import { html, useState } from "../view.js";
import { words } from "../board.js";
import { ruleset as playing } from "../store.js";
import { completed } from "./beside.js";
import { fields, kind } from "./read.js";
import { Widget } from "./widgets.js";

/** @import { Inputs, Ruleset, Schema } from "../shapes.d.ts" */
/** @import { Field } from "./read.js" */

/** What the service found wrong, and where below this form. @typedef {{ at: readonly string[], text: string }} Wrong */

/**
 * @typedef {object} FormProps
 * @property {Schema} schema
 * @property {Inputs} value
 * @property {(name: string, value: unknown) => void} set
 * @property {Record<string, readonly unknown[]>} [candidates] legal values by field
 * @property {Wrong | null} [wrong]
 * @property {string | null} [who] whose form it is
 * @property {string | null} [option] which option it is for
 * @property {Ruleset | null} [ruleset] where no fight is on yet
 * @property {boolean} [explain] whether each field says what it means
 * @property {boolean} [whole] whether every field is in sight from the beginning
 */

/** @param {FormProps} props */
export function Form({ schema, value, set, candidates = {}, wrong = null, who = null, option = null, ruleset = playing.value, explain = false, whole = false }) {
  const all = fields(schema)
    .filter((one) => candidates[one.name]?.length !== 1 || worthSeeing(candidates, one, value))
    .map((one) => completed(one, value, ruleset))
    .filter((one) => !(kind(one) === "free" && awaits(one.name, value)) || filled(value[one.name]));
  const needed = all.filter((one) => one.required || (candidates[one.name]?.length ?? 0) > 1 || wrong?.at[0] === one.name || filled(value[one.name]));
  const [first] = useState(() => new Set(needed.map((one) => one.name)));
  const shown = all.filter((one) => first.has(one.name) || one.required || wrong?.at[0] === one.name || (candidates[one.name]?.length ?? 0) > 1);
  const rest = all.filter((one) => !shown.includes(one));
  const [open, setOpen] = useState(whole || shown.length === 0);
  const draw = (/** @type {Field} */ one) => html`
    <${Line}
      key=${one.name}
      field=${one}
      value=${value[one.name]}
      set=${(/** @type {unknown} */ next) => set(one.name, next)}
      candidates=${candidates[one.name] ?? []}
      wrong=${wrong?.at[0] === one.name ? { at: wrong.at.slice(1), text: wrong.text } : null}
      who=${who}
      option=${option}
      ruleset=${ruleset}
      explain=${explain}
    />
  `;
  return html`
    <div class="form">
      ${shown.map(draw)}
      ${rest.length > 0 &&
      html`<details class="rest" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}>
        <summary>${rest.length} more ${rest.length === 1 ? "field" : "fields"}</summary>
        ${open && rest.map(draw)}
      </details>`}
    </div>
  `;
}

/** Where a form begins, a fault's pointer goes on with one of its fields. @param {{ pointer?: string | null, text: string } | null | undefined} fault @param {Schema} schema @returns {Wrong | null} */
export function wrongIn(fault, schema) {
  if (!fault?.pointer) return null;
  const steps = fault.pointer.split("/").slice(1).map((one) => one.replace(/~1/g, "/").replace(/~0/g, "~"));
  const from = steps.findIndex((one) => one in (schema.properties ?? {}));
  return from < 0 ? null : { at: steps.slice(from), text: fault.text };
}

/** Whether a field says nothing before another one is chosen. @param {string} name @param {Inputs} whole */
const awaits = (name, whole) => (name === "inputs" && !whole.action) || (name === "data" && !whole.condition);

/** @param {unknown} value */
export const filled = (value) => value !== undefined && value !== null && value !== "" && value !== false && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}";

/** A value that is the only one and chosen already needs no line, unless it is worth seeing. @param {Record<string, readonly unknown[]>} candidates @param {Field} field @param {Inputs} value */
function worthSeeing(candidates, field, value) {
  return value[field.name] === undefined || (candidates[field.name]?.[0] !== null && candidates[field.name]?.[0] !== false);
}

const ALONE = ["number", "text"];
const WIDE = ["group", "list", "table", "free"];

/** One field. @param {import("./widgets.js").WidgetProps} props */
function Line(props) {
  const { field, wrong, explain } = props;
  const what = kind(field);
  const here = wrong !== null && (wrong.at.length === 0 || !WIDE.includes(what));
  const group = ALONE.includes(what) ? undefined : "group";
  const label = field.name === "at" && field.refers === "square" ? "Square" : words(field.name);
  const about = said(field.about, label);
  const classes = ["field", WIDE.includes(what) && "wide", here && "wrong"].filter(Boolean).join(" ");
  return html`
    <div class=${classes} role=${group} aria-label=${group && label}>
      <span class="label" title=${field.about}>${label}${explain && WIDE.includes(what) && about && html` <small>${about}</small>`}</span>
      <${Widget} ...${props} />
      ${here && html`<p class="fault" role="alert">${wrong.text}</p>`}
      ${explain && !WIDE.includes(what) && about && html`<p class="hint about">${about}</p>`}
    </div>
  `;
}

/** What a field means, unless its name says it. @param {string} about @param {string} label */
function said(about, label) {
  const text = about.replace(/; null = /g, "; empty: ").replace(/\bnull or /g, "empty or ");
  return text.toLowerCase() === label.toLowerCase() ? "" : text;
}
