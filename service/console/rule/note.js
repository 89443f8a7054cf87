// A note in the log.
import { html, useState } from "../view.js";
import { useDraft } from "../draft.js";
import { acting, ruling } from "../state.js";
import { attempt } from "../play/act.js";

export function Note() {
  const [text, setText, drop] = useDraft("note", "");
  const [hidden, setHidden] = useState(false);
  if (!acting.value) return null;
  async function write(/** @type {Event} */ event) {
    event.preventDefault();
    if ((await attempt("/notes", { text, private: hidden })) === null) (setText(""), drop());
  }
  return html`
    <form class="row note" onSubmit=${write}>
      <input type="text" aria-label="A note for the log" placeholder="a note" required maxlength="2000" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      ${ruling.value && html`<label><input type="checkbox" checked=${hidden} onChange=${(/** @type {any} */ event) => setHidden(event.target.checked)} /> for me</label>`}
      <button type="submit">Write</button>
    </form>
  `;
}
