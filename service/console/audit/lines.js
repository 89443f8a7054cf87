// The lines of the log, as a story tells them.

/** What a story would tell; the rest keeps the books. */
export const LOUD = ["rolled", "damaged", "healed", "downed", "died", "stabilized", "condition-gained", "condition-lost", "moved", "combat-ended", "effect-resolved", "noted"];

/** Without rule ids, which unfold. @param {string} text */
export const short = (text) => text.replace(/ \[[A-Z]+(-[A-Z0-9]+)+\]/g, "");
