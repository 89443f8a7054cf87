// The id of a rule. A click shows its sentence.
import { html, signal, useState } from "../view.js";
import { read } from "../http.js";
import { shown } from "../state.js";

/** @import { Rule } from "../shapes.d.ts" */

/** The rule index of each rulebook. The page loads it on first use. */
const indexes = signal(/** @type {Record<string, Map<string, string>>} */ ({}));

/** @param {string} ruleset */
async function learn(ruleset) {
  const answer = await read(`/v1/rulesets/${ruleset}/rules`);
  const lines = /** @type {Rule[]} */ (answer.rules).map((rule) => /** @type {[string, string]} */ ([rule.id, rule.summary]));
  indexes.value = { ...indexes.peek(), [ruleset]: new Map(lines) };
}

/** The name of a rule: its id, or `§` where people play. @param {{ id: string, brief?: boolean }} props */
export function RuleName({ id, brief = false }) {
  const [open, setOpen] = useState(false);
  const ruleset = shown.value?.ruleset ?? "";
  const line = indexes.value[ruleset]?.get(id);
  function toggle() {
    if (indexes.peek()[ruleset] === undefined) void learn(ruleset);
    setOpen(!open);
  }
  return html`<button type="button" class="rule" aria-expanded=${open} aria-label=${brief ? `Rule ${id}` : undefined} title=${brief ? id : undefined} onClick=${toggle}>${brief ? "§" : id}</button>${open && html`<span class="ruletext" role="status">${line ?? "…"}</span>`}`;
}
