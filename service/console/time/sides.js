// Two branches side by side, from the moment at which they part.
import { html, useEffect, useState } from "../view.js";
import { ask } from "../commands.js";
import { present } from "../state.js";
import { fault } from "../play/act.js";
import { short } from "../audit/lines.js";
import { Window } from "../window.js";

/** @import { BranchCommand, Comparison } from "../shapes.d.ts" */

/** @param {{ version: number, name: string }} props `version`: the last version of the undone branch */
export function BesideThePresent({ version, name }) {
  const [open, setOpen] = useState(false);
  return html`
    <button type="button" class="quiet" aria-label=${`Beside the present: ${name}`} onClick=${() => setOpen(true)}>Side by side</button>
    ${open && html`<${Window} title="Two branches" close=${() => setOpen(false)}><${Both} a=${version} /></${Window}>`}
  `;
}

/** @param {{ a: number }} props */
function Both({ a }) {
  const [comparison, setFound] = useState(/** @type {Comparison | null} */ (null));
  const [wrong, setWrong] = useState("");
  const now = present.value?.version ?? 0;
  useEffect(() => void ask(`/compare?a=${a}&b=${now}`).then(setFound, (failed) => setWrong(fault(failed).text)), [a, now]);
  if (wrong) return html`<p class="fault" role="alert">${wrong}</p>`;
  if (comparison === null) return html`<p>…</p>`;
  return html`
    <div class="sides">
      <${Side} title="Taken back" commands=${comparison.a} />
      <${Side} title="Now" commands=${comparison.b} />
    </div>
    <h3>How the ends differ</h3>
    ${comparison.end.text.length === 0 && html`<p>All have the same hit points, conditions and squares.</p>`}
    <ul class="difference">${comparison.end.text.map((text, index) => html`<li key=${index}>${text}</li>`)}</ul>
  `;
}

/** @param {{ title: string, commands: readonly BranchCommand[] }} props */
function Side({ title, commands }) {
  return html`
    <section aria-label=${title}>
      <h3>${title}</h3>
      <ol>${commands.map((command) => html`<li key=${command.first}>${command.lines.map((line, index) => html`<p key=${index}>${short(line)}</p>`)}</li>`)}</ol>
      ${commands.length === 0 && html`<p class="hint">Nothing happened here.</p>`}
    </section>
  `;
}
