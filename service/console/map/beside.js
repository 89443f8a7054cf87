// Who is in the fight and has no square: beside the map, and from there onto it.
import { html } from "../view.js";
import { sideNumber } from "../board.js";
import { ruling, shown, wanted } from "../state.js";
import { put } from "./moving.js";

const OWNER = "beside the map";

export function Beside() {
  const board = shown.value;
  const all = board?.combatants.filter((one) => one.in_fight && one.position === null) ?? [];
  if (board === null || all.length === 0) return null;
  const nobody = board.combatants.every((one) => one.position === null);
  if (nobody && !ruling.value) return null; // a fight without a map
  return html`
    <ul class="beside" aria-label="Without a square">
      ${all.map(
        (one) => html`<li key=${one.id}>
          <span class=${`mark side-${sideNumber(board, one.side)}`} aria-hidden="true"></span><b><bdi>${one.name}</bdi></b> <small>${one.hidden ? "hidden, " : ""}has no square</small>
          ${ruling.value && html`<button type="button" class="quiet" aria-label=${`Place ${one.name}`} onClick=${() => place(one.id)}>Place</button>`}
        </li>`,
      )}
    </ul>
  `;
}

/** The next click on the map is where it stands. @param {string} who */
function place(who) {
  const choose = (/** @type {import("../shapes.d.ts").Square} */ square) => {
    wanted.value = null;
    void put(who, square);
  };
  wanted.value = { owner: OWNER, who, path: false, from: null, squares: [], goals: [], choose, back: () => void (wanted.value = null) };
}
