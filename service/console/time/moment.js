// What can be done with a moment of the log.
import { html } from "../view.js";
import { lookAt, role } from "../store.js";
import { compared, compare } from "./compare.js";

/** @import { Entry } from "../shapes.d.ts" */

/** @param {{ entry: Entry }} props */
export function Moment({ entry }) {
  if (role.value !== "gm") return null;
  const first = compared.value !== null && compared.value.to === null;
  return html`
    <span class="moment">
      <${Look} version=${entry.last} label="Look" />
      <button type="button" class="quiet" onClick=${() => compare(entry.last)}>${first ? "Compare with this" : "Compare"}</button>
    </span>
  `;
}

/** Shows a moment of the past. @param {{ version: number, label: string, after?: () => void }} props */
export function Look({ version, label, after = () => {} }) {
  if (version < 1) return null;
  const look = () => {
    void lookAt(version);
    after();
  };
  return html`<button type="button" class="quiet" onClick=${look}>${label}</button>`;
}
