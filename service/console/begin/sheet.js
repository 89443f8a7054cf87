// One combatant before the fight: a line, and its sheet as a form.
import { html, useState } from "../view.js";
import { Form, wrongIn } from "../schema/form.js";
import { Picture } from "../schema/picture.js";

/** @import { Inputs, Ruleset } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */
/** @import { Entrant } from "./setup.js" */

/** `placed`: side and square are asked elsewhere. @param {{ ruleset: Ruleset, entrant: Entrant, change: (more: Partial<Entrant>) => void, remove?: () => void, fault: Fault | null, placed?: boolean }} props */
export function Sheet({ ruleset, entrant, change, remove, fault, placed = false }) {
  const [open, setOpen] = useState(false);
  const { sheet, copies } = entrant;
  const name = String(sheet.name ?? "");
  const set = (/** @type {string} */ field, /** @type {unknown} */ value) => {
    const next = /** @type {Inputs} */ ({ ...sheet });
    if (value === undefined) delete next[field];
    else next[field] = value;
    change({ sheet: next });
  };
  return html`
    <article class=${fault ? "sheet wrong" : "sheet"} role="group" aria-label=${`Sheet of ${name}`}>
      <div class="row">
        <input type="text" aria-label="Name" required value=${name} onInput=${(/** @type {any} */ event) => set("name", event.target.value)} />
        ${!placed && html`<input type="text" aria-label=${`Side of ${name}`} required value=${String(sheet.side ?? "")} onInput=${(/** @type {any} */ event) => set("side", event.target.value)} />`}
        <span class="stepper" role="group" aria-label=${`Copies of ${name}`}>
          <button type="button" aria-label=${`One ${name} less`} onClick=${() => change({ copies: Math.max(1, copies - 1) })}>−</button>
          <output>${copies}</output>
          <button type="button" aria-label=${`One ${name} more`} onClick=${() => change({ copies: Math.min(50, copies + 1) })}>+</button>
        </span>
        ${remove && html`<label class="hide"><input type="checkbox" aria-label=${`${name} is hidden`} checked=${entrant.hidden === true} onChange=${(/** @type {any} */ event) => change({ hidden: event.target.checked })} /> hidden</label>`}
        <button type="button" class="quiet" aria-expanded=${open || fault !== null} onClick=${() => setOpen(!open)}>Sheet</button>
        ${remove && html`<button type="button" class="quiet" aria-label=${`Remove ${name}`} onClick=${remove}>✕</button>`}
      </div>
      ${(open || fault !== null) && html`<${Picture} label=${`Picture of ${name}`} value=${sheet.picture} set=${(/** @type {unknown} */ picture) => set("picture", picture ?? undefined)} /><${Form} schema=${withoutHead(ruleset.sheet)} value=${sheet} set=${set} wrong=${wrongIn(fault, ruleset.sheet)} ruleset=${ruleset} explain />`}
    </article>
  `;
}

/** Omit the fields that the line already has. @param {Ruleset["sheet"]} schema */
function withoutHead(schema) {
  const { name, side, picture, ...properties } = /** @type {any} */ (schema).properties;
  return { ...schema, properties };
}
