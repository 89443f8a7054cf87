// The GM's tools for the table: new combatant, map, clock. One is open at a time.
import { html } from "../view.js";
import { useDraft } from "../draft.js";
import { ruleset, ruling, shown } from "../state.js";
import { Clock } from "./clock.js";
import { Ground } from "./ground.js";
import { Newcomer } from "./newcomer.js";

const TOOLS = /** @type {[string, string, import("../view.d.ts").Component][]} */ ([
  ["join", "Somebody joins", Newcomer],
  ["map", "The map", Ground],
  ["clock", "The clock", Clock],
]);

export function Tools() {
  const [open, setOpen] = useDraft("tool", "");
  if (!ruling.value || ruleset.value === null || shown.value?.status === "ended") return null;
  const tool = TOOLS.find(([id]) => id === open);
  return html`
    <section class="rulings tools" aria-label="Table">
      <h2>Table</h2>
      <div class="options">
        ${TOOLS.map(([id, label]) => html`<button type="button" class="option" key=${id} aria-expanded=${id === open} onClick=${() => setOpen(id === open ? "" : id)}>${label}</button>`)}
      </div>
      ${tool && html`<${tool[2]} key=${tool[0]} done=${() => setOpen("")} />`}
    </section>
  `;
}
