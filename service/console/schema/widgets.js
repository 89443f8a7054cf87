// The control of one field, by what its value is.
import { html, useEffect, useState } from "../view.js";
import { plain, words } from "../board.js";
import { ruleset, shown } from "../store.js";
import { kind, same } from "./read.js";
import { Chips } from "./chips.js";
import { Places } from "./places.js";

/** @import { Field } from "./read.js" */

/** @typedef {{ field: Field, value: unknown, set: (value: unknown) => void, candidates: readonly unknown[], who: string | null, option: string | null }} WidgetProps */

const FEW = 14;

/** @param {WidgetProps} props */
export function Widget(props) {
  const { field, candidates } = props;
  const what = kind(field);
  const picks = candidates.length > 0 ? candidates : known(field);
  const label = words(field.name);
  if (what === "path" || what === "square") return html`<${Places} ...${props} path=${what === "path"} />`;
  if (what === "switch") return html`<${Switch} ...${props} label=${label} />`;
  if (what === "number") return html`<${Amount} ...${props} label=${label} />`;
  if (what === "several") return html`<${Several} ...${props} picks=${picks} label=${label} />`;
  if (picks.length > 0) return html`<${Pick} ...${props} picks=${picks} label=${label} />`;
  if (what === "text") return html`<${Text} ...${props} label=${label} />`;
  return html`<${Data} ...${props} label=${label} />`;
}

/** What a value may name, where the service lists no candidates. @param {Field} field @returns {readonly unknown[]} */
function known({ schema, refers, nullable }) {
  const none = nullable ? [null] : [];
  if (schema.enum) return [...none, ...schema.enum];
  if (refers === "combatant") return [...none, ...(shown.value?.combatants.map((one) => one.id) ?? [])];
  if (refers === "side") return [...none, ...(shown.value?.sides ?? [])];
  if (refers === "condition") return [...none, ...(ruleset.value?.conditions.map((one) => one.id) ?? [])];
  if (refers === "track") return [...none, ...(ruleset.value?.tracks.map((one) => one.id) ?? [])];
  if (refers === "purpose") return [...none, ...(ruleset.value?.purposes ?? [])];
  return [];
}

/** One of several values: chips, or a list when there are many. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
function Pick({ value, set, picks, label, candidates, field }) {
  if (picks.length <= FEW) return html`<${Chips} picks=${picks} chosen=${[value ?? null]} pick=${set} label=${label} refers=${field.refers} />`;
  const at = picks.findIndex((one) => same(one, value));
  return html`
    <select aria-label=${label} value=${at} onChange=${(/** @type {any} */ event) => set(picks[event.target.value])}>
      ${at < 0 && html`<option value="-1">choose</option>`}
      ${picks.map((one, index) => html`<option value=${index} key=${index}>${candidates.length > 0 ? plain(one) : words(plain(one))}</option>`)}
    </select>
  `;
}

/** A list of names. @param {WidgetProps & { picks: readonly unknown[], label: string }} props */
function Several({ value, set, picks, label, field }) {
  const chosen = Array.isArray(value) ? value : [];
  const all = [...new Set([...picks.flat(), ...chosen].map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
  if (all.length === 0) return html`<${Data} value=${value} set=${set} label=${label} />`;
  const pick = (/** @type {unknown} */ one) =>
    set(chosen.some((other) => same(other, one)) ? chosen.filter((other) => !same(other, one)) : [...chosen, one]);
  return html`<${Chips} picks=${all.filter((one) => one !== null)} chosen=${chosen} pick=${pick} label=${label} refers=${field.refers} several />`;
}

/** @param {WidgetProps & { label: string }} props */
function Switch({ value, set, label }) {
  return html`<input type="checkbox" class="switch" role="switch" aria-label=${label} checked=${value === true} onChange=${(/** @type {any} */ event) => set(event.target.checked)} />`;
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
      value=${value ?? ""}
      onInput=${(/** @type {any} */ event) => set(event.target.value === "" ? (field.nullable ? null : undefined) : Number(event.target.value))}
    />
  `;
}

/** @param {WidgetProps & { label: string }} props */
function Text({ field, value, set, label }) {
  return html`<input type="text" aria-label=${label} maxlength=${field.schema.maxLength} value=${value ?? ""} onInput=${(/** @type {any} */ event) => set(event.target.value)} />`;
}

/** What no control fits: JSON as it is sent, with the service's own examples to start from. @param {WidgetProps & { label: string }} props */
function Data({ value, set, label, candidates = [] }) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value)));
  const [wrong, setWrong] = useState(false);
  useEffect(() => setText(value === undefined ? "" : JSON.stringify(value)), [JSON.stringify(value)]);
  const write = (/** @type {string} */ next) => {
    setText(next);
    try {
      set(next.trim() === "" ? undefined : JSON.parse(next));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return html`
    <div class="data">
      ${candidates.length > 1 &&
      html`<select aria-label=${`${label}: examples`} onChange=${(/** @type {any} */ event) => set(candidates[event.target.value])}>
        ${candidates.map((one, index) => html`<option value=${index} key=${index} selected=${same(one, value)}>${plain(one)}</option>`)}
      </select>`}
      <input type="text" class="code" aria-label=${`${label} as JSON`} aria-invalid=${wrong} value=${text} onChange=${(/** @type {any} */ event) => write(event.target.value)} />
    </div>
  `;
}
