// The refused options with all their reasons. The page loads them when somebody opens the list.
import { html, useEffect, useState } from "../view.js";
import { present, shown } from "../state.js";
import { readMore } from "../stream.js";
import { RuleName } from "../audit/rules.js";
import { nameOf } from "../schema/chips.js";

/** @import { Offer, Prompt } from "../shapes.d.ts" */

/** Return the words for the id of a combatant, a thing on the sheet, or an action. @param {string} id @param {string | null} who */
const named = (id, who) => nameOf(shown.value?.combatants.some((combatant) => combatant.id === id) ? "combatant" : "action", id, who);

/** @param {{ prompt: Prompt }} props */
export function Refusals({ prompt }) {
  const [open, setOpen] = useState(false);
  const [refused, setRefused] = useState(/** @type {Offer[] | null} */ (null));
  const version = present.value?.version;
  useEffect(() => {
    if (!open) return;
    const whose = prompt.who === null ? "" : `&combatant=${encodeURIComponent(prompt.who)}`;
    void readMore(`include=refused${whose}`).then((all) => setRefused(all.filter((offer) => offer.prompt === prompt.id && !offer.legal)), () => setRefused([]));
  }, [open, version]);
  return html`
    <details class="refusals" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
      <summary>not now</summary>
      ${open && refused === null && html`<p class="calm">…</p>`}
      ${open && refused?.length === 0 && html`<p class="calm">Everything is possible.</p>`}
      ${open &&
      html`<dl>
        ${byReason(refused ?? []).map(
          ({ labels, refusals }) => html`
            <dt key=${labels.join()}>${labels.join(", ")}</dt>
            <dd>${refusals.map((why) => html`<span key=${why.reason}>${why.detail}${why.allowed.length > 0 ? ` (possible: ${why.allowed.map((id) => named(id, prompt.who)).join(", ")})` : ""} ${why.rule && html`<${RuleName} brief id=${why.rule} />`}</span>`)}</dd>
          `,
        )}
      </dl>`}
    </details>
  `;
}

/** Group the refused options by their reasons. @param {readonly Offer[]} refused */
function byReason(refused) {
  const all = /** @type {Map<string, { labels: string[], refusals: Offer["refusals"] }>} */ (new Map());
  for (const { label, refusals } of refused) {
    const key = JSON.stringify(refusals.map(({ detail, allowed }) => [detail, allowed]));
    const known = all.get(key);
    if (known === undefined) all.set(key, { labels: [label], refusals });
    else known.labels.push(label);
  }
  return [...all.values()];
}
