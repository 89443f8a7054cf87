// Options that are available while somebody else has the turn.
import { html, useEffect, useState } from "../view.js";
import { useDraft } from "../draft.js";
import { sidesOf } from "../board.js";
import { present, ruleset, schemas } from "../state.js";
import { readMore } from "../stream.js";
import { beginning, fitted, immediate, sendable, verb } from "../schema/read.js";
import { Form, wrongIn } from "../schema/form.js";
import { Name, nameOf } from "../schema/chips.js";
import { attempt, sending } from "./act.js";
import { Preview } from "./preview.js";

/** @import { Inputs, Offer } from "../shapes.d.ts" */
/** @import { Fault } from "./act.js" */

export function Anytime() {
  const [all, setAll] = useState(/** @type {Offer[] | null} */ (null));
  const [unfolded, setUnfolded] = useState(false);
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  const version = present.value?.version;
  useEffect(() => {
    if (unfolded) void readMore("").then(setAll, () => setAll([]));
  }, [unfolded, version]);
  const known = ruleset.value?.actions.some((action) => action.interjection) ?? false;
  if (!known || present.value?.status !== "running") return null;
  const possible = (all ?? []).filter((offer) => offer.kind === "interjection" && offer.legal && offer.who !== null);
  const chosen = possible.find((offer) => name(offer) === open);
  return html`
    <details class="anytime" open=${unfolded} onToggle=${(/** @type {any} */ event) => setUnfolded(event.currentTarget.open)}>
      <summary>At any moment</summary>
      ${unfolded && possible.length === 0 && html`<p class="calm">${all === null ? "…" : "Nothing now."}</p>`}
      <div class="options">
        ${possible.map(
          (offer) => html`<button type="button" class="option" key=${name(offer)} aria-expanded=${name(offer) === open} onClick=${() => setOpen(name(offer) === open ? null : name(offer))}>
            <span><${Name} value=${offer.who} />: ${offer.label}</span>${offer.cost && offer.cost !== "none" && html`<small>${offer.cost}</small>`}
          </button>`,
        )}
      </div>
      ${chosen && html`<${Interjection} offer=${chosen} key=${name(chosen)} done=${() => setOpen(null)} />`}
    </details>
  `;
}

/** @param {Offer} offer */
const name = (offer) => `${offer.who}:${offer.id}`;

/** @param {{ offer: Offer, done: () => void }} props */
function Interjection({ offer, done }) {
  const schema = schemas.value[offer.inputs] ?? {};
  const sides = sidesOf(present.value);
  const [{ inputs, touched }, keep, drop] = useDraft(`anytime ${name(offer)}`, () => ({ inputs: beginning(offer, schema, sides), touched: /** @type {string[]} */ ([]) }));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const set = (/** @type {string} */ field, /** @type {unknown} */ value) => {
    keep({ inputs: fitted(offer, inputs, field, value, new Set(touched), schema, sides), touched: [...touched, field] });
  };
  const body = { combatant: offer.who, action: offer.id, inputs: sendable(inputs, schema) };
  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    const wrong = await attempt("/actions", body);
    setFault(wrong);
    if (wrong !== null) return;
    drop();
    done();
  }
  return html`
    <form class="filling narrow" aria-label=${offer.label} onSubmit=${send}>
      ${!immediate(offer, schema) && html`<${Form} schema=${schema} value=${inputs} set=${set} candidates=${offer.candidates} essential=${offer.essential} wrong=${wrongIn(fault, schema)} who=${offer.who} option=${offer.id} />`}
      ${fault && wrongIn(fault, schema) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>${verb(offer, body.inputs, schema, nameOf)}</button>
        <${Preview} key=${JSON.stringify(body)} body=${{ command: "act", ...body }} />
      </div>
    </form>
  `;
}
