// The player who answers for a combatant. The GM may also answer.
import { role, seats } from "../state.js";

/** Return the label of the online player of a combatant, if the reader is the GM. Return null if no player is online or the reader is not the GM. @param {string | null} who @returns {string | null} */
export function player(who) {
  if (role.value !== "gm" || who === null) return null;
  const seat = seats.value.find(({ here, role: kind, combatants }) => here && kind === "player" && combatants.includes(who));
  return seat === undefined ? null : seat.label || "A player";
}

/** @param {string | null} who */
export const played = (who) => player(who) !== null;
