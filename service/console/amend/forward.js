// The "What if" window: try commands one after the other. The service stores nothing, and the dice
// are not the real ones.
import { html, useRef, useState } from "../view.js";
import { tell } from "../commands.js";
import { acting, offers, role, schemas, shown } from "../state.js";
import { fault } from "../play/act.js";
import { short } from "../audit/lines.js";
import { Window } from "../window.js";
import { Chooser } from "./chooser.js";
import { Report } from "./report.js";
import { NOTHING } from "./walk.js";

/** @import { Offer, WhatIfReport } from "../shapes.d.ts" */
/** @import { Chosen } from "./chooser.js" */

/** @typedef {{ command: object, label: string }} Step */

const TURNS = ["turn", "declare", "interjection"];

/** Return the combatant's name of an offer, if it has one. @param {Offer} offer */
function named(offer) {
  const who = shown.value?.combatants.find((combatant) => combatant.id === offer.who)?.name;
  const label = offer.headline ?? offer.label; // the words on the button of the offer
  return who === undefined ? label : `${who}: ${label}`;
}

/** @param {Chosen} chosen @returns {Step} */
function step({ offer, inputs }) {
  const label = named(offer);
  if (offer.kind === "ruling" && offer.prompt === null) return { label, command: { type: "rule", ruling: offer.id, inputs } };
  if (TURNS.includes(offer.kind)) return { label, command: { type: "act", combatant: offer.who, action: offer.id, inputs } };
  return { label, command: { type: "reply", prompt: offer.prompt, option: offer.id, inputs } };
}

export function WhatIf() {
  const [open, setOpen] = useState(false);
  if (!acting.value || offers.value.length === 0) return null;
  return html`
    <button type="button" class="quiet" onClick=${() => setOpen(true)}>What if…</button>
    ${open && html`<${Window} title="What if?" close=${() => setOpen(false)}><${Trying} /></${Window}>`}
  `;
}

function Trying() {
  const [steps, setSteps] = useState(/** @type {readonly Step[]} */ ([]));
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const [report, setFound] = useState(/** @type {WhatIfReport | null} */ (null));
  const [wrong, setWrong] = useState("");
  const asked = useRef(0);
  const [all] = useState(() => offers.peek().filter((offer) => offer.legal && offer.kind !== "roll" && offer.id !== "several"));
  const [forms] = useState(() => schemas.peek());
  const over = report?.foreseen?.ended === true;

  /** @param {readonly Step[]} next */
  async function look(next) {
    const turn = (asked.current = (asked.current ?? 0) + 1);
    setSteps(next);
    setChosen(null);
    setWrong("");
    if (next.length === 0) return setFound(null);
    try {
      const answer = await tell("POST", "/what-if", { commands: next.map((step) => step.command) });
      if (turn === asked.current) setFound(/** @type {any} */ (answer));
    } catch (failed) {
      if (turn !== asked.current) return;
      setSteps(next.slice(0, -1));
      setWrong(fault(failed).text);
    }
  }

  return html`
    <p class="hint">Only a trial: nothing happens in the fight, and the dice here tell nothing about the real ones.${role.value === "gm" ? "" : " The answer ends where it depends on something that you do not know."}</p>
    ${steps.length > 0 && html`<ol class="steps">${steps.map((step, index) => html`<li key=${index}>${step.label}</li>`)}</ol>`}
    ${!over && html`<${Chooser} key=${steps.length} label=${steps.length === 0 ? "First" : "Then"} offers=${all} schemas=${forms} named=${named} set=${setChosen} />`}
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    <div class="send">
      <button type="button" class="primary" aria-disabled=${chosen === null} onClick=${() => chosen !== null && look([...steps, step(chosen)])}>${steps.length === 0 ? "What would happen?" : "And then?"}</button>
      ${steps.length > 0 && html`<button type="button" class="quiet" onClick=${() => look(steps.slice(0, -1))}>Without the last</button>`}
    </div>
    <div role="status">
      ${report?.report && html`<${Report} report=${report.report} amendment=${NOTHING} more=${() => {}} />`}
      ${report?.foreseen && html`<${Foreseen} seen=${report.foreseen} />`}
    </div>
  `;
}

/** Return the prompts that are open on a board. @param {NonNullable<WhatIfReport["foreseen"]>} seen */
const next = ({ board }) => board.prompts.filter((prompt) => prompt.answer === null && !prompt.suspended).map(({ text }) => text);

/** @param {{ seen: NonNullable<WhatIfReport["foreseen"]> }} props */
function Foreseen({ seen }) {
  return html`
    <section class="report" aria-label="What would be">
      <ol>${seen.steps.map((step) => html`<li class="amended added" key=${step.command}><span aria-hidden="true">${step.command}</span><div>
        ${step.lines.map((line, index) => html`<p key=${index}>${short(line)}</p>`)}
        ${step.lines.length === 0 && html`<p>Nothing that you would see.</p>`}
        ${step.chance && html`<span class="tag">by chance</span>`}
      </div></li>`)}</ol>
      ${next(seen).map((text) => html`<p class="hint" key=${text}>Then: ${text}</p>`)}
      ${seen.ended && html`<p>What follows depends on something that you do not know.</p>`}
    </section>
  `;
}
