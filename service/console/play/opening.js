// Before the fight, and after it.
import { html, useState } from "../view.js";
import { ruling, you } from "../state.js";
import { Summary } from "../audit/summary.js";
import { attempt } from "./act.js";

/** @import { Board } from "../shapes.d.ts" */
/** @import { Fault } from "./act.js" */

export function Opening() {
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const begin = async () => setFault(await attempt("/begin", {}));
  return html`
    <article class="card ask">
      <h3>The fight has not begun</h3>
      ${ruling.value ? html`<button type="button" class="primary" onClick=${begin}>Begin</button>` : html`<p>The GM begins it.</p>`}
      <${Salt} />
      ${fault && html`<p class="fault" role="alert">${fault.text}</p>`}
    </article>
  `;
}

/** A text mixed into the dice. It prevents the choice of a lucky seed. */
function Salt() {
  const [text, setText] = useState("");
  const [state, setState] = useState("");
  async function add(/** @type {Event} */ event) {
    event.preventDefault();
    const wrong = await attempt("/salts", { by: you.value?.label || "somebody", salt: text });
    setState(wrong?.text ?? "mixed into the dice");
  }
  return html`
    <details>
      <summary>Mix a text of yours into the dice</summary>
      <form class="row" onSubmit=${add}>
        <input type="text" aria-label="Any text" maxlength="200" required value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <button type="submit">Add</button> <span role="status">${state}</span>
      </form>
    </details>
  `;
}

/** @param {{ board: Board }} props */
export function Ended({ board }) {
  return html`<article class="card"><h3>The fight is over</h3><p>${board.winners.length > 0 ? `Won by: ${board.winners.join(", ")}.` : "Nobody won."}</p><${Summary} /></article>`;
}
