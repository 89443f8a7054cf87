// A choice of one option, with a form for its inputs.
import { html, useState } from "../view.js";
import { shown } from "../state.js";
import { sidesOf } from "../board.js";
import { beginning, fitted, sendable } from "../schema/read.js";
import { Form } from "../schema/form.js";

/** @import { Inputs, Offer, Schema } from "../shapes.d.ts" */

/** @typedef {{ offer: Offer, inputs: Inputs }} Chosen */

const FEW = 10;

/**
 * @param {{ label: string, offers: readonly Offer[], schemas: Record<string, Schema>, set: (chosen: Chosen) => void,
 *   first?: { option: string, inputs: Inputs }, named?: (offer: Offer) => string }} props
 */
export function Chooser({ label, offers, schemas, set, first, named = (offer) => offer.label }) {
  const known = offers.findIndex((offer) => offer.id === first?.option);
  const [at, setAt] = useState(known);
  const [inputs, setInputs] = useState(/** @type {Inputs} */ (known < 0 ? {} : (first?.inputs ?? {})));
  const [touched, setTouched] = useState(/** @type {readonly string[]} */ ([]));
  const offer = offers[at];
  const schema = offer === undefined ? {} : (schemas[offer.inputs] ?? {});
  const sides = sidesOf(shown.value);

  /** @param {Offer} offer @param {Inputs} next */
  function keep(offer, next) {
    setInputs(next);
    set({ offer: offer, inputs: sendable(next, schemas[offer.inputs] ?? {}) });
  }

  /** @param {number} index */
  function choose(index) {
    const offer = offers[index];
    if (offer === undefined) return;
    setAt(index);
    setTouched([]);
    keep(offer, index === known ? (first?.inputs ?? {}) : beginning(offer, schemas[offer.inputs] ?? {}, sides));
  }

  /** @param {string} name @param {unknown} value */
  function fill(name, value) {
    if (offer === undefined) return;
    setTouched([...touched, name]);
    keep(offer, fitted(offer, inputs, name, value, new Set(touched), schema, sides));
  }

  return html`
    ${offers.length <= FEW
      ? html`<div class="options" role="group" aria-label=${label}>
          ${offers.map((offer, index) => html`<button type="button" class="option" key=${`${offer.who} ${offer.prompt} ${offer.id}`} aria-pressed=${index === at} onClick=${() => choose(index)}>${named(offer)}</button>`)}
        </div>`
      : html`<select aria-label=${label} value=${at} onChange=${(/** @type {any} */ event) => choose(Number(event.target.value))}>
          ${at < 0 && html`<option value="-1">choose</option>`}
          ${offers.map((offer, index) => html`<option value=${index} key=${index}>${named(offer)}</option>`)}
        </select>`}
    ${offer && html`<${Form} key=${at} schema=${schema} value=${inputs} set=${fill} candidates=${offer.candidates} essential=${offer.essential} who=${offer.who} option=${offer.id} />`}
  `;
}
