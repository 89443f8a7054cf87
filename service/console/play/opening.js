// The cards before and after a fight.
import { html, useState } from "../view.js";
import { Confirm } from "../confirm.js";
import { forgetFight } from "../session.js";
import { ruling, you } from "../state.js";
import { Summary } from "../audit/summary.js";
import { attempt, say } from "./act.js";

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

/** A field for a text that becomes part of the seed, so that the service cannot choose a lucky seed. */
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
  return html`<article class="card"><h3>The fight is over</h3><${Summary} /><p class="paper"><a href="#">All fights</a></p>${ruling.value && html`<${Delete} board=${board} />`}</article>`;
}

/** Delete the fight from the service and from this device. @param {{ board: Board }} props */
function Delete({ board }) {
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  async function remove() {
    const wrong = await attempt("", undefined, {}, "DELETE");
    if (wrong !== null) return setFault(wrong);
    forgetFight(board.id);
    say(`${board.name} is deleted.`);
    location.hash = "";
  }
  return html`
    <p class="paper"><button type="button" onClick=${() => setAsking(true)}>Delete fight</button></p>
    ${fault && html`<p class="fault" role="alert">${fault.text}</p>`}
    ${asking &&
    html`<${Confirm}
      title="Delete this fight?"
      verb=${`Delete ${board.name}`}
      what="The service deletes its history, its links and its dice, for everybody. You cannot undo this. To keep a copy, export the fight under Dice proof first."
      agreed=${remove}
      close=${() => setAsking(false)}
    />`}
  `;
}
