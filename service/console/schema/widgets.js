// The control of one field, by what its value is.
import { html } from "../view.js";
import { called, plain, words } from "../board.js";
import { shown } from "../store.js";
import { follow, kind, same } from "./read.js";
import { Chips } from "./chips.js";
import { Either, Free, Group, List, Table } from "./nested.js";
import { Places } from "./places.js";

/** @import { Field } from "./read.js" */
/** @import { Ruleset } from "../shapes.d.ts" */

/**
 * @typedef {object} WidgetProps
 * @property {Field} field
 * @property {unknown} value
 * @property {(value: unknown) => void} set
 * @property {readonly unknown[]} candidates
 * @property {import("./form.js").Wrong | null} wrong
 * @property {string | null} who
 * @property {string | null} option
 * @property {Ruleset | null} ruleset
 * @property {boolean} explain
 */

const FEW = 14;

/** @param {WidgetProps} props */
export function Widget(props) {
  const { field, candidates } = props;
  const what = kind(field);
  const picks = candidates.length > 0 ? candidates : known(props);
  const label = words(field.name);
  if (what === "path" || what === "square" || what === "squares") return html`<${Places} ...${props} several=${what !== "square"} path=${what === "path"} />`;
  if (what === "switch") return html`<${Switch} ...${props} label=${label} />`;
  if (what === "number") return html`<${Amount} ...${props} label=${label} />`;
  if (what === "several" && picks.length > 0) return html`<${Several} ...${props} picks=${picks} label=${label} />`;
  if (what === "several" || what === "list") return html`<${List} ...${props} />`;
  if (what === "group") return html`<${Group} ...${props} />`;
  if (what === "table") return html`<${Table} ...${props} />`;
  if (picks.length > 0 && picks.every((one) => typeof one !== "object" || one === null || Array.isArray(one))) return html`<${Pick} ...${props} picks=${picks} label=${label} />`;
  if (what === "either") return html`<${Either} ...${props} />`;
  if (what === "text") return html`<${Text} ...${props} label=${label} />`;
  return html`<${Free} ...${props} />`;
}

/** What a value may name, where the service lists no candidates. @param {WidgetProps} props @returns {readonly unknown[]} */
function known({ field: { schema, refers, nullable }, ruleset, who }) {
  const none = nullable ? [null] : [];
  const listed = schema.enum ?? (schema.items && follow(schema.items, schema).enum);
  if (listed) return [...none, ...listed];
  const board = shown.value;
  if (refers === "combatant") return [...none, ...(board?.combatants.map((one) => one.id) ?? [])];
  if (refers === "side") return [...none, ...(board?.sides ?? [])];
  if (refers === "condition") return [...none, ...(ruleset?.conditions.map((one) => one.id) ?? [])];
  if (refers === "track") return [...none, ...(ruleset?.tracks.map((one) => one.id) ?? [])];
  if (refers === "purpose") return [...none, ...(ruleset?.purposes ?? [])];
  if (refers === "fact") return [...none, ...(ruleset?.facts.map((one) => one.id) ?? [])];
  if (refers === "marker") return board?.combatants.find((one) => one.id === who)?.markers.map((one) => one.id) ?? [];
  const owned = carried(refers, /** @type {any} */ (board?.combatants.find((one) => one.id === who)?.sheet));
  return owned.length > 0 ? [...none, ...owned] : [];
}

/** What somebody's sheet lists under that name. @param {string | null} refers @param {Record<string, any> | null | undefined} sheet @returns {string[]} */
function carried(refers, sheet) {
  const list = sheet?.[`${refers}s`] ?? sheet?.[String(refers).replace(/y$/, "ies")];
  return Array.isArray(list) ? list.map((one) => one?.id).filter((one) => typeof one === "string") : [];
}

/** One of several values: chips, or a list when there are many. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
function Pick({ value, set, picks, label, candidates, field, ruleset }) {
  const chosen = value ?? field.schema.default ?? null;
  if (picks.length <= FEW) return html`<${Chips} picks=${picks} chosen=${[chosen]} pick=${set} label=${label} refers=${field.refers} />`;
  const at = picks.findIndex((one) => same(one, chosen));
  return html`
    <select aria-label=${label} value=${at} onChange=${(/** @type {any} */ event) => set(picks[event.target.value])}>
      ${at < 0 && html`<option value="-1">choose</option>`}
      ${picks.map((one, index) => html`<option value=${index} key=${index}>${candidates.length > 0 ? plain(one) : called(field.refers, plain(one), ruleset)}</option>`)}
    </select>
  `;
}

/** A list of names. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
function Several({ value, set, picks, label, field }) {
  const chosen = Array.isArray(value) ? value : [];
  const all = [...new Set([...picks.flat(), ...chosen].map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
  const pick = (/** @type {unknown} */ one) =>
    set(chosen.some((other) => same(other, one)) ? chosen.filter((other) => !same(other, one)) : [...chosen, one]);
  return html`<${Chips} picks=${all.filter((one) => one !== null)} chosen=${chosen} pick=${pick} label=${label} refers=${field.refers} several />`;
}

/** @param {WidgetProps & { label: string }} props */
function Switch({ field, value, set, label }) {
  return html`<input type="checkbox" class="switch" role="switch" aria-label=${label} checked=${(value ?? field.schema.default) === true} onChange=${(/** @type {any} */ event) => set(event.target.checked)} />`;
}

/** @param {WidgetProps & { label: string }} props */
function Amount({ field, value, set, label }) {
  const { minimum, maximum } = field.schema;
  return html`
    <input
      type="number"
      inputmode="numeric"
      aria-label=${label}
      min=${minimum}
      max=${maximum}
      placeholder=${field.schema.default ?? undefined}
      value=${value ?? ""}
      onInput=${(/** @type {any} */ event) => set(event.target.value === "" ? (field.nullable ? null : undefined) : Number(event.target.value))}
    />
  `;
}

/** @param {WidgetProps & { label: string }} props */
function Text({ field, value, set, label }) {
  return html`<input type="text" aria-label=${label} maxlength=${field.schema.maxLength} placeholder=${field.schema.default ?? undefined} value=${value ?? ""} onInput=${(/** @type {any} */ event) => set(event.target.value === "" && field.nullable ? null : event.target.value)} />`;
}
