// A modal window. It is a real dialog, so that the browser keeps the focus inside.
import { html, useEffect, useRef } from "./view.js";
import { firstInside, giveBack } from "./focus.js";

/** @param {{ title: string, close: () => void, children?: unknown }} props */
export function Window({ title, close, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const opener = useRef(document.activeElement);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
    firstInside(dialog.current)?.focus();
    return () => giveBack(opener.current);
  }, []);
  return html`
    <dialog ref=${dialog} aria-label=${title} onClose=${close} onClick=${(/** @type {any} */ event) => event.target === dialog.current && dialog.current?.close()}>
      <header><h2>${title}</h2><button type="button" class="quiet" aria-label="Close" onClick=${() => dialog.current?.close()}>✕</button></header>
      <div class="inside">${children}</div>
    </dialog>
  `;
}
