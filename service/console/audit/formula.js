// A number as a sum: one term per line with its rule, and the modifiers that do not count.
import { html } from "../view.js";
import { RuleName } from "./rules.js";
import { signed } from "./sums.js";

/** @import { Explanation } from "../shapes.d.ts" */

/** @param {{ number: Explanation }} props */
export function Formula({ number }) {
  return html`
    <table class="sum"><tbody>
      ${number.parts.map((part, index) => html`<tr key=${index}><td class="n">${index === 0 && part.op === "add" ? part.value : part.op === "add" ? signed(part.value) : part.makes}</td><td>${part.label}${part.says ? html` <span class="hint">${part.says}</span>` : ""}</td><td>${part.rule && html`<${RuleName} id=${part.rule} />`}</td></tr>`)}
      <tr class="total"><td class="n">${number.value}</td><td></td><td></td></tr>
      ${number.absent.map((part, index) => html`<tr class="absent" key=${`not ${index}`}><td class="n"><s>${part.value}</s></td><td>${part.label}: <span class="hint">${part.why}</span></td><td>${part.rule && html`<${RuleName} id=${part.rule} />`}</td></tr>`)}
    </tbody></table>
    ${(number.rolls ?? []).map((roll, index) => html`<p class="hint" key=${index}>${roll}</p>`)}
  `;
}
