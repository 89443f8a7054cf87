// The strip above the cards with the result of the last decisive command. Later changes follow
// below it.
import { html } from "../view.js";
import { entries, past, ruleset, shown } from "../state.js";
import { deciding, outcome } from "../audit/outcome.js";
import { short } from "../audit/lines.js";

const SIGNS = { dead: "☠", down: "▼", critical: "✸", hit: "●", miss: "○", help: "✚", plain: "" };

export function Result() {
  const at = past.value?.version ?? Infinity;
  const all = entries.value.filter((entry) => !entry.undone && entry.lines.length > 0 && entry.first <= at);
  const [latest] = all;
  const entry = deciding(all);
  if (entry === undefined) return html`<section class="result plain" aria-label="Result"></section>`;
  const { look, word, sentence, sum, changes } = outcome(entry, shown.value?.combatants ?? [], ruleset.value?.wounds.slice(0, ruleset.value.standing) ?? [], shown.value?.you.combatants);
  return html`
    <section class=${`result ${look}`} aria-label="Result" data-version=${entry.last}>
      ${word && html`<p class="verdict"><span aria-hidden="true">${SIGNS[look]}</span> <b>${word}</b></p>`}
      <div>
        <p class="sentence">${past.value === null ? "" : "Then: "}${sentence}</p>
        ${(sum || changes.length > 0) && html`<p class="sums">${[...changes, sum].filter(Boolean).join(" · ")}</p>`}
        ${entry !== latest && latest !== undefined && html`<p class="sums since">${short(latest.result.sentence)}</p>`}
      </div>
    </section>
  `;
}
