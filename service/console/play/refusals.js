// What is not possible now, and every reason; the service is asked when somebody unfolds it.
import { html, useEffect, useState } from "../view.js";
import { present } from "../state.js";
import { readMore } from "../stream.js";
import { RuleName } from "../audit/rules.js";

/** @import { Offer, Prompt } from "../shapes.d.ts" */

/** @param {{ prompt: Prompt }} props */
export function Refusals({ prompt }) {
  const [open, setOpen] = useState(false);
  const [refused, setRefused] = useState(/** @type {Offer[] | null} */ (null));
  const version = present.value?.version;
  useEffect(() => {
    if (!open) return;
    const whose = prompt.who === null ? "" : `&combatant=${encodeURIComponent(prompt.who)}`;
    void readMore(`include=refused${whose}`).then((all) => setRefused(all.filter((one) => one.prompt === prompt.id && !one.legal)), () => setRefused([]));
  }, [open, version]);
  return html`
    <details class="refusals" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
      <summary>not now</summary>
      ${open && refused === null && html`<p class="calm">…</p>`}
      ${open && refused?.length === 0 && html`<p class="calm">Everything is possible.</p>`}
      ${open &&
      html`<dl>
        ${refused?.map(
          (one) => html`
            <dt key=${one.id}>${one.label}</dt>
            <dd>${one.refusals.map((why) => html`<span key=${why.reason}>${why.detail}${why.allowed.length > 0 ? ` (what would do: ${why.allowed.join(", ")})` : ""} ${why.rule && html`<${RuleName} id=${why.rule} />`}</span>`)}</dd>
          `,
        )}
      </dl>`}
    </details>
  `;
}
