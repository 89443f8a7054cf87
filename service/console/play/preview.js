// The "What would happen?" preview. The service stores nothing.
import { html, useEffect, useRef, useState } from "../view.js";
import { tell } from "../commands.js";
import { short } from "../audit/lines.js";
import { role } from "../state.js";
import { fault } from "./act.js";

/** @param {{ body: unknown }} props */
export function Preview({ body }) {
  const [lines, setLines] = useState(/** @type {{ chance: boolean, lines: readonly string[] } | null} */ (null));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [lines]);
  async function look() {
    try {
      const answer = await tell("POST", "/preview", body);
      setLines({ chance: answer.chance, lines: answer.lines.map(short) });
    } catch (failed) {
      setLines({ chance: false, lines: [fault(failed).text] });
    }
  }
  return html`
    <button type="button" class="quiet" onClick=${look}>What would happen?</button>
    ${lines !== null &&
    html`<div class="preview" role="status" ref=${box}>
      ${lines.chance && html`<p class="hint">One possible roll; the real one is not known.</p>`}
      <ul>${lines.lines.map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>
      ${role.value === "player" && !lines.chance && html`<p class="hint">What comes of it, others and the dice decide.</p>`}
      ${lines.lines.length === 0 && html`<p>Nothing that you would see.</p>`}
    </div>`}
  `;
}
