// Two moments compared, in words.
import { html, signal } from "../view.js";
import { ask } from "../store.js";
import { fault } from "../play/act.js";
import { Window } from "../window.js";

/** @import { Diff } from "../shapes.d.ts" */

export const compared = signal(/** @type {{ from: number, to: number | null, diff: Diff | null, wrong: string } | null} */ (null));

/** The first call holds a moment, the second compares with it. @param {number} version */
export async function compare(version) {
  const held = compared.peek();
  if (held === null || held.to !== null) {
    compared.value = { from: version, to: null, diff: null, wrong: "" };
    return;
  }
  await between(Math.min(held.from, version), Math.max(held.from, version));
}

/** @param {number} from @param {number} to */
export async function between(from, to) {
  try {
    compared.value = { from, to, diff: await ask(`/diff?from=${from}&to=${to}`), wrong: "" };
  } catch (failed) {
    compared.value = { from, to, diff: null, wrong: fault(failed).text };
  }
}

export function CompareWindow() {
  const held = compared.value;
  if (held === null || held.to === null) return null;
  const lines = held.diff?.text ?? [];
  return html`
    <${Window} title=${`From moment ${held.from} to moment ${held.to}`} close=${() => (compared.value = null)}>
      ${held.wrong && html`<p class="fault" role="alert">${held.wrong}</p>`}
      <ul class="difference">${lines.map((one, index) => html`<li key=${index}>${one}</li>`)}</ul>
      ${lines.length === 0 && !held.wrong && html`<p>Nothing differs.</p>`}
    </${Window}>
  `;
}
