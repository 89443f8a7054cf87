// A form from a JSON Schema, with one field per line and optional fields folded. An object, each item
// of a list and each entry of a table has a nested form.
import { html, useState } from "../view.js";
import { called, words } from "../board.js";
import { MAP_PX } from "../pictures.js";
import { ruleset as playing, shown } from "../state.js";
import { completed, parts } from "./beside.js";
import { Chips } from "./chips.js";
import { Amount, Pick, Plain, Several, Switch, Text } from "./controls.js";
import { Picture } from "./picture.js";
import { Places } from "./places.js";
import { blank, field as fieldOf, fields, kind, readable, shapes, titled } from "./read.js";
import { exampleOf, partsOf, usualFields } from "./usual.js";
import { brief, changed, filled, fitting, fresh, isNew, known, namesOf, shapeName, singular } from "./values.js";

/** @import { Inputs, Ruleset, Schema } from "../shapes.d.ts" */
/** @import { WidgetProps, Wrong } from "./controls.js" */
/** @import { Field } from "./read.js" */

/**
 * @typedef {object} FormProps
 * @property {Schema} schema
 * @property {Inputs} value
 * @property {(name: string, value: unknown) => void} set
 * @property {Record<string, readonly unknown[]>} [candidates] legal values by field
 * @property {Wrong | null} [wrong]
 * @property {string | null} [who] the combatant of the form
 * @property {string | null} [option] the option of the form
 * @property {Ruleset | null} [ruleset] the rulebook, if no fight has begun
 * @property {boolean} [explain] whether each field shows its description
 * @property {readonly string[] | null} [essential] fields to show at once, if the service names them
 * @property {readonly string[]} [idle] fields that make no difference now
 * @property {boolean} [whole] whether the form shows every field at once
 * @property {readonly Inputs[]} [like] inputs of other such forms. The form folds fields that these seldom have
 */

/** @param {FormProps} props */
export function Form({ schema, value, set, candidates = {}, wrong = null, who = null, option = null, ruleset = playing.value, explain = false, essential = null, idle = [], whole = false, like = [] }) {
  const all = readable(fields(schema))
    .filter((field) => !idle.includes(field.name) || filled(value[field.name]))
    .filter((field) => candidates[field.name]?.length !== 1 || worthSeeing(candidates, field, value))
    .map((field) => completed(field, value, ruleset))
    .filter((field) => !(kind(field) === "free" && awaits(field.name, value)) || filled(value[field.name]));
  const usual = like.length > 0 ? usualFields(schema, like) : null;
  const named = all.some((field) => field.name === "name");
  const several = (/** @type {string} */ name) => (candidates[name]?.length ?? 0) > 1;
  /** Return true if a field is always visible. @param {Field} one */
  const always = ({ name, required }) => {
    if (wrong?.at[0] === name) return true;
    if (named && name === "id") return false; // the page makes the id from the name
    if (usual !== null) return name === "name" || usual.includes(name);
    return essential === null && (required || several(name));
  };
  /** @param {Field} one */
  const needed = ({ name, required }) => (essential === null ? filled(value[name]) && !(named && name === "id") : essential.includes(name) || (required && value[name] === undefined));
  const [first] = useState(() => new Set(all.filter((field) => needed(field) || always(field)).map((field) => field.name)));
  const shown = all.filter((field) => first.has(field.name) || always(field));
  const rest = all.filter((field) => !shown.includes(field));
  const [open, setOpen] = useState(whole || shown.length === 0);
  const draw = (/** @type {Field} */ field) => html`
    <${Line}
      key=${field.name}
      field=${field}
      value=${value[field.name]}
      set=${(/** @type {unknown} */ next) => set(field.name, next)}
      candidates=${candidates[field.name] ?? []}
      wrong=${wrong?.at[0] === field.name ? { at: wrong.at.slice(1), text: wrong.text } : null}
      who=${who}
      option=${option}
      ruleset=${ruleset}
      explain=${explain}
      like=${like}
    />
  `;
  return html`
    <div class="form">
      ${shown.map(draw)}
      ${rest.length > 0 &&
      html`<details class="rest" open=${open} onToggle=${(/** @type {any} */ event) => unfold(event.currentTarget, setOpen)}>
        <summary>${usual !== null ? `Seldom needed (${rest.length})` : essential === null ? `${rest.length} more ${rest.length === 1 ? "field" : "fields"}` : "More"}</summary>
        ${open && rest.map(draw)}
      </details>`}
    </div>
  `;
}

/** Unfold a part, and scroll it above the buttons at the bottom. @param {HTMLDetailsElement} rest @param {(open: boolean) => void} set */
function unfold(rest, set) {
  set(rest.open);
  if (rest.open && rest.closest(".cards") && rest.contains(document.activeElement)) requestAnimationFrame(() => rest.scrollIntoView({ block: "start" }));
}

/** Return the fault's place below a form, or null if the fault is elsewhere. @param {{ pointer?: string | null, text: string } | null | undefined} fault @param {Schema} schema @returns {Wrong | null} */
export function wrongIn(fault, schema) {
  if (!fault?.pointer) return null;
  const steps = fault.pointer.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  const from = steps.findIndex((step) => step in (schema.properties ?? {}));
  return from < 0 ? null : { at: steps.slice(from), text: fault.text };
}

/** Return true if a field is meaningless until another one is chosen. @param {string} name @param {Inputs} whole */
const awaits = (name, whole) => (name === "inputs" && !whole.action) || (name === "data" && !whole.condition);

/** Return false for a chosen value without alternatives, unless it is worth a line. @param {Record<string, readonly unknown[]>} candidates @param {Field} field @param {Inputs} value */
function worthSeeing(candidates, field, value) {
  return value[field.name] === undefined || (candidates[field.name]?.[0] !== null && candidates[field.name]?.[0] !== false);
}

const ALONE = ["number", "text"];
const WIDE = ["group", "list", "table", "free"];

/** One field. @param {WidgetProps} props */
function Line(props) {
  const { field, wrong, explain, like = [] } = props;
  const what = kind(field);
  const here = wrong !== null && (wrong.at.length === 0 || !WIDE.includes(what));
  const group = ALONE.includes(what) ? undefined : "group";
  const label = titled(field);
  const about = [said(field.about, label), explain && ["number", "text", "either"].includes(what) && label !== "Name" ? exampleOf(like, field.name) : ""].filter(Boolean).join(". ");
  const classes = ["field", WIDE.includes(what) && "wide", here && "wrong"].filter(Boolean).join(" ");
  return html`
    <div class=${classes} role=${group} aria-label=${group && label}>
      <span class="label" title=${about}>${label}${explain && WIDE.includes(what) && about && html` <small>${about}</small>`}</span>
      <${Widget} ...${props} />
      ${here && html`<p class="fault" role="alert">${wrong.text}</p>`}
      ${explain && !WIDE.includes(what) && about && html`<p class="hint about">${about}</p>`}
    </div>
  `;
}

/** Return the description of a field, unless the label already says it. @param {string} about @param {string} label */
function said(about, label) {
  const text = about.replace(/(\. )?`?\bnull\b`?( =|:)?/g, (_, stop, is) => (stop ? `${stop}Empty` : "empty") + (is ? ":" : "")).replaceAll("`", "");
  return label === "Name" || text.toLowerCase() === label.toLowerCase() || /^ids? of\b/i.test(text) ? "" : text;
}

/** The control of a field, by the type of its value. @param {WidgetProps} props */
function Widget(props) {
  const { field, candidates } = props;
  const what = kind(field);
  const picks = candidates.length > 0 ? candidates : known(props);
  const label = titled(field);
  if (what === "path" || what === "square" || what === "squares") return html`<${Places} ...${props} several=${what !== "square"} path=${what === "path"} />`;
  if (what === "picture") return html`<${Picture} value=${props.value} set=${props.set} label=${label} longest=${MAP_PX} />`;
  if (what === "switch") return html`<${Switch} ...${props} label=${label} />`;
  if (what === "number") return html`<${Amount} ...${props} label=${label} />`;
  if (what === "several" && picks.length > 0) return html`<${Several} ...${props} picks=${picks} label=${label} />`;
  if (what === "several" || what === "list") return html`<${List} ...${props} />`;
  if (what === "group") return html`<${Group} ...${props} />`;
  if (what === "table") return html`<${Table} ...${props} />`;
  if (picks.length > 0 && picks.every((pick) => typeof pick !== "object" || pick === null || Array.isArray(pick))) return html`<${Pick} ...${props} picks=${picks} label=${label} />`;
  if (what === "either") return html`<${Either} ...${props} />`;
  if (what === "text") return html`<${Text} ...${props} label=${label} />`;
  return html`<${Free} ...${props} />`;
}

/** A folded object. An optional one can be added and removed. @param {WidgetProps} props */
function Group(props) {
  const { field, value, set, candidates, wrong, who, option, ruleset, explain, like = [] } = props;
  const others = partsOf(like, field.name);
  const label = words(field.name);
  const [open, setOpen] = useState(isNew(value, field.schema));
  if (value === null || (value === undefined && field.nullable)) {
    return html`<button type="button" class="add" onClick=${() => (setOpen(true), set(blank(field.schema)))}>Add ${label.toLowerCase()}</button>`;
  }
  const whole = /** @type {Inputs} */ (value ?? {});
  const change = (/** @type {string} */ name, /** @type {unknown} */ next) => set(changed(whole, name, next));
  const unfolded = open || wrong !== null || candidates.length > 1;
  return html`
    <details class="nested" open=${unfolded} onToggle=${(/** @type {any} */ event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary>${brief(whole) || "as usual"}</summary>
      ${unfolded && html`<${Form} key=${Object.keys(field.schema.properties ?? {}).join()} schema=${field.schema} value=${whole} set=${change} candidates=${parts(candidates, field.schema)} wrong=${wrong} who=${who} option=${option} ruleset=${ruleset} explain=${explain} like=${others} whole=${others.length === 0 && isNew(whole, field.schema)} />`}
      ${field.nullable && html`<button type="button" class="quiet" onClick=${() => set(null)}>Remove ${label.toLowerCase()}</button>`}
    </details>
  `;
}

/** A list of values of any type. @param {WidgetProps} props */
function List(props) {
  const { field, value, set, wrong, candidates, like = [] } = props;
  const others = partsOf(like, field.name);
  const all = Array.isArray(value) ? value : [];
  const offered = candidates.filter(Array.isArray);
  const item = fieldOf(singular(field.name), field.schema.items ?? {}, field.schema, true);
  const most = field.schema.maxItems ?? Infinity;
  const put = (/** @type {number} */ at, /** @type {unknown} */ next) => set(all.map((part, index) => (index === at ? next : part)));
  const add = () => set([...all, fresh(item.schema, kind(item))]);
  return html`
    <div class="list">
      ${offered.length > 1 && html`<${Chips} label=${`${words(field.name)}: as offered`} picks=${offered} chosen=${[all]} pick=${set} />`}
      ${all.map(
        (content, index) => html`
          <div class="item" key=${index} role="group" aria-label=${`${words(item.name)} ${index + 1}`}>
            <${Widget} ...${props} like=${others.map((part) => ({ [item.name]: part }))} field=${item} value=${content} candidates=${[]} set=${(/** @type {unknown} */ next) => put(index, next)} wrong=${inside(wrong, String(index))} />
            <button type="button" class="quiet" aria-label=${`Remove ${item.name.replace(/_/g, " ")} ${index + 1}`} onClick=${() => set(all.filter((_, at) => at !== index))}>✕</button>
            ${wrong?.at.length === 1 && wrong.at[0] === String(index) && html`<p class="fault" role="alert">${wrong.text}</p>`}
          </div>
        `,
      )}
      ${all.length < most && html`<button type="button" class="add" onClick=${add}>Add ${words(item.name).toLowerCase()}</button>`}
    </div>
  `;
}

/** A table of names, each with a value. @param {WidgetProps} props */
function Table(props) {
  const { field, value, set, wrong, ruleset } = props;
  const [name, setName] = useState("");
  const whole = /** @type {Inputs} */ (value ?? {});
  const schema = typeof field.schema.additionalProperties === "object" ? field.schema.additionalProperties : {};
  const known = namesOf(field.name, field.refers, ruleset).filter((text) => !(text in whole));
  const add = (/** @type {string} */ key) => {
    if (key.trim() === "" || key in whole) return;
    set({ ...whole, [key.trim()]: fresh(fieldOf(key, schema, field.schema, true).schema, kind(fieldOf(key, schema, field.schema, true))) });
    setName("");
  };
  return html`
    <div class="list">
      ${Object.entries(whole).map(([key, content]) => {
        const part = fieldOf(key, schema, field.schema, true);
        return html`
          <div class="item named" key=${key} role="group" aria-label=${words(key)}>
            <span class="label">${shown.value?.combatants.find((other) => other.id === key)?.name ?? called(field.name, key, ruleset)}</span>
            <${Widget} ...${props} field=${{ ...part, refers: field.refers }} value=${content} candidates=${[]} set=${(/** @type {unknown} */ next) => set(changed(whole, key, next))} wrong=${inside(wrong, key)} />
            <button type="button" class="quiet" aria-label=${`Remove ${words(key)}`} onClick=${() => set(changed(whole, key, undefined))}>✕</button>
          </div>
        `;
      })}
      ${known.length > 0
        ? html`<${Chips} label=${`Add to ${words(field.name)}`} picks=${known} chosen=${[]} pick=${add} refers=${field.name === "budget" ? "budget" : field.refers} />`
        : html`<span class="adding">
            <input type="text" aria-label=${`New name in ${words(field.name)}`} placeholder="name" maxlength="120" value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
            <button type="button" class="add" onClick=${() => add(name)}>Add</button>
          </span>`}
    </div>
  `;
}

/** A value of one of several shapes. @param {WidgetProps} props */
function Either(props) {
  const { field, value, set } = props;
  const all = shapes(field);
  const [chosen, setChosen] = useState(value === undefined || value === null ? 0 : fitting(value, all));
  const schema = all[chosen] ?? {};
  const inner = { ...field, schema };
  const turn = (/** @type {string} */ label) => {
    const at = all.findIndex((other, index) => shapeName(other, index, all) === label);
    setChosen(at);
    set(undefined);
  };
  return html`
    <div class="either">
      <select aria-label=${`${words(field.name)}: which kind`} value=${shapeName(schema, chosen, all)} onChange=${(/** @type {any} */ event) => turn(event.target.value)}>
        ${all.map((other, index) => html`<option key=${index} value=${shapeName(other, index, all)}>${shapeName(other, index, all)}</option>`)}
      </select>
      <${Widget} ...${props} field=${inner} />
    </div>
  `;
}

/** An object without a schema: names, each with a word or a number. @param {WidgetProps} props */
function Free(props) {
  const open = { ...props.field, schema: { ...props.field.schema, type: "object", additionalProperties: {} } };
  if (props.field.schema.type === "object") return html`<${Table} ...${props} field=${open} />`;
  return html`<${Plain} ...${props} />`;
}

/** @param {WidgetProps["wrong"]} wrong @param {string} step */
const inside = (wrong, step) => (wrong?.at[0] === step ? { at: wrong.at.slice(1), text: wrong.text } : null);
