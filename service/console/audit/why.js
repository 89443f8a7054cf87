// The "Why?" window: the chain of events behind a number.
import { html, signal } from "../view.js";
import { askSeen } from "../commands.js";
import { past, ruleset } from "../state.js";
import { fault } from "../play/act.js";
import { called, meaning } from "../board.js";
import { Window } from "../window.js";
import { Formula } from "./formula.js";
import { RuleName } from "./rules.js";
import { short } from "./lines.js";
import { Look } from "../time/moment.js";

/** @import { Combatant, Explanation, Why } from "../shapes.d.ts" */

/** @typedef {{ title: string, why: Why | null, number: Explanation | null, wrong: string }} Answer */

const open = signal(/** @type {Answer | null} */ (null));

/** Show the causes of a pool or a condition. @param {Combatant} combatant @param {{ track?: string, condition?: string }} about */
export function why(combatant, about) {
  const [kind, id] = about.track ? ["track", about.track] : ["condition", about.condition ?? ""];
  const query = new URLSearchParams({ combatant: combatant.id, ...about, ...moment() });
  return asked(`${combatant.name}: ${called(kind, id, ruleset.peek()).toLowerCase()}`, async () => ({ why: await askSeen(`/why?${query}`) }));
}

/** Show the parts of a number. @param {Combatant} combatant @param {string} name as the service calls it @param {string} label */
export function whyNumber(combatant, name, label) {
  const query = new URLSearchParams(moment());
  const path = `/combatants/${encodeURIComponent(combatant.id)}/explain/${encodeURIComponent(name)}?${query}`;
  return asked(`${combatant.name}: ${label.toLowerCase()}`, async () => ({ number: (await askSeen(path)).numbers[0] ?? null }));
}

/** @returns {Record<string, string>} */
const moment = () => (past.peek() === null ? {} : { at: String(past.peek()?.version) });

/** Ask the service, and show its answer. @param {string} about @param {() => Promise<Partial<Answer>>} question */
async function asked(about, question) {
  const empty = { title: `Why? ${about}`, why: null, number: null, wrong: "" };
  open.value = empty;
  try {
    open.value = { ...empty, ...(await question()) };
  } catch (failed) {
    open.value = { ...empty, wrong: fault(failed).text };
  }
}

export function WhyWindow() {
  const answer = open.value;
  if (answer === null) return null;
  const steps = answer.why?.steps ?? [];
  return html`
    <${Window} title=${answer.title} close=${() => (open.value = null)}>
      ${answer.wrong && html`<p class="fault" role="alert">${answer.wrong}</p>`}
      ${answer.why === null && answer.number === null && !answer.wrong && html`<p>…</p>`}
      ${answer.number && html`<p>${meaning(answer.number.about)}</p><${Formula} number=${answer.number} />`}
      <ol class="why" reversed>
        ${[...steps].reverse().map(
          (step) => html`
            <li key=${step.version}>
              ${step.value !== null && html`<b class="value">${step.value}</b>`}
              <div>
                ${short(step.text)}${step.reason && html` <q>${step.reason}</q>`}${step.note && html` <span class="hint">${step.note}</span>`}
                ${step.because.map((text, index) => html`<p class="hint" key=${index}>${short(text)}</p>`)}
                <p class="rules">${step.rules.map((rule) => html`<${RuleName} id=${rule} key=${rule} />`)}
                <${Look} version=${step.version - 1} label="Look at the moment before" after=${() => (open.value = null)} /></p>
              </div>
            </li>
          `,
        )}
      </ol>
    </${Window}>
  `;
}
