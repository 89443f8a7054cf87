// Undo and redo.
import { html } from "../view.js";
import { entries, ruling } from "../state.js";
import { short } from "../audit/lines.js";
import { moments } from "./names.js";
import { newestTap } from "./taps.js";
import { attempt, say, sending, version } from "../play/act.js";

/** The depths of an undo that the service has, with their labels. */
const FURTHER = /** @type {Record<string, string>} */ ({ turn: "this turn", round: "this round" });

/** Take back the newest command, with all others of the same tap, or a turn or a round. @param {"command" | "turn" | "round"} [over] */
export async function takeBack(over = "command") {
  const { commands, last } = newestTap(moments(entries.peek()).filter((moment) => !moment.undone));
  const label = FURTHER[over] ?? `${short(commands[0]?.lines?.at(0)?.text ?? "the last command")}${commands.length > 1 ? ` And ${commands.length - 1} more.` : ""}`;
  const whole = over === "command" && commands.length > 1;
  const wrong = whole ? await goTo(Number(commands[0]?.first) - 1) : await attempt("/undo", { over }, version());
  const again = whole ? () => void goTo(last) : putBack;
  say(wrong?.text ?? `Taken back: ${label}`, wrong === null ? again : undefined);
}

/** Return the combat to its state after a version. @param {number} to */
const goTo = (to) => attempt("/goto", { version: to }, version());

export async function putBack() {
  const wrong = await attempt("/redo", {}, version());
  say(wrong?.text ?? "Put back.", wrong === null ? takeBack : undefined);
}

export function Verbs() {
  if (!ruling.value) return null;
  const wait = sending.value !== null;
  return html`
    <div class="verbs" role="group" aria-label="History">
      <button type="button" aria-disabled=${wait} aria-keyshortcuts="U" onClick=${() => takeBack()}>↶ Take back</button>
      <select aria-label="Take back more" value="" onChange=${(/** @type {any} */ event) => (takeBack(event.target.value), (event.target.value = ""))}>
        <option value="">…</option>
        ${Object.entries(FURTHER).map(([over, label]) => html`<option key=${over} value=${over}>${label}</option>`)}
      </select>
      <button type="button" aria-disabled=${wait} aria-keyshortcuts="Shift+U" onClick=${putBack}>↷ Put back</button>
    </div>
  `;
}
