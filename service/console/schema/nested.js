// Values that have parts: an object is a form, a list has a form for each of its things, a table a
// line for each of its names.
import { html, useState } from "../view.js";
import { called, plain, words } from "../board.js";
import { shown } from "../store.js";
import { Chips } from "./chips.js";
import { parts } from "./beside.js";
import { filled, Form } from "./form.js";
import { blank, field as fieldOf, kind, shapes } from "./read.js";
import { Widget } from "./widgets.js";

/** @import { Inputs, Schema } from "../shapes.d.ts" */
/** @import { WidgetProps } from "./widgets.js" */

/** An object, folded until somebody wants it; what may be absent is added and removed. @param {WidgetProps} props */
export function Group(props) {
  const { field, value, set, candidates, wrong, who, option, ruleset, explain } = props;
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
      ${unfolded && html`<${Form} key=${Object.keys(field.schema.properties ?? {}).join()} schema=${field.schema} value=${whole} set=${change} candidates=${parts(candidates, field.schema)} wrong=${wrong} who=${who} option=${option} ruleset=${ruleset} explain=${explain} whole=${isNew(whole, field.schema)} />`}
      ${field.nullable && html`<button type="button" class="quiet" onClick=${() => set(null)}>Remove ${label.toLowerCase()}</button>`}
    </details>
  `;
}

/** A list of whatever the items are. @param {WidgetProps} props */
export function List(props) {
  const { field, value, set, wrong, candidates } = props;
  const all = Array.isArray(value) ? value : [];
  const offered = candidates.filter(Array.isArray);
  const item = fieldOf(singular(field.name), field.schema.items ?? {}, field.schema, true);
  const most = field.schema.maxItems ?? Infinity;
  const put = (/** @type {number} */ at, /** @type {unknown} */ next) => set(all.map((one, index) => (index === at ? next : one)));
  const add = () => set([...all, fresh(item.schema, kind(item), item.name, all)]);
  return html`
    <div class="list">
      ${offered.length > 1 && html`<${Chips} label=${`${words(field.name)}: as offered`} picks=${offered} chosen=${[all]} pick=${set} />`}
      ${all.map(
        (one, index) => html`
          <div class="item" key=${index} role="group" aria-label=${`${words(item.name)} ${index + 1}`}>
            <${Widget} ...${props} field=${item} value=${one} candidates=${[]} set=${(/** @type {unknown} */ next) => put(index, next)} wrong=${inside(wrong, String(index))} />
            <button type="button" class="quiet" aria-label=${`Remove ${item.name.replace(/_/g, " ")} ${index + 1}`} onClick=${() => set(all.filter((_, at) => at !== index))}>✕</button>
            ${wrong?.at.length === 1 && wrong.at[0] === String(index) && html`<p class="fault" role="alert">${wrong.text}</p>`}
          </div>
        `,
      )}
      ${all.length < most && html`<button type="button" class="add" onClick=${add}>Add ${words(item.name).toLowerCase()}</button>`}
    </div>
  `;
}

/** Names with a value each. @param {WidgetProps} props */
export function Table(props) {
  const { field, value, set, wrong, ruleset } = props;
  const [name, setName] = useState("");
  const whole = /** @type {Inputs} */ (value ?? {});
  const schema = typeof field.schema.additionalProperties === "object" ? field.schema.additionalProperties : {};
  const known = namesOf(field.name, field.refers, ruleset).filter((one) => !(one in whole));
  const add = (/** @type {string} */ key) => {
    if (key.trim() === "" || key in whole) return;
    set({ ...whole, [key.trim()]: fresh(fieldOf(key, schema, field.schema, true).schema, kind(fieldOf(key, schema, field.schema, true)), key, []) });
    setName("");
  };
  return html`
    <div class="list">
      ${Object.entries(whole).map(([key, one]) => {
        const part = fieldOf(key, schema, field.schema, true);
        return html`
          <div class="item named" key=${key} role="group" aria-label=${words(key)}>
            <span class="label">${shown.value?.combatants.find((other) => other.id === key)?.name ?? called(field.name, key, ruleset)}</span>
            <${Widget} ...${props} field=${{ ...part, refers: field.refers }} value=${one} candidates=${[]} set=${(/** @type {unknown} */ next) => set(changed(whole, key, next))} wrong=${inside(wrong, key)} />
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

/** One of several shapes. @param {WidgetProps} props */
export function Either(props) {
  const { field, value, set } = props;
  const all = shapes(field);
  const fitting = Math.max(0, all.findIndex((one) => fitsShape(value, one)));
  const [chosen, setChosen] = useState(value === undefined || value === null ? 0 : fitting);
  const schema = all[chosen] ?? {};
  const one = { ...field, schema };
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
      <${Widget} ...${props} field=${one} />
    </div>
  `;
}

/** An object of which nobody says what is in it: names, each with a word or a number. @param {WidgetProps} props */
export function Free(props) {
  const open = { ...props.field, schema: { ...props.field.schema, type: "object", additionalProperties: {} } };
  if (props.field.schema.type === "object") return html`<${Table} ...${props} field=${open} />`;
  return html`<${Plain} ...${props} />`;
}

/** A word, a number, yes or no, as it is typed. @param {WidgetProps} props */
function Plain({ field, value, set }) {
  if (typeof value === "object" && value !== null) return html`<output>${plain(value)}</output>`;
  return html`<input type="text" aria-label=${words(field.name)} value=${value ?? ""} onChange=${(/** @type {any} */ event) => set(meant(event.target.value))} />`;
}

/** @param {string} text */
function meant(text) {
  if (text === "") return undefined;
  if (text === "yes" || text === "true") return true;
  if (text === "no" || text === "false") return false;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

/** @param {Inputs} whole @param {string} name @param {unknown} next @returns {Inputs} */
export function changed(whole, name, next) {
  const { [name]: _, ...others } = whole;
  return next === undefined ? others : { ...whole, [name]: next };
}

/** @param {WidgetProps["wrong"]} wrong @param {string} step */
const inside = (wrong, step) => (wrong?.at[0] === step ? { at: wrong.at.slice(1), text: wrong.text } : null);

/** Whether a part was added just now: nothing is in it but what it has to have. @param {unknown} value @param {Schema} schema */
function isNew(value, schema) {
  if (value === null || typeof value !== "object") return false;
  const { id, ...others } = /** @type {Inputs} */ (value);
  const { id: _, ...least } = blank(schema);
  return JSON.stringify(others) === JSON.stringify(least);
}

/** What is in an object, in a line. @param {Inputs} whole */
function brief(whole) {
  const head = whole.name ?? whole.id;
  const told = Object.entries(whole).filter(([name, one]) => filled(one) && name !== "id" && name !== "name");
  const text = told.map(([name, one]) => `${words(name).toLowerCase()} ${plain(one)}`).join(", ");
  const line = head ? `${plain(head)}${text ? `: ${text}` : ""}` : text;
  return line.length > 90 ? `${line.slice(0, 88)}…` : line;
}

/** A new thing of a list; an id that no other has. @param {Schema} schema @param {string} what @param {string} name @param {readonly unknown[]} others @returns {unknown} */
function fresh(schema, what, name, others) {
  if (what === "group") {
    const found = blank(schema);
    const label = name.replace(/_/g, "-");
    const ids = others.map((one) => /** @type {any} */ (one)?.id);
    const free = Array.from({ length: others.length + 1 }, (_, index) => (index === 0 ? label : `${label}-${index + 1}`)).find((one) => !ids.includes(one));
    if (schema.properties?.id && found.id === undefined) found.id = free;
    return found;
  }
  if (what === "number") return schema.minimum !== undefined ? Math.max(0, schema.minimum) : 0;
  if (what === "switch") return true;
  if (what === "choice") return schema.enum?.[0];
  if (what === "list" || what === "several" || what === "square") return [];
  if (what === "table") return {};
  return what === "either" ? undefined : "";
}

/** Names that a table may have. @param {string} name @param {string | null} refers @param {import("../shapes.d.ts").Ruleset | null} ruleset */
function namesOf(name, refers, ruleset) {
  if (refers === "square" || refers === "combatant") return shown.value?.combatants.map((one) => one.id) ?? [];
  if (name === "budget") return ruleset?.budget.map((one) => one.id) ?? [];
  return [];
}

/** "weapons" -> "weapon", "armour" -> "armour". @param {string} name */
const singular = (name) => name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");

/** @param {Schema} schema @param {number} index @param {Schema[]} all */
function shapeName(schema, index, all) {
  const name = schema.enum ? schema.enum.map(plain).join(" / ") : schema.title ? schema.title.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase() : (TYPES[String(schema.type)] ?? "value");
  return all.findIndex((one) => one !== schema && one.title === schema.title && one.type === schema.type && !one.enum) >= 0 ? `${name} ${index + 1}` : name;
}

const TYPES = /** @type {Record<string, string>} */ ({ string: "a word", integer: "a number", number: "a number", boolean: "yes or no", array: "several", object: "in detail" });

/** @param {unknown} value @param {Schema} schema */
function fitsShape(value, schema) {
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === "array") return Array.isArray(value);
  if (schema.type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (schema.type === "integer" || schema.type === "number") return typeof value === "number";
  return typeof value === schema.type;
}
