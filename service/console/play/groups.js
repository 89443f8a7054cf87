// The options of a prompt as a bar: grouped by cost, attacks first, the end of a turn apart. Pure.
import { aimless, oneTap } from "../schema/read.js";

/** @import { Offer, Schema } from "../shapes.d.ts" */

/** @typedef {{ label: string, offers: Offer[] }} Group */
/** `idle`: hostile options without a target. `out`: options that leave the fight. @typedef {{ groups: Group[], idle: Offer[], apart: Offer[], out: Offer[], first: Offer | null }} Bar */

/** Attacks and spells keep the service's order, which begins with the strongest. */
const STRIKES = ["attack", "cast"];
const RANKS = ["cast", "help", "move", "defend", "use", "choose", "wait"];
const APART = ["end", "pass"];
/** The category of options that leave the fight, in the prompt of a turn that can also end. */
const LAST = "choose";
/** Maximum number of options that need no groups. */
const FEW = 3;

/**
 * Return the bar. `first` is highlighted as the most probable option: the first attack, if one
 * tap sends it.
 * @param {readonly Offer[]} offers @param {Record<string, Schema>} schemas @param {Record<string, string>} sides @returns {Bar}
 */
export function bar(offers, schemas, sides) {
  const rank = (/** @type {Offer} */ offer) => ((STRIKES.includes(offer.category) ? 0 : RANKS.indexOf(offer.category)) + 1 || RANKS.length + 1) + (offer.examples.length > 0 || offer.essential.length === 0 ? 0 : 100);
  const ends = offers.filter((offer) => APART.includes(offer.category));
  const out = ends.some((end) => end.category === "end") ? offers.filter((offer) => offer.category === LAST && offer.kind === "turn") : [];
  const idle = offers.filter((offer) => aimless(offer, schemas[offer.inputs] ?? {}));
  const rest = offers.filter((offer) => ![...ends, ...out].includes(offer) && !idle.includes(offer)).sort((a, b) => rank(a) - rank(b));
  const usual = offers.find((offer) => STRIKES.includes(offer.category) && offer.examples.length > 0 && !idle.includes(offer));
  const ready = usual !== undefined && oneTap(usual, schemas[usual.inputs], sides) ? usual : undefined;
  const first = ready ?? (rest.some((offer) => ["attack", "cast", "move"].includes(offer.category)) ? null : (ends.find((end) => end.category === "end") ?? null));
  if (rest.length <= FEW) return { groups: rest.length > 0 ? [{ label: "", offers: rest }] : [], idle, apart: ends, out, first };
  /** @type {Map<string, Offer[]>} */
  const groups = new Map();
  for (const offer of rest) groups.set(priced(offer), [...(groups.get(priced(offer)) ?? []), offer]);
  return { groups: [...groups].map(([label, all]) => ({ label, offers: all })), idle, apart: ends, out, first };
}

/** @param {Offer} offer */
const priced = ({ cost }) => (cost === "none" ? "" : cost);

/** Return the bar with only its first options and the chosen one. @param {Bar} whole @param {number} most @param {Offer | undefined} chosen @returns {Bar} */
export function shortened({ groups, idle, apart, out, first }, most, chosen) {
  if (most === Infinity) return { groups, idle, apart, out, first };
  const all = groups.flatMap((group) => group.offers);
  const kept = all.slice(0, most);
  if (chosen !== undefined && all.includes(chosen) && !kept.includes(chosen)) kept.push(chosen);
  return { groups: kept.length > 0 ? [{ label: "", offers: kept }] : [], idle: [], apart: apart.slice(0, 1), out: [], first };
}
