// A card for one prompt: its text, one button for each option, and a form for the inputs.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { draft as begun, setDraft as keepDraft } from "../draft.js";
import { bringIntoView } from "../focus.js";
import { picked, ruleset, schemas, shown } from "../state.js";
import { sidesOf, words } from "../board.js";
import { aimed, aimless, beginning, elsewhere, fields, fitted, immediate, oneTap, same, sendable, targets, verb } from "../schema/read.js";
import { Form, wrongIn } from "../schema/form.js";
import { Name, nameOf } from "../schema/chips.js";
import { asOneTap } from "../time/taps.js";
import { RuleName } from "../audit/rules.js";
import { sending } from "./act.js";
import { bar, shortened } from "./groups.js";
import { declared, lastRound, noting, told, whole } from "./habits.js";
import { orderForRound } from "./orders.js";
import { played, player } from "./played.js";
import { repeat } from "./repeat.js";
import { Dice } from "./dice.js";
import { Refusals } from "./refusals.js";
import { Preview } from "./preview.js";
import { Clock } from "./clock.js";

/** @import { Inputs, Offer, Prompt } from "../shapes.d.ts" */
/** @import { Answer, Fault } from "./act.js" */

/** An unsent form. It outlives its card and moves to the next prompt of the same name. @typedef {{ option: string, inputs: Inputs, touched: readonly string[] }} Draft */

const KINDS = /** @type {Record<string, string>} */ ({ roll: "dice", reaction: "reaction", choice: "choice", ruling: "the GM decides", declare: "declare", turn: "turn" });

/** @param {Prompt} prompt */
const topic = (prompt) => `card ${prompt.who} ${prompt.name}`;

/** A `brief` card is a row with the common options. `more` expands it. @param {{ prompt: Prompt, offers: readonly Offer[], brief?: boolean, more?: (() => void) | null }} props */
export function Card({ prompt, offers, brief = false, more = null }) {
  const [change, setChange] = useState(false);
  if (prompt.answer !== null && !change) {
    return html`<article class="card answered">
      <${Heading} prompt=${prompt} />
      <p>Answered: <b>${label(offers, prompt.answer)}</b> <button type="button" class="quiet" onClick=${() => setChange(true)}>Change</button></p>
    </article>`;
  }
  const only = prompt.kind !== "roll" && offers.filter((offer) => offer.legal).length === 1;
  return html`
    <article class=${`card ask ${prompt.kind}${only ? " only" : ""}${more ? " row" : ""}${played(prompt.who) ? " anothers" : ""}`} data-prompt=${prompt.id}>
      <${Heading} prompt=${prompt} />
      ${prompt.kind === "roll" ? html`<${Dice} key=${prompt.data.formula} prompt=${prompt} />` : html`<${Choices} prompt=${prompt} offers=${offers} brief=${brief} more=${more} done=${() => setChange(false)} />`}
    </article>
  `;
}

/** @param {readonly Offer[]} offers @param {string} id */
const label = (offers, id) => offers.find((offer) => offer.id === id)?.label ?? words(id);

/** @param {{ prompt: Prompt }} props */
function Heading({ prompt }) {
  const board = shown.value;
  const by = player(prompt.who);
  const about = ruleset.value?.prompts.find((about) => about.name === prompt.name && about.kind === prompt.kind)?.about;
  return html`
    <header>
      <span class="who">${prompt.who === null ? "GM" : html`<${Name} value=${prompt.who} />`}</span>
      ${by !== null && html`<span class="tag">for <bdi>${by}</bdi></span>`}
      <span class="kind">${KINDS[prompt.kind] ?? prompt.kind}</span>
      ${prompt.until && html`<${Clock} until=${prompt.until} text=${prompt.text} />`}
      ${prompt.rules.map((rule) => html`<${RuleName} brief id=${rule} key=${rule} />`)}
      <h3 title=${about}>${prompt.text}</h3>
      ${board !== null && prompt.kind !== "roll" && prompt.kind !== "turn" && html`<${Circumstances} data=${prompt.data} />`}
    </header>
  `;
}

/** Names of bonuses and penalties. The card leaves them out if they are 0. */
const ADDED = /(?:bonus|penalty|modifier|proposed)$/;

/** Numbers that matter for the answer, beside the text of the prompt. @param {{ data: Prompt["data"] }} props */
function Circumstances({ data }) {
  const told = circumstances(data);
  if (told.length === 0) return null;
  return html`<p class="circumstances">${told.join(" · ")}</p>`;
}

/** @param {Prompt["data"]} data @returns {string[]} */
export const circumstances = (data) =>
  Object.entries(data).flatMap(([name, value]) => {
    if (typeof value === "number") return name === "round" || (value === 0 && ADDED.test(name)) ? [] : [`${words(name)}: ${String(value).replace("-", "−")}`];
    return name === "outcome" && typeof value === "string" && value !== "" ? [`${words(name)}: ${words(value).toLowerCase()}`] : [];
  });

/** Return true if one tap sends the offer. In a row, the tap takes the best target. It never takes a square. @param {Offer} offer @param {import("../shapes.d.ts").Schema} schema @param {Record<string, string>} sides @param {boolean} brief */
const tapped = (offer, schema, sides, brief) => oneTap(offer, schema, sides) || (brief && offer.category !== "move" && offer.headline !== null && offer.examples.length > 0 && aimed(offer, schema, sides));

/** The option that ends the fight. */
const END = "end-combat";

/** Number of options in a row. */
const USUAL = 3;

/** @param {{ prompt: Prompt, offers: readonly Offer[], brief: boolean, more: (() => void) | null, done: () => void }} props */
function Choices({ prompt, offers, brief, more, done }) {
  const [draft, setDraft] = useState(() => /** @type {Draft | null} */ (begun(topic(prompt)) ?? null));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const legal = offers.filter((offer) => offer.legal);
  const chosen = legal.find((offer) => offer.id === draft?.option);

  /** @param {Draft | null} next */
  function keep(next) {
    keepDraft(topic(prompt), next ?? undefined);
    setDraft(next);
    setFault(null);
  }

  /** @param {readonly Answer[]} answers @param {boolean} [allRound] also for later prompts of the round */
  async function send(answers, allRound = false) {
    setFault(null);
    keepDraft(topic(prompt), undefined); // the next prompt may open before this request is answered
    const { wrong } = await asOneTap(async () => {
      const refused = allRound ? await orderForRound(prompt) : null;
      return refused === null ? repeat(prompt, answers, noting(prompt)) : { wrong: refused };
    });
    setFault(wrong);
    if (wrong !== null) {
      if (draft !== null) keepDraft(topic(prompt), draft);
      return;
    }
    keep(null);
    done();
  }

  /** @param {Offer} offer @param {Inputs} inputs @param {boolean} [open] whether further declarations follow */
  const answer = (offer, inputs, open = false) => send(open ? [{ option: offer.id, inputs }] : whole(prompt, legal, { option: offer.id, inputs }));

  /** @param {Offer} offer @param {boolean} [more] */
  function pick(offer, more = false) {
    const schema = schemas.value[offer.inputs] ?? {};
    const sides = sidesOf(shown.value);
    if (!more && !final(offer) && tapped(offer, schema, sides, brief)) void answer(offer, offer.examples[0] ?? {});
    else if (offer.id === draft?.option) keep(null);
    else keep({ option: offer.id, inputs: beginning(offer, schema, sides), touched: [] });
  }

  const passing = prompt.kind === "reaction" && !brief && !played(prompt.who) && legal.length > 1 ? legal.find((offer) => offer.id === prompt.default && immediate(offer, schemas.value[offer.inputs] ?? {})) : undefined;
  if (offers.length === 0) return html`<p class="calm">…</p>`;
  const { groups, idle, apart, out, first } = shortened(bar(legal, schemas.value, sidesOf(shown.value)), brief ? USUAL : Infinity, chosen);
  /** Return true if an offer needs a confirmation. @param {Offer} offer */
  const final = (offer) => out.includes(offer) || offer.id === END;
  const option = (/** @type {Offer} */ offer, /** @type {boolean} */ priced) =>
    html`<${Option} key=${offer.id} offer=${offer} on=${offer.id === chosen?.id} usual=${offer.id === prompt.default} only=${legal.length === 1} first=${offer === first && usual === null && !played(prompt.who)} priced=${priced} brief=${brief} final=${final(offer)} pick=${pick} answer=${answer} />`;
  /** Return true if a tap on the option's own button sends the same answer. @param {Answer} answer */
  const plain = ({ option, inputs }) => legal.some((offer) => offer.id === option && tapped(offer, schemas.value[offer.inputs] ?? {}, sidesOf(shown.value), brief) && same(inputs, offer.examples[0] ?? {}));
  const plan = brief ? null : declared(prompt, legal);
  const again = brief ? null : lastRound(prompt, legal);
  const before = prompt.kind !== "declare" && (again?.[0]?.option === prompt.default || (prompt.kind !== "turn" && again?.[0] !== undefined && plain(again[0]))) ? null : again; // the button of this option already does this
  const usual = plan !== null ? { label: "As declared", answers: [plan] } : before !== null ? { label: `As last round: ${told(legal, before, prompt.kind === "turn")}`, answers: before } : null;
  return html`
    ${usual && !chosen && html`<button type="button" class="option primary again" aria-disabled=${sending.value !== null} onClick=${() => sending.value === null && void send(usual.answers)}><span>${usual.label}</span></button>`}
    <div class="options bar" role="group" aria-label="Options">
      ${groups.map(
        (group) => html`<div class="costs" key=${group.label} role=${group.label ? "group" : undefined} aria-label=${group.label || undefined}>
          ${group.label && html`<small class="price" aria-hidden="true">${group.label}</small>`}
          <div class="buttons">${group.offers.map((offer) => option(offer, group.label !== ""))}</div>
        </div>`,
      )}
      ${idle.length > 0 && html`<${Idle} offers=${idle} chosen=${chosen} option=${option} />`}
      ${out.length > 0 && html`<div class="costs out"><div class="buttons">${out.map((offer) => option(offer, false))}</div></div>`}
      ${apart.length > 0 && html`<div class="costs apart"><div class="buttons">${apart.map((offer) => option(offer, false))}</div></div>`}
    </div>
    ${chosen && draft && html`<${Filling} offer=${chosen} draft=${draft} keep=${keep} send=${answer} fault=${fault} prompt=${prompt} sure=${final(chosen)} goesOn=${whole(prompt, legal, { option: chosen.id, inputs: {} }).length > 1} key=${chosen.id} />`}
    ${fault !== null && (!fault.pointer || !chosen) && html`<p class="fault" role="alert">${fault.text} ${fault.rule && html`<${RuleName} brief id=${fault.rule} />`}</p>`}
    ${passing && !chosen && html`<button type="button" class="quiet" aria-disabled=${sending.value !== null} onClick=${() => send([{ option: passing.id, inputs: {} }], true)}>${passing.label} until the round ends</button>`}
    ${more && legal.length > USUAL + 1 && html`<button type="button" class="quiet" aria-expanded=${!brief} onClick=${more}>${brief ? "More" : "Less"}</button>`}
    ${!brief && legal.length !== 1 && html`<${Refusals} prompt=${prompt} />`}
  `;
}

/** Number of further targets beside the first one. */
const TARGETS = 3;

/** Hostile options without a foe in reach. They are folded. @param {{ offers: readonly Offer[], chosen: Offer | undefined, option: (offer: Offer, priced: boolean) => unknown }} props */
function Idle({ offers, chosen, option }) {
  const open = chosen !== undefined && offers.includes(chosen);
  return html`
    <details class="costs idle" open=${open || undefined}>
      <summary>At no foe now: ${offers.map(({ label }) => label.toLowerCase()).join(", ")}</summary>
      <div class="buttons">${offers.map((offer) => option(offer, false))}</div>
    </details>
  `;
}

/**
 * `first`: the most probable option. `priced`: the group has a heading with the cost. `final`: a
 * tap opens the form, even if it has no fields.
 * @param {{ offer: Offer, on: boolean, usual: boolean, only: boolean, first: boolean, priced: boolean, brief: boolean, final: boolean,
 *   pick: (offer: Offer, more?: boolean) => void, answer: (offer: Offer, inputs: Inputs) => void }} props
 */
function Option({ offer, on, usual, only, first, priced, brief, final, pick, answer }) {
  const schema = schemas.value[offer.inputs] ?? {};
  const sides = sidesOf(shown.value);
  const tap = !final && tapped(offer, schema, sides, brief);
  const more = tap && !immediate(offer, schema) && fields(schema).some((field) => offer.candidates[field.name]?.length !== 1);
  const wait = sending.value !== null;
  const said = tap ? (offer.headline ?? offer.label) : `${offer.label}…`;
  const classes = ["option", offer.polarity, usual && "usual", (only || first) && "primary"].filter(Boolean).join(" ");
  const button = html`
    <button type="button" class=${classes} aria-expanded=${tap ? undefined : on} aria-disabled=${wait} onClick=${() => !wait && pick(offer)}>
      <span>${said}</span>
      ${!priced && offer.cost && offer.cost !== "none" && html`<small>${offer.cost}</small>`}
      ${usual && !only && !brief && html`<small>chosen if nobody answers</small>`}
    </button>
  `;
  if (!more) return button;
  const others = brief ? [] : elsewhere(offer, schema, sides).slice(0, TARGETS);
  return html`<span class="split">${button}${others.map(({ target, inputs }) => html`<button type="button" class="others" key=${target} aria-label=${verb(offer, inputs, schema, nameOf)} aria-disabled=${wait} onClick=${() => !wait && answer(offer, inputs)}><${Name} value=${target} /></button>`)}<button type="button" class="others" aria-expanded=${on} aria-label=${`More choices: ${offer.label}`} aria-disabled=${wait} onClick=${() => !wait && pick(offer, true)}>⋯</button></span>`;
}

/** Let a tapped token become the target of the open form, if it can be one. An open ruling takes precedence. @param {(id: string) => void} choose */
function useMapTarget(choose) {
  const chosen = picked.value;
  const before = useRef(chosen);
  useEffect(() => {
    if (chosen === before.current) return;
    before.current = chosen;
    if (chosen.length === 1 && chosen[0] !== undefined && !begun("ruling")) choose(chosen[0]);
  }, [chosen]);
}

/**
 * The form of an option with its send button. `sure`: the option needs a confirmation, because it
 * takes a combatant out of the fight or ends the fight. `goesOn`: further declarations may
 * follow.
 * @param {{ offer: Offer, draft: Draft, prompt: Prompt, fault: Fault | null, sure: boolean, goesOn: boolean,
 *   keep: (draft: Draft | null) => void, send: (offer: Offer, inputs: Inputs, open?: boolean) => void }} props
 */
function Filling({ offer, draft, keep, send, fault, prompt, sure, goesOn }) {
  const schema = schemas.value[offer.inputs] ?? {};
  const inputs = sendable(draft.inputs, schema);
  const empty = fields(schema).find((field) => field.required && inputs[field.name] === undefined);
  const [tried, setTried] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useLayoutEffect(() => {
    if (form.current?.parentElement?.contains(document.activeElement) !== true) return; // a reload opened the form, so the focus stays where it is
    const stop = bringIntoView(form.current);
    /** @type {HTMLElement | null} */ (form.current.querySelector(empty ? ".form :is(button, input, select)" : "[type=submit]"))?.focus();
    return stop;
  }, []);
  /** @param {KeyboardEvent} event */
  function leave(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    const opener = /** @type {HTMLElement | null | undefined} */ (form.current?.parentElement?.querySelector("[aria-expanded=true]"));
    keep(null);
    opener?.focus();
  }
  const wrong = wrongIn(fault, schema) ?? (tried && empty ? { at: [empty.name], text: "Choose one." } : null);
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    keep({ ...draft, inputs: fitted(offer, draft.inputs, name, value, new Set(draft.touched), schema, sidesOf(shown.value)), touched: [...draft.touched, name] });
  useMapTarget((id) => {
    const name = targets(schema).find((target) => offer.candidates[target]?.includes(id));
    if (name !== undefined) set(name, id);
  });
  return html`
    <form
      ref=${form}
      class="filling"
      aria-label=${offer.label}
      onKeyDown=${leave}
      onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        if (empty) setTried(true);
        else send(offer, inputs);
      }}
    >
      ${sure && html`<p class="caution">${offer.id === END ? "Sure? The fight ends with it. To name the winners yourself, use End… at the top." : html`Sure? <${Name} value=${offer.who} /> leaves the fight with it.`}</p>`}
      ${aimless(offer, schema) && html`<p class="hint">No foe is in reach. It can only be done to a friend now.</p>`}
      <${Form} schema=${schema} value=${draft.inputs} set=${set} candidates=${offer.candidates} essential=${offer.essential} idle=${offer.idle} wrong=${wrong} who=${prompt.who} option=${offer.id} />
      ${fault?.pointer && wrongIn(fault, schema) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>${verb(offer, inputs, schema, nameOf)}</button>
        ${goesOn && html`<button type="button" class="quiet" onClick=${() => (empty ? setTried(true) : send(offer, inputs, true))}>Declare more after it</button>`}
        <button type="button" class="quiet" onClick=${() => keep(null)}>Not this</button>
        <${Preview} key=${JSON.stringify(inputs)} body=${{ command: "answer", prompt: prompt.id, option: offer.id, inputs }} />
      </div>
    </form>
  `;
}
