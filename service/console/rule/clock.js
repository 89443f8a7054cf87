// Deadlines of prompts, and the button that stops the clock.
import { html, useState } from "../view.js";
import { useInView } from "../focus.js";
import { attempt, say } from "../play/act.js";
import { shown } from "../state.js";

const KINDS = /** @type {const} */ ([
  ["turn", "A turn"],
  ["declare", "A declaration"],
  ["reaction", "A reaction"],
  ["choice", "A choice"],
  ["ruling", "A question to the GM"],
]);

/** @typedef {Record<"turn" | "declare" | "reaction" | "choice" | "ruling", number | null> & { combatants: Record<string, number>, stopped: boolean }} Deadlines */

/** @param {{ done: () => void }} props */
export function Clock({ done }) {
  const none = { turn: null, declare: null, reaction: null, choice: null, ruling: null, combatants: {}, stopped: false };
  const held = /** @type {Deadlines} */ ({ ...none, ...shown.value?.deadlines });
  const [next, setNext] = useState(held);
  const [wrong, setWrong] = useState("");

  /** @param {Deadlines} to @param {string} said */
  async function set(to, said) {
    const fault = await attempt("/deadlines", to, {}, "PUT");
    setWrong(fault?.text ?? "");
    if (fault !== null) return;
    setNext(to);
    say(said);
  }

  const form = useInView();
  return html`
    <form class="filling" ref=${form} aria-label="The clock" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), void set(next, "The clock is set.").then(done))}>
      <p class="hint">Seconds until a question gets its default by itself; empty: it waits for ever. Rolls always wait.</p>
      ${KINDS.map(([kind, label]) => html`<label class="field" key=${kind}><span class="label">${label}</span>
        <input type="number" min="1" max="604800" placeholder="for ever" value=${next[kind] ?? ""} onInput=${(/** @type {any} */ event) => setNext({ ...next, [kind]: event.target.value === "" ? null : Number(event.target.value) })} /></label>`)}
      <details open=${Object.keys(next.combatants).length > 0}>
        <summary>Somebody's own time</summary>
        ${shown.value?.combatants.map((combatant) => html`<label class="field" key=${combatant.id}><span class="label">${combatant.name}</span>
          <input type="number" min="1" max="604800" placeholder="as above" value=${next.combatants[combatant.id] ?? ""} onInput=${(/** @type {any} */ event) => setNext({ ...next, combatants: timed(next.combatants, combatant.id, event.target.value) })} /></label>`)}
      </details>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      <div class="send">
        <button type="submit" class="primary">Set the clock</button>
        <button type="button" onClick=${() => set({ ...next, stopped: !next.stopped }, next.stopped ? "The clock runs on." : "The clock is stopped.")}>${next.stopped ? "Let it run" : "Stop the clock"}</button>
        <button type="button" class="quiet" onClick=${done}>Not now</button>
      </div>
    </form>
  `;
}

/** @param {Record<string, number>} all @param {string} who @param {string} seconds @returns {Record<string, number>} */
function timed(all, who, seconds) {
  const { [who]: _, ...others } = all;
  return seconds === "" ? others : { ...others, [who]: Number(seconds) };
}
