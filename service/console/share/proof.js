// Proof of fair dice: the seed, its commitment, and every roll derived again in the page.
import { html, useState } from "../view.js";
import { ask } from "../commands.js";
import { present, role } from "../state.js";
import { attempt, fault } from "../play/act.js";
import { Confirm } from "../confirm.js";
import { verify } from "./fairness.js";
import { Verified } from "./verified.js";

/** @import { Report } from "./fairness.js" */

export function Proof() {
  const [report, setReport] = useState(/** @type {Report | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [revealing, setRevealing] = useState(false);
  const reveal = async () => setWrong((await attempt("/seed", {}))?.text ?? "");
  const board = present.value;
  if (board === null) return null;
  const own = role.value === "gm";

  /** @param {() => Promise<string>} read */
  async function check(read) {
    setWrong("");
    try {
      setReport(verify(await read(), board?.commitment));
    } catch (failed) {
      setReport(null);
      setWrong(failed instanceof SyntaxError ? "This is no export of a fight." : fault(failed).text);
    }
  }

  return html`
    <p>Before the first die fell, the service published the SHA-256 of a secret seed. Once the seed is known, anybody can derive every face again.</p>
    <dl class="proof">
      <dt>Published</dt><dd class="code">${board.commitment}</dd>
      <dt>Seed</dt><dd class="code">${board.seed ?? "still secret; revealed when the fight ends"}</dd>
    </dl>
    ${own &&
    html`<div class="send">
      <button type="button" class="primary" onClick=${() => check(() => ask("/export", { accept: "application/x-ndjson" }))}>Check every roll here</button>
      ${board.seed === null && html`<button type="button" onClick=${() => setRevealing(true)}>Reveal the seed…</button>`}
      <${Download} name=${board.name} />
      <${Verified} />
    </div>`}
    ${!own &&
    html`<label class="field wide"><span class="label">Check every roll here, with the export that the GM gives you:</span>
      <input type="file" accept=".jsonl,.ndjson,application/x-ndjson" onChange=${(/** @type {any} */ event) => event.target.files[0] && check(() => event.target.files[0].text())} /></label>`}
    ${revealing &&
    html`<${Confirm}
      title="Reveal the seed?"
      verb="Reveal the seed"
      what=${board.status === "ended" ? "Everybody can then derive every roll." : "Everybody can then derive every roll so far. Later rolls use a new seed, which is published as a fingerprint at once."}
      agreed=${reveal}
      close=${() => setRevealing(false)}
    />`}
    <div role="status">
      ${report !== null &&
      html`<p class=${report.faults.length > 0 ? "fault" : "sound"}>${report.faults.length > 0 ? "Not sound" : report.derived > 0 ? "Verified" : "Nothing to verify yet"}: ${report.derived} rolls derived from the seed, ${report.byHand} by hand, ${report.kept > 0 ? `${report.kept} kept by amendments, ` : ""}${report.unrevealed} whose seed is not known.</p>
        <ul>${report.faults.map((fault) => html`<li key=${fault} class="fault">${fault}</li>`)}</ul>`}
      ${wrong && html`<p class="fault">${wrong}</p>`}
    </div>
  `;
}

/** The whole fight as a file, to keep or to check. @param {{ name: string }} props */
function Download({ name }) {
  async function save() {
    const file = new Blob([await ask("/export", { accept: "application/x-ndjson" })], { type: "application/x-ndjson" });
    const to = document.createElement("a");
    to.href = URL.createObjectURL(file);
    to.download = `${name.replace(/[^\w-]+/g, "-").toLowerCase() || "combat"}.jsonl`;
    to.click();
    URL.revokeObjectURL(to.href);
  }
  return html`<button type="button" onClick=${save}>Export the fight</button>`;
}
