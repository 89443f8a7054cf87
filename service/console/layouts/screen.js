// A screen for everyone: large type, nothing to click; it follows.
import { html } from "../view.js";
import { shown } from "../state.js";
import { whom } from "../play/cards.js";
import { MapView } from "../map/view.js";
import { Result } from "../play/result.js";
import { Order } from "../play/order.js";
import { Header } from "./header.js";

export function Screen() {
  const board = shown.value;
  return html`
    <div class="table screen" data-version=${board?.version}>
      <${Header} />
      <main>
        <div class="column left"><${Order} /></div>
        <div class="column middle">
          ${board !== null &&
          html`<section class="says" aria-label="What happens" aria-live="polite">
            <h2>${board.acting.length > 0 ? `${whom(board.acting)} ${board.acting.length > 1 ? "act" : "acts"}` : board.status === "ended" ? "The fight is over" : ""}</h2>
            <${Result} />
          </section>`}
          <${MapView} />
        </div>
      </main>
    </div>
  `;
}
