// Filters of the log.
import { html, signal } from "../view.js";
import { shown } from "../state.js";

/** @import { Entry, Line } from "../shapes.d.ts" */

export const wanted = signal({ who: "", text: "", undone: true });

/** Events that the headings of the log already show. */
const HEADINGS = new Set(["round-began", "phase-began", "round-ended"]);

/** @param {Line} line @param {Entry} entry @param {{ who: string, text: string, undone: boolean }} want */
export function fits(line, entry, want) {
  if (!want.undone && entry.undone) return false;
  if (want.text === "" && HEADINGS.has(line.type)) return false;
  if (want.who && !(line.combatants ?? []).includes(want.who)) return false;
  return want.text === "" || `${line.text} ${(line.rules ?? []).join(" ")}`.toLowerCase().includes(want.text.toLowerCase());
}

export function Filters() {
  const set = (/** @type {object} */ more) => (wanted.value = { ...wanted.value, ...more });
  return html`
    <div class="filters">
      <input type="search" id="find" aria-label="Find in the log" placeholder="find" value=${wanted.value.text} onInput=${(/** @type {any} */ event) => set({ text: event.target.value })} />
      <select aria-label="Only lines about" value=${wanted.value.who} onChange=${(/** @type {any} */ event) => set({ who: event.target.value })}>
        <option value="">everybody</option>
        ${shown.value?.combatants.map((combatant) => html`<option value=${combatant.id} key=${combatant.id}>${combatant.name}</option>`)}
      </select>
      <label><input type="checkbox" checked=${wanted.value.undone} onChange=${(/** @type {any} */ event) => set({ undone: event.target.checked })} /> taken back too</label>
    </div>
  `;
}
