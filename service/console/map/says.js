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
  const way = wayOf(move);
  const name = called(move.who);
  const wait = sending.value !== null;
  return html`
    <div class="says move" role="status" aria-label="Move">
      ${move.to === null
        ? html`<p><b><bdi>${name}</bdi></b>: tap where to go.</p>`
        : way !== null
          ? html`<p><b>${length(way.way.cost)} of ${length(way.reach.limit)} ${way.reach.unit}</b> ${way.offer.label.toLowerCase()}${paid(way)}</p>${reactions(way.way)}`
          : html`<p>${move.ways === null ? "…" : html`<b><bdi>${name}</bdi></b> cannot get to ${place(move.to)} now.`}</p>`}
      ${!move.held &&
      html`<div class="send">
        ${way !== null && html`<button type="button" class="primary" aria-disabled=${wait} onClick=${() => go(way)}>${verb(way.way)}</button>`}
        ${move.to !== null && ruling.value && html`<button type="button" onClick=${() => put(move.who, /** @type {Square} */ (move.to))} title="It costs nothing, and nobody reacts">Put it there</button>`}
        <button type="button" class="quiet" onClick=${drop}>Cancel</button>
      </div>`}
    </div>
  `;
}

/** Name a payment that is not the usual one. @param {import("./moving.js").Way} way */
const paid = ({ offer, reach }) => (Object.keys(reach.inputs ?? {}).length > 0 ? html`, <b>at the price: ${offer.cost}</b>` : null);

/** @param {string} id */
const called = (id) => shown.value?.combatants.find((combatant) => combatant.id === id)?.name ?? "";

/** @param {Reached} way */
function verb({ provokes = [] }) {
  if (provokes.length === 0) return "Move";
  return `Move, ${provokes.length} ${provokes.length === 1 ? "reaction" : "reactions"}`;
}

/** Name the combatants that react, and the squares. @param {Reached} way */
function reactions({ provokes = [] }) {
  if (provokes.length === 0) return html`<p class="free">Nobody reacts.</p>`;
  return html`<ul>${provokes.map((provoke) => html`<li key=${provoke.who}><b>${called(provoke.who)}</b> may react at ${place(provoke.at)}</li>`)}</ul>`;
}
