// Who answers for somebody: a player who is here. The GM may do it, too.
import { role, seats } from "../state.js";

/** The label of the player who is here and plays somebody; null for others than the GM, or where nobody does. @param {string | null} who @returns {string | null} */
export function player(who) {
  if (role.value !== "gm" || who === null) return null;
  const seat = seats.value.find(({ here, role: kind, combatants }) => here && kind === "player" && combatants.includes(who));
  return seat === undefined ? null : seat.label || "A player";
}

/** @param {string | null} who */
export const played = (who) => player(who) !== null;
