// The players of the table: who is online, and who is asked.
import { html } from "../view.js";
import { seats, shown } from "../state.js";

/** The label of the token for a screen with the players' numbers. It is no seat. */
export const SCREEN = "Screen with numbers";

export function Seats() {
  const board = shown.value;
  const players = seats.value.filter(({ role, label }) => role === "player" && label !== SCREEN);
  if (board === null || players.length === 0) return null;
  return html`
    <ul class="seats" aria-label="Players">
      ${players.map((player, index) => {
        const asked = player.combatants.some((who) => board.awaited.includes(who));
        return html`<li key=${index} class=${[player.here && "here", asked && "asked"].filter(Boolean).join(" ")}><i aria-hidden="true"></i><bdi>${player.label || "A player"}</bdi><small>${player.here ? (asked ? "asked" : "here") : asked ? "asked, away" : "away"}</small></li>`;
      })}
    </ul>
  `;
}
