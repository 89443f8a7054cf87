// Taking back and putting back.
import { html } from "../view.js";
import { entries, ruling } from "../store.js";
import { short } from "../audit/log.js";
import { moments } from "./names.js";
import { attempt, say, sending, version } from "../play/act.js";

export async function takeBack() {
  const last = moments(entries.peek()).findLast((one) => !one.undone);
  const wrong = await attempt("/undo", {}, version());
  say(wrong?.text ?? `Taken back: ${short(last?.lines?.at(0)?.text ?? "the last command")}`, wrong === null ? putBack : undefined);
}

export async function putBack() {
  const wrong = await attempt("/redo", {}, version());
  say(wrong?.text ?? "Put back.", wrong === null ? takeBack : undefined);
}

export function Verbs() {
  if (!ruling.value) return null;
  const wait = sending.value !== null;
  return html`
    <div class="verbs" role="group" aria-label="History">
      <button type="button" aria-disabled=${wait} aria-keyshortcuts="U" onClick=${takeBack}>↶ Take back</button>
      <button type="button" aria-disabled=${wait} aria-keyshortcuts="Shift+U" onClick=${putBack}>↷ Put back</button>
    </div>
  `;
}
