// What is not possible now, and every reason.
import { html, useState } from "../view.js";
import { RuleName } from "../audit/rules.js";

/** @import { Offer } from "../shapes.d.ts" */

/** @param {{ offers: readonly Offer[] }} props */
export function Refusals({ offers }) {
  const [open, setOpen] = useState(false);
  if (offers.length === 0) return null;
  return html`
    <details class="refusals" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
      <summary>${offers.length} not now</summary>
      ${open &&
      html`<dl>
        ${offers.map(
          (one) => html`
            <dt key=${one.id}>${one.label}</dt>
            <dd>${one.refusals.map((why) => html`<span key=${why.reason}>${why.detail}${why.allowed.length > 0 ? ` (what would do: ${why.allowed.join(", ")})` : ""} ${why.rule && html`<${RuleName} id=${why.rule} />`}</span>`)}</dd>
          `,
        )}
      </dl>`}
    </details>
  `;
}
