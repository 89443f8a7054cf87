// The actions for a moment of the log.
import { html } from "../view.js";
import { open as amend } from "../amend/open.js";
import { lookAt } from "../commands.js";
import { eyes, role, ruling } from "../state.js";
import { compared, compare } from "./compare.js";

/** @import { Entry } from "../shapes.d.ts" */

/** Events that cannot be amended. */
const FIXED = ["combat-opened", "reverted", "requested", "request-settled"];

/** @param {{ entry: Entry }} props */
export function Moment({ entry }) {
  if (eyes.value !== null) return null; // in the view of a player, versions are those of the player
  const first = compared.value !== null && compared.value.to === null;
  return html`
    <span class="moment">
      <${Look} version=${entry.last} label="Look" />
      ${role.value === "gm" && html`<button type="button" class="quiet" onClick=${() => compare(entry.last)}>${first ? "Compare with this" : "Compare"}</button>`}
      ${ruling.value && !entry.undone && !FIXED.includes(entry.lines[0]?.type ?? "") &&
      html`<button type="button" class="quiet" onClick=${() => amend(entry, true)}>Change this…</button><button type="button" class="quiet" onClick=${() => amend(entry, false)}>What if…</button>`}
    </span>
  `;
}

/** A button that shows a moment of the past. @param {{ version: number, label: string, after?: () => void }} props */
export function Look({ version, label, after = () => {} }) {
  if (version < 1 || eyes.value !== null) return null;
  const look = () => {
    void lookAt(version);
    after();
  };
  return html`<button type="button" class="quiet" onClick=${look}>${label}</button>`;
}
