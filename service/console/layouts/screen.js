// A screen for everyone: large type, nothing to click; it follows.
import { html } from "../view.js";
import { entries, shown } from "../store.js";
import { whom } from "../play/cards.js";
import { LOUD, short } from "../audit/lines.js";
import { MapView } from "../map/view.js";
import { Order } from "../play/order.js";
import { Header } from "./header.js";

const LAST = 4;

export function Screen() {
  const board = shown.value;
  const lines = entries.value.filter((one) => !one.undone).flatMap((one) => [...(one.lines ?? [])].reverse()).filter((one) => LOUD.includes(one.type)).slice(0, LAST);
  return html`
    <div class="table screen" data-version=${board?.version}>
      <${Header} />
      <main>
        <div class="column left"><${Order} /></div>
        <div class="column middle">
          ${board !== null &&
          html`<section class="says" aria-label="What happens" aria-live="polite">
            <h2>${board.acting.length > 0 ? `${whom(board.acting)} ${board.acting.length > 1 ? "act" : "acts"}` : board.status === "ended" ? "The fight is over" : ""}</h2>
            ${lines.map((one, index) => html`<p key=${one.version} class=${index === 0 ? "newest" : ""}>${short(one.text)}</p>`)}
          </section>`}
          <${MapView} />
        </div>
      </main>
    </div>
  `;
}
