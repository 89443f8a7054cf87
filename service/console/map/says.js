// What the map says about a move before it is sent: its cost, its reactions, and the buttons.
import { html } from "../view.js";
import { ruling, shown } from "../state.js";
import { sending } from "../play/act.js";
import { drop, go, moving, put, wayOf } from "./moving.js";
import { length, place } from "./wanted.js";

/** @import { Reached } from "./moving.js" */
/** @import { Square } from "../shapes.d.ts" */

export function Says() {
  const move = moving.value;
  if (move === null || (move.to === null && move.held)) return null;
  const found = wayOf(move);
  const name = called(move.who);
  const wait = sending.value !== null;
  return html`
    <div class="says move" role="status" aria-label="Move">
      ${move.to === null
        ? html`<p><b><bdi>${name}</bdi></b>: tap where to go.</p>`
        : found !== null
          ? html`<p><b>${length(found.way.cost)} of ${length(found.reach.limit)} ${found.reach.unit}</b> ${found.offer.label.toLowerCase()}</p>${reactions(found.way)}`
          : html`<p>${move.ways === null ? "…" : html`<b><bdi>${name}</bdi></b> cannot get to ${place(move.to)} now.`}</p>`}
      ${!move.held &&
      html`<div class="send">
        ${found !== null && html`<button type="button" class="primary" aria-disabled=${wait} onClick=${() => go(found)}>${verb(found.way)}</button>`}
        ${move.to !== null && ruling.value && html`<button type="button" onClick=${() => put(move.who, /** @type {Square} */ (move.to))} title="It costs nothing, and nobody reacts">Put it there</button>`}
        <button type="button" class="quiet" onClick=${drop}>Cancel</button>
      </div>`}
    </div>
  `;
}

/** @param {string} id */
const called = (id) => shown.value?.combatants.find((one) => one.id === id)?.name ?? "";

/** @param {Reached} way */
function verb({ provokes = [] }) {
  if (provokes.length === 0) return "Move";
  return `Move, ${provokes.length} ${provokes.length === 1 ? "reaction" : "reactions"}`;
}

/** Name the combatants that react, and the squares. @param {Reached} way */
function reactions({ provokes = [] }) {
  if (provokes.length === 0) return html`<p class="free">Nobody reacts.</p>`;
  return html`<ul>${provokes.map((one) => html`<li key=${one.who}><b>${called(one.who)}</b> may react at ${place(one.at)}</li>`)}</ul>`;
}
