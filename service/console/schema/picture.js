// A picture from a file, by drag and drop, or from an address.
import { html, useState } from "../view.js";
import { held, pictured, store, TOKEN_PX } from "../pictures.js";
import { fault } from "../play/act.js";
import { seat } from "../state.js";

const TYPES = "image/png,image/jpeg,image/webp";

/** A draft has the picture or its address as the value. An open fight has the picture's id. @param {{ value: unknown, set: (value: unknown) => void, label: string, longest?: number }} props */
export function Picture({ value, set, label, longest = TOKEN_PX }) {
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const reference = typeof value === "string" && value !== "" ? value : null;
  const url = reference?.startsWith("data:") ? reference : seat.value === null ? null : pictured(reference)?.url;

  /** @param {Blob | string | undefined} source */
  async function take(source) {
    setOver(false);
    if (source === undefined || source === "" || busy) return;
    setBusy(true);
    setWrong("");
    try {
      if (seat.peek() !== null) set(await store(source, longest));
      else set(typeof source === "string" ? source : await held(source, longest));
    } catch (failed) {
      setWrong(failed instanceof DOMException ? "This is no picture: choose a PNG, JPEG or WebP file." : fault(failed).text);
    }
    setBusy(false);
  }
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    event.stopPropagation(); // without this, the first page would import the file
    void take(event.dataTransfer?.files[0]);
  };

  return html`
    <div class=${over ? "picture over" : "picture"} role="group" aria-label=${label} aria-busy=${busy} onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), event.stopPropagation(), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      ${url && html`<img src=${url} alt="" />`}
      <label class="add choose">${busy ? "Storing…" : "Picture…"}<input type="file" class="unseen" accept=${TYPES} onChange=${(/** @type {any} */ event) => void take(event.target.files[0])} /></label>
      <input type="url" aria-label=${`${label}: address`} placeholder="or https://…" value=${reference?.startsWith("https:") ? reference : ""} onChange=${(/** @type {any} */ event) => void take(event.target.value.trim())} />
      ${reference !== null && html`<button type="button" class="quiet" aria-label=${`Remove: ${label}`} onClick=${() => set(null)}>✕</button>`}
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    </div>
  `;
}
