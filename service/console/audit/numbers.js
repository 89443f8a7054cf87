// Every number of a combatant with all that makes it, and what does not count for it.
import { html, useEffect, useState } from "../view.js";
import { ask, past, present } from "../store.js";
import { RuleName } from "./rules.js";
import { signed } from "./sums.js";

/** @import { Combatant, Explanation } from "../shapes.d.ts" */

/** @param {{ one: Combatant }} props */
export function Numbers({ one }) {
  const [all, setAll] = useState(/** @type {readonly Explanation[]} */ ([]));
  const at = past.value?.version;
  const version = present.value?.version;
  useEffect(() => {
    const query = at === undefined ? "" : `?at=${at}`;
    void ask(`/combatants/${encodeURIComponent(one.id)}/explain${query}`).then(
      (found) => setAll(found.numbers),
      () => setAll([]),
    );
  }, [one.id, at, version]);
  const told = all.filter((number) => (number.parts.length > 0 || number.value !== 0) && !(number.name in one.tracks) && !(number.name in one.budget));
  return html`<div class="explained">${told.map((number) => html`<${Explained} key=${number.name} number=${number} />`)}</div>`;
}

/** @param {{ number: Explanation }} props */
function Explained({ number }) {
  const [open, setOpen] = useState(false);
  return html`
    <div>
      <button type="button" class="number" aria-expanded=${open} onClick=${() => setOpen(!open)}><span>${number.about.replace(/; null = .*$/, "")}</span> <b>${number.value}</b></button>
      ${open &&
      html`<table class="sum"><tbody>
        ${number.parts.map((part, index) => html`<tr key=${index}><td class="n">${index === 0 && part.op === "add" ? part.value : part.op === "add" ? signed(part.value) : part.makes}</td><td>${part.label}${part.says ? html` <span class="hint">${part.says}</span>` : ""}</td><td>${part.rule && html`<${RuleName} id=${part.rule} />`}</td></tr>`)}
        <tr class="total"><td class="n">${number.value}</td><td></td><td></td></tr>
        ${number.absent.map((part, index) => html`<tr class="absent" key=${`not ${index}`}><td class="n"><s>${part.value}</s></td><td>${part.label}: <span class="hint">${part.why}</span></td><td>${part.rule && html`<${RuleName} id=${part.rule} />`}</td></tr>`)}
      </tbody></table>
      ${(number.rolls ?? []).map((roll, index) => html`<p class="hint" key=${index}>${roll}</p>`)}`}
    </div>
  `;
}
