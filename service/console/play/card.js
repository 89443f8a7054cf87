// One open question: what is asked, one button an option, a form where the option needs one.
import { html, useState } from "../view.js";
import { ruleset, schemas, shown } from "../store.js";
import { plain, sidesOf, words } from "../board.js";
import { beginning, fitted, immediate, sendable } from "../schema/read.js";
import { Form, wrongIn } from "../schema/form.js";
import { Name } from "../schema/chips.js";
import { RuleName } from "../audit/rules.js";
import { attempt, sending } from "./act.js";
import { Dice } from "./dice.js";
import { Refusals } from "./refusals.js";
import { Preview } from "./preview.js";
import { Clock } from "./clock.js";

/** @import { Inputs, Offer, Prompt } from "../shapes.d.ts" */
/** @import { Fault } from "./act.js" */

/** What was begun and not sent: it outlives the card, and goes over to the next question of the same name. @type {Map<string, { option: string, inputs: Inputs, touched: Set<string> }>} */
const drafts = new Map();

const KINDS = /** @type {Record<string, string>} */ ({ roll: "dice", reaction: "reaction", choice: "choice", ruling: "the GM decides", declare: "declare", turn: "turn" });

/** @param {Prompt} prompt */
const topic = (prompt) => `${prompt.who} ${prompt.name}`;

/** @param {{ prompt: Prompt, offers: readonly Offer[] }} props */
export function Card({ prompt, offers }) {
  const [change, setChange] = useState(false);
  if (prompt.answer !== null && !change) {
    return html`<article class="card answered">
      <${Heading} prompt=${prompt} />
      <p>Answered: <b>${label(offers, prompt.answer)}</b> <button type="button" class="quiet" onClick=${() => setChange(true)}>Change</button></p>
    </article>`;
  }
  return html`
    <article class=${`card ask ${prompt.kind}`} data-prompt=${prompt.id}>
      <${Heading} prompt=${prompt} />
      ${prompt.kind === "roll" ? html`<${Dice} prompt=${prompt} />` : html`<${Choices} prompt=${prompt} offers=${offers} done=${() => setChange(false)} />`}
    </article>
  `;
}

/** @param {readonly Offer[]} offers @param {string} id */
const label = (offers, id) => offers.find((one) => one.id === id)?.label ?? words(id);

/** @param {{ prompt: Prompt }} props */
function Heading({ prompt }) {
  const board = shown.value;
  const about = ruleset.value?.prompts.find((one) => one.name === prompt.name && one.kind === prompt.kind)?.about;
  return html`
    <header>
      <span class="who">${prompt.who === null ? "GM" : html`<${Name} value=${prompt.who} />`}</span>
      <span class="kind">${KINDS[prompt.kind] ?? prompt.kind}</span>
      ${prompt.until && html`<${Clock} until=${prompt.until} text=${prompt.text} />`}
      ${prompt.rules.map((rule) => html`<${RuleName} id=${rule} key=${rule} />`)}
      <h3 title=${about}>${prompt.text}</h3>
      ${board !== null && prompt.kind !== "roll" && prompt.kind !== "turn" && html`<${Circumstances} data=${prompt.data} />`}
    </header>
  `;
}

/** What belongs to the question, in words. @param {{ data: Prompt["data"] }} props */
function Circumstances({ data }) {
  const told = Object.entries(data).filter(([, value]) => value !== null && typeof value !== "object");
  if (told.length === 0) return null;
  return html`<p class="circumstances">${told.map(([name, value]) => `${words(name).toLowerCase()}: ${meant(value)}`).join(" · ")}</p>`;
}

/** An id by its name, where it is one's. @param {unknown} value */
function meant(value) {
  if (typeof value !== "string") return plain(value);
  const somebody = shown.value?.combatants.find((one) => one.id === value)?.name;
  return somebody ?? (/^[a-z]+([-_][a-z]+)*$/.test(value) ? words(value).toLowerCase() : value);
}

/** @param {{ prompt: Prompt, offers: readonly Offer[], done: () => void }} props */
function Choices({ prompt, offers, done }) {
  const [draft, setDraft] = useState(() => drafts.get(topic(prompt)) ?? null);
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const legal = offers.filter((one) => one.legal);
  const chosen = legal.find((one) => one.id === draft?.option);

  /** @param {{ option: string, inputs: Inputs, touched: Set<string> } | null} next */
  function keep(next) {
    if (next === null) drafts.delete(topic(prompt));
    else drafts.set(topic(prompt), next);
    setDraft(next);
    setFault(null);
  }

  /** @param {Offer} offer @param {Inputs} inputs */
  async function answer(offer, inputs) {
    setFault(null);
    const wrong = await attempt(`/prompts/${prompt.id}`, { option: offer.id, inputs });
    setFault(wrong);
    if (wrong !== null) return;
    keep(null);
    done();
  }

  /** @param {Offer} offer */
  function pick(offer) {
    const schema = schemas.value[offer.inputs] ?? {};
    if (immediate(offer, schema)) void answer(offer, offer.examples[0] ?? {});
    else if (offer.id === draft?.option) keep(null);
    else keep({ option: offer.id, inputs: beginning(offer, schema, sidesOf(shown.value)), touched: new Set() });
  }

  if (offers.length === 0) return html`<p class="calm">…</p>`;
  return html`
    <div class="options" role="group" aria-label="Options">
      ${legal.map((one) => html`<${Option} key=${one.id} offer=${one} on=${one.id === chosen?.id} usual=${one.id === prompt.default} pick=${pick} />`)}
    </div>
    ${chosen && draft && html`<${Filling} offer=${chosen} draft=${draft} keep=${keep} send=${answer} fault=${fault} prompt=${prompt} key=${chosen.id} />`}
    ${fault !== null && !fault.pointer && html`<p class="fault" role="alert">${fault.text} ${fault.rule && html`<${RuleName} id=${fault.rule} />`}</p>`}
    <${Refusals} offers=${offers.filter((one) => !one.legal)} />
  `;
}

/** @param {{ offer: Offer, on: boolean, usual: boolean, pick: (offer: Offer) => void }} props */
function Option({ offer, on, usual, pick }) {
  const form = !immediate(offer, schemas.value[offer.inputs]);
  const wait = sending.value !== null;
  return html`
    <button type="button" class=${usual ? "option usual" : "option"} aria-expanded=${form ? on : undefined} aria-disabled=${wait} onClick=${() => !wait && pick(offer)}>
      <span>${offer.label}${form ? "…" : ""}</span>
      ${offer.cost && offer.cost !== "none" && html`<small>${offer.cost}</small>`}
      ${usual && html`<small>default</small>`}
    </button>
  `;
}

/**
 * The form of an option and what sends it.
 * @param {{ offer: Offer, draft: { option: string, inputs: Inputs, touched: Set<string> }, prompt: Prompt, fault: Fault | null,
 *   keep: (draft: { option: string, inputs: Inputs, touched: Set<string> } | null) => void, send: (offer: Offer, inputs: Inputs) => void }} props
 */
function Filling({ offer, draft, keep, send, fault, prompt }) {
  const schema = schemas.value[offer.inputs] ?? {};
  const inputs = sendable(draft.inputs, schema);
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    keep({ ...draft, inputs: fitted(offer, draft.inputs, name, value, draft.touched), touched: new Set([...draft.touched, name]) });
  return html`
    <form
      class="filling"
      aria-label=${offer.label}
      onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        send(offer, inputs);
      }}
    >
      <${Form} schema=${schema} value=${draft.inputs} set=${set} candidates=${offer.candidates} wrong=${wrongIn(fault, schema)} who=${prompt.who} option=${offer.id} />
      ${fault?.pointer && wrongIn(fault, schema) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>${offer.label}</button>
        <button type="button" class="quiet" onClick=${() => keep(null)}>Not this</button>
        <${Preview} key=${JSON.stringify(inputs)} body=${{ command: "answer", prompt: prompt.id, option: offer.id, inputs }} />
      </div>
    </form>
  `;
}
