// One combatant in the set-up: a line, and its sheet as a form.
import { html, useState } from "../view.js";
import { Form, wrongIn } from "../schema/form.js";
import { Picture } from "../schema/picture.js";
import { place, written } from "../map/wanted.js";
import { readySheets } from "./models.js";
import { Side } from "./side.js";

/** @import { Inputs, Ruleset } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */
/** @import { Entrant } from "./setup.js" */

/**
 * `sides`: the existing sides, or null if another form has fields for side and square. `square`:
 * the default square.
 * @param {{ ruleset: Ruleset, entrant: Entrant, sides?: readonly string[] | null, square?: string | null, change: (more: Partial<Entrant>) => void, remove?: () => void, fault: Fault | null }} props
 */
export function Sheet({ ruleset, entrant, sides = null, square = null, change, remove, fault }) {
  const [open, setOpen] = useState(false);
  const [ready] = useState(() => readySheets(ruleset).map(({ owner, ...others }) => others)); // the line above the form has a field for the owner
  const { sheet, copies } = entrant;
  const name = String(sheet.name ?? "");
  const played = Boolean(sheet.owner) && sheet.owner !== "GM";
  const set = (/** @type {string} */ field, /** @type {unknown} */ value) => {
    const next = /** @type {Inputs} */ ({ ...sheet });
    if (value === undefined) delete next[field];
    else next[field] = value;
    if (field === "name" && sheet.owner === ownerOf(name)) next.owner = ownerOf(String(value));
    change({ sheet: next });
  };
  return html`
    <article class=${fault ? "sheet wrong" : "sheet"} role="group" aria-label=${`Sheet of ${name}`}>
      <div class="row">
        <input type="text" aria-label="Name" required value=${name} onInput=${(/** @type {any} */ event) => set("name", event.target.value)} />
        ${sides !== null && html`<${Side} name=${name} value=${String(sheet.side ?? "")} sides=${sides} set=${(/** @type {string} */ side) => set("side", side)} />`}
        ${square !== null && html`<${SquareOf} name=${name} at=${sheet.at} square=${square} set=${(/** @type {unknown} */ at) => set("at", at)} />`}
        <span class="stepper" role="group" aria-label=${`Copies of ${name}`}>
          <button type="button" aria-label=${`One ${name} less`} onClick=${() => change({ copies: Math.max(1, copies - 1) })}>−</button>
          <output>${copies}</output>
          <button type="button" aria-label=${`One ${name} more`} onClick=${() => change({ copies: Math.min(50, copies + 1) })}>+</button>
        </span>
        <label class="hide"><input type="checkbox" aria-label=${`A player plays ${name}`} checked=${played} onChange=${(/** @type {any} */ event) => set("owner", event.target.checked ? ownerOf(name) : undefined)} /> player's</label>
        ${remove && html`<label class="hide"><input type="checkbox" aria-label=${`${name} is hidden`} checked=${entrant.hidden === true} onChange=${(/** @type {any} */ event) => change({ hidden: event.target.checked })} /> hidden</label>`}
        <button type="button" class="quiet" aria-expanded=${open || fault !== null} onClick=${() => setOpen(!open)}>Sheet</button>
        ${remove && html`<button type="button" class="quiet" aria-label=${`Remove ${name}`} onClick=${remove}>✕</button>`}
      </div>
      ${(open || fault !== null) && html`<${Picture} label=${`Picture of ${name}`} value=${sheet.picture} set=${(/** @type {unknown} */ picture) => set("picture", picture ?? undefined)} /><${Form} schema=${withoutHead(ruleset.sheet)} value=${sheet} set=${set} wrong=${wrongIn(fault, ruleset.sheet)} ruleset=${ruleset} like=${ready} explain />`}
    </article>
  `;
}

/** The square of a combatant as x, y. If it is empty, the page finds a free square. @param {{ name: string, at: unknown, square: string, set: (at: unknown) => void }} props */
function SquareOf({ name, at, square, set }) {
  return html`<input type="text" class="square" aria-label=${`Square of ${name}`} title="Square: column, row. Empty: where there is room" placeholder=${square} value=${Array.isArray(at) ? place(at) : ""} onChange=${(/** @type {any} */ event) => set(written(event.target.value)?.[0])} />`;
}

/** Return the default label of a combatant's player. @param {string} name */
const ownerOf = (name) => `${name}'s player`;

/** Return a sheet's schema without the fields that the line already has. @param {Ruleset["sheet"]} schema */
function withoutHead(schema) {
  const { name, side, at, picture, ...properties } = /** @type {any} */ (schema).properties;
  return { ...schema, properties };
}
