// A fight brought along: the file of an export.
import { html, useState } from "../view.js";
import { send } from "../http.js";
import { fault } from "../play/act.js";
import { sit } from "../session.js";

/** @import { Opened } from "../shapes.d.ts" */

export function Drop() {
  const [over, setOver] = useState(false);
  const [wrong, setWrong] = useState("");

  /** @param {File | undefined} file */
  async function take(file) {
    setOver(false);
    if (file === undefined) return;
    try {
      const opened = /** @type {Opened} */ (await send("POST", "/v1/combats/import", await file.text(), { type: "application/x-ndjson" }));
      sit(opened);
    } catch (failed) {
      setWrong(fault(failed).text);
    }
  }

  return html`
    <label
      class=${over ? "drop over" : "drop"}
      onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(true))}
      onDragLeave=${() => setOver(false)}
      onDrop=${(/** @type {DragEvent} */ event) => (event.preventDefault(), void take(event.dataTransfer?.files[0]))}
    >
      <b>Drop an export here</b>, or choose its file: the whole fight comes along, with its history.
      <input type="file" accept=".jsonl,.ndjson,application/x-ndjson" onChange=${(/** @type {any} */ event) => void take(event.target.files[0])} />
    </label>
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
  `;
}
