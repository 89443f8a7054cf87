// The sum of a roll: one term per line with its rule.
import { html, useEffect, useState } from "../view.js";
import { askSeen } from "../commands.js";
import { plain, words } from "../board.js";
import { RuleName } from "./rules.js";

/** @import { EventView } from "../shapes.d.ts" */

/** "+3", "−2". @param {number} value */
export const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

/** One event with all its sums, loaded when somebody opens it. @param {{ version: number }} props */
export function Sum({ version }) {
  const [event, setEvent] = useState(/** @type {EventView | null} */ (null));
  useEffect(() => {
    void askSeen(`/events?after=${version - 1}&limit=1`).then(
      (page) => setEvent(page.events[0] ?? null),
      () => setEvent(null),
    );
  }, [version]);
  if (event === null) return html`<p class="hint">…</p>`;
  const data = /** @type {Record<string, any>} */ (event.data);
  const terms = /** @type {[string, number, string][]} */ (data.terms ?? []);
  return html`
    <table class="sum">
      <tbody>
        ${data.faces && html`<tr><td class="n">${data.faces.join(", ")}</td><td>${data.formula}${data.by === "manual" ? ", by hand" : ""}</td><td></td></tr>`}
        ${terms.map(([name, value, rule], index) => html`<tr key=${index}><td class="n">${index === 0 && !data.faces ? value : signed(value)}</td><td>${words(name)}</td><td>${rule && html`<${RuleName} id=${rule} />`}</td></tr>`)}
        ${data.total !== undefined && html`<tr class="total"><td class="n">${data.total}</td><td>${data.target != null ? `against ${data.target}: ` : ""}${data.outcome ?? ""}</td><td></td></tr>`}
        ${data.amount !== undefined && html`<tr class="total"><td class="n">${data.amount}</td><td>${plain(data.kind ?? data.track ?? "")}</td><td></td></tr>`}
      </tbody>
    </table>
    <p class="rules">${event.rules.map((rule) => html`<${RuleName} id=${rule} key=${rule} />`)}</p>
  `;
}
