// The lines of the log.

/** Events that the log tells. All others are bookkeeping. */
export const LOUD = ["rolled", "damaged", "healed", "downed", "died", "stabilized", "condition-gained", "condition-lost", "moved", "combat-ended", "effect-resolved", "noted"];

/** Remove the rule ids, which the page shows on request. @param {string} text */
export const short = (text) => text.replace(/ \[[A-Z]+(-[A-Z0-9]+)+\]/g, "");
