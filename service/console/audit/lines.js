// The lines of the log, as a story tells them.

/** Events of a story. The others are bookkeeping. */
export const LOUD = ["rolled", "damaged", "healed", "downed", "died", "stabilized", "condition-gained", "condition-lost", "moved", "combat-ended", "effect-resolved", "noted"];

/** Without rule ids, which unfold. @param {string} text */
export const short = (text) => text.replace(/ \[[A-Z]+(-[A-Z0-9]+)+\]/g, "");
