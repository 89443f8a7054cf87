// A confirmation dialog. The button that confirms names the loss, and the safe choice has the
// focus.
import { html, useEffect, useRef } from "./view.js";
import { Window } from "./window.js";

/** @param {{ title: string, verb: string, what: string, agreed: () => void, close: () => void }} props */
export function Confirm({ title, verb, what, agreed, close }) {
  const safe = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => safe.current?.focus(), []);
  const go = () => {
    close();
    agreed();
  };
  return html`
    <${Window} title=${title} close=${close}>
      <p>${what}</p>
      <div class="send">
        <button type="button" class="danger" onClick=${go}>${verb}</button>
        <button type="button" ref=${safe} onClick=${close}>Cancel</button>
      </div>
    </${Window}>
  `;
}
