// The service's verification of the whole fight, in words.
import { html, useState } from "../view.js";
import { ask } from "../commands.js";
import { fault } from "../play/act.js";

/** @import { Verification } from "../shapes.d.ts" */

export function Verified() {
  const [report, setReport] = useState(/** @type {Verification | null} */ (null));
  const [wrong, setWrong] = useState("");
  const check = () => void ask("/verify").then((answer) => (setWrong(""), setReport(answer)), (failed) => setWrong(fault(failed).text));
  return html`
    <button type="button" onClick=${check}>Verify</button>
    <div role="status" class="verified">
      ${report !== null && html`<p class=${report.sound ? "sound" : "fault"}>${told(report)}</p><ul>${report.faults.map((fault) => html`<li key=${fault} class="fault">${fault}</li>`)}</ul>`}
      ${wrong && html`<p class="fault">${wrong}</p>`}
    </div>
  `;
}

/** @param {Verification} report */
function told(report) {
  const parts = [
    [report.server_rolls, "derived from the seed"],
    [report.manual_rolls, "by hand"],
    [report.kept_rolls, "kept by amendments"],
    [report.copied_rolls, "from an earlier fight"],
    [report.unrevealed_rolls, "whose seed is still secret"],
  ];
  const rolls = parts.filter(([count]) => Number(count) > 0).map(([count, what]) => `${count} ${what}`);
  const head = report.sound ? `Sound: nobody has changed any of the ${report.events} events.` : `Not sound: the record of ${report.events} events was changed.`;
  return `${head}${rolls.length > 0 ? ` Rolls: ${rolls.join(", ")}.` : ""}`;
}
