// Why a number is what it is: the chain of events that led to it.
import { html, signal } from "../view.js";
import { ask, past, ruleset } from "../store.js";
import { fault } from "../play/act.js";
import { called } from "../board.js";
import { Window } from "../window.js";
import { RuleName } from "./rules.js";
import { short } from "./log.js";
import { Look } from "../time/moment.js";

/** @import { Combatant, Why } from "../shapes.d.ts" */

const open = signal(/** @type {{ title: string, why: Why | null, wrong: string } | null} */ (null));

/** Asks, and opens the answer. @param {Combatant} one @param {{ track?: string, condition?: string }} about */
export async function why(one, about) {
  const [kind, id] = about.track ? ["track", about.track] : ["condition", about.condition ?? ""];
  const title = `Why? ${one.name}: ${called(kind, id, ruleset.peek()).toLowerCase()}`;
  open.value = { title, why: null, wrong: "" };
  const at = past.peek()?.version;
  const query = new URLSearchParams({ combatant: one.id, ...about, ...(at !== undefined && { at: String(at) }) });
  try {
    open.value = { title, why: await ask(`/why?${query}`), wrong: "" };
  } catch (failed) {
    open.value = { title, why: null, wrong: fault(failed).text };
  }
}

export function WhyWindow() {
  const found = open.value;
  if (found === null) return null;
  const steps = found.why?.steps ?? [];
  return html`
    <${Window} title=${found.title} close=${() => (open.value = null)}>
      ${found.wrong && html`<p class="fault" role="alert">${found.wrong}</p>`}
      ${found.why === null && !found.wrong && html`<p>…</p>`}
      <ol class="why" reversed>
        ${[...steps].reverse().map(
          (step) => html`
            <li key=${step.version}>
              ${step.value !== null && html`<b class="value">${step.value}</b>`}
              <div>
                ${short(step.text)}${step.reason && html` <q>${step.reason}</q>`}${step.note && html` <span class="hint">${step.note}</span>`}
                ${step.because.map((one, index) => html`<p class="hint" key=${index}>${short(one)}</p>`)}
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
