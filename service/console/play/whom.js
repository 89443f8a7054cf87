// Names of combatants that act or have a prompt.
import { listed } from "../listed.js";
import { shown } from "../state.js";

/** @param {readonly (string | null)[]} who null = the GM */
export function whom(who) {
  const names = who.map((id) => (id === null ? "the GM" : (shown.value?.combatants.find((combatant) => combatant.id === id)?.name ?? id)));
  return names.length > 0 ? listed(names) : "the GM";
}

/** Return the names as plain text, for labels and messages. @param {readonly (string | null)[]} who */
export const whose = (who) => {
  const names = who.map((id) => (id === null ? "the GM" : (shown.peek()?.combatants.find((combatant) => combatant.id === id)?.name ?? id)));
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
};
