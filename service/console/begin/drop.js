// Imports a fight from an exported file.
import { html, useEffect, useState } from "../view.js";
import { Refused, send } from "../http.js";
import { fault } from "../play/act.js";
import { sit } from "../session.js";

/** @import { Opened } from "../shapes.d.ts" */

export function Drop() {
  const [over, setOver] = useState(false);
  const [wrong, setWrong] = useState("");

  const [here, setHere] = useState(/** @type {File | null} */ (null));

  /** @param {File | undefined} file @param {boolean} [copy] if the service already has the fight, import it as a copy */
  async function take(file, copy = false) {
    setOver(false);
    setWrong("");
    setHere(null);
    if (file === undefined) return;
    try {
      const opened = /** @type {Opened} */ (await send("POST", `/v1/combats/import${copy ? "?if_here=copy" : ""}`, await file.text(), { type: "application/x-ndjson" }));
      sit(opened);
    } catch (failed) {
      if (!copy && failed instanceof Refused && failed.status === 409) setHere(file);
      else setWrong(fault(failed).text);
    }
  }

  useEffect(() => {
    const hover = (/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(true));
    const leave = (/** @type {DragEvent} */ event) => event.relatedTarget === null && setOver(false);
    const drop = (/** @type {DragEvent} */ event) => (event.preventDefault(), void take(event.dataTransfer?.files[0]));
    addEventListener("dragover", hover);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", hover);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);

  return html`
    <label class=${over ? "drop over" : "drop"}>
      <b>Drop an export</b> anywhere on this page, or choose its file: the whole fight comes along, with its history.
      <input type="file" accept=".jsonl,.ndjson,application/x-ndjson" onChange=${(/** @type {any} */ event) => void take(event.target.files[0])} />
    </label>
    ${here !== null && html`<p role="alert">This fight is here already. <button type="button" onClick=${() => take(here, true)}>Import as a copy</button></p>`}
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
  `;
}
