// A board with the fields that the service omits when they are empty. Pure.

/** @import { Board, Combatant, Ruleset, WireBoard } from "./shapes.d.ts" */

const NOBODY = { position: null, tracks: {}, conditions: [], budget: {}, derived: {}, sheet: null, facts: {}, standing_orders: [], markers: [], picture: null, owner: null, hidden: false };

/** @param {WireBoard} board @returns {Board} */
export function complete(board) {
  return {
    ...board,
    winners: board.winners ?? [],
    facts: board.facts ?? {},
    forced_rolls: board.forced_rolls ?? [],
    map: board.map ?? null,
    seed: board.seed ?? null,
    stalled: board.stalled ?? null,
    combatants: board.combatants.map((combatant) => ({
      ...NOBODY,
      ...combatant,
      conditions: (combatant.conditions ?? []).map((held) => ({
        ...held,
        data: held.data ?? {},
        until: held.until ?? [],
        rules: held.rules ?? [],
        source: held.source ?? null,
      })),
    })),
  };
}

/** @type {WeakMap<Combatant, string>} */
const texts = new WeakMap();

/** @param {Combatant} combatant */
function textOf(combatant) {
  const text = texts.get(combatant) ?? JSON.stringify(combatant);
  texts.set(combatant, text);
  return text;
}

/** Return the board with the earlier objects for unchanged combatants, so that Preact does not draw them again. @param {Board} board @param {Board | null} before @returns {Board} */
export function kept(board, before) {
  const known = new Map(before?.combatants.map((combatant) => [combatant.id, combatant]));
  const combatants = board.combatants.map((combatant) => {
    const was = known.get(combatant.id);
    return was !== undefined && textOf(was) === textOf(combatant) ? was : combatant;
  });
  return { ...board, combatants };
}

/** Return the combatants in the order of initiative, then those outside of it, then those that left the fight. @param {Board} board @param {Ruleset | null} ruleset */
export function lineup(board, ruleset) {
  const places = new Map(board.order.map((turn, index) => [String(turn.who), index]));
  const rank = (/** @type {Combatant} */ combatant) => (combatant.in_fight ? 0 : 1e9) + (places.get(combatant.id) ?? 1e6 + byNumber(turnNumber(combatant, ruleset)));
  return [...board.combatants].sort((a, b) => rank(a) - rank(b));
}

/** Return the position of a number in the order of initiative. @param {ReturnType<typeof turnNumber>} number */
const byNumber = (number) => (typeof number?.value !== "number" ? 1e5 : number.lowFirst ? number.value : -number.value);

/** Return the catalogue's description of a number, without ids and JSON values. @param {string} about */
export function meaning(about) {
  const text = about.replace(/[;.] `?null\b.*$/, "").replaceAll("`", "").replace(/^Ids? of (the )?/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return the number that decides the order of turns, if the rulebook has one: its name in sums, its meaning and its value. @param {Combatant} combatant @param {Ruleset | null} ruleset */
export function turnNumber(combatant, ruleset) {
  const info = ruleset?.derived.find((number) => number.role === "high-first" || number.role === "low-first");
  const derived = info && /** @type {any} */ (combatant.derived[info.id]);
  if (info === undefined || derived === undefined || derived === null) return null;
  const parts = typeof derived === "object";
  return { name: parts ? `${info.id}.total` : info.id, about: meaning(info.about).replace(/[:;] .*$/, ""), value: parts ? derived.total : derived, lowFirst: info.role === "low-first" };
}

/** Return the pools of a combatant, health first. @param {Combatant} combatant @param {Ruleset | null} ruleset */
export function pools(combatant, ruleset) {
  const known = new Map(ruleset?.tracks.map((track) => [track.id, track]));
  return Object.entries(combatant.tracks)
    .map(([id, track]) => ({
      id,
      label: known.get(id)?.label ?? words(id),
      health: known.get(id)?.role === "health" || id === "hp",
      value: track.value,
      maximum: track.maximum ?? null,
    }))
    .filter((pool) => pool.value !== 0 || pool.maximum !== 0)
    .sort((a, b) => Number(b.health) - Number(a.health));
}

/** Return the number of squares along an edge of a combatant. @param {Combatant} combatant */
export function extent(combatant) {
  const size = combatant.derived.space ?? combatant.derived.size ?? combatant.sheet?.space ?? combatant.sheet?.size;
  return typeof size === "number" && size >= 1 ? Math.round(size) : 1;
}

/** Return an id as words: "total-defense" -> "Total defense", "range_ft" -> "Range (ft)". @param {string} id */
export function words(id) {
  const text = id
    .replace(/_ft$/, " (ft)")
    .replace(/[-_]/g, " ")
    .trim()
    .replace(/\b(?:[bcdfghjklmnpqrstvwxz]{2,3}\d?|ac|aac0)\b(?!\))/g, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return the rulebook's name of an id. @param {string | null} refers what the id names @param {string} id @param {Ruleset | null} ruleset */
export function called(refers, id, ruleset) {
  const lists = { track: ruleset?.tracks, condition: ruleset?.conditions, budget: ruleset?.budget, action: ruleset?.actions };
  const named = /** @type {Record<string, readonly { id: string, label: string }[] | undefined>} */ (lists)[refers ?? ""]?.find((candidate) => candidate.id === id);
  return named?.label ?? words(id);
}

/** Return the name of an author: the token's label, or else the role. @param {string} role @param {string} [label] */
export const author = (role, label = "") => (label && label !== "GM" ? label : role === "gm" ? "the GM" : role === "player" ? "a player" : role);

/** Return the sides by combatant's id. @param {Board | null} board @returns {Record<string, string>} */
export const sidesOf = (board) => Object.fromEntries(board?.combatants.map((combatant) => [combatant.id, combatant.side]) ?? []);

/** Return the number of a side, which decides its colour and shape. @param {Board} board @param {string} side */
export const sideNumber = (board, side) => Math.max(0, board.sides.indexOf(side)) % 6;

/** Return a value in a few words. `name` returns the name of a combatant for its id. @param {unknown} value @param {(id: string) => string} [name] @returns {string} */
export function plain(value, name = (id) => id) {
  if (value === null || value === undefined || value === "") return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) {
    if (value.length === 0) return "none";
    return value.every((part) => typeof part === "number") ? value.join(", ") : value.map((part) => plain(part, name)).join("; ");
  }
  if (typeof value === "object") {
    const { id, name: own, ...others } = /** @type {Record<string, unknown>} */ (value);
    const pairs = Object.entries(others).filter((pair) => pair[1] !== null && pair[1] !== false);
    const rest = pairs.map(([what, content]) => (content === true ? what.replace(/_/g, " ") : `${what.replace(/_/g, " ")} ${plain(content, name)}`)).join(", ");
    if (own ?? id) return rest ? `${own ?? id} (${rest})` : String(own ?? id);
    return rest || "none";
  }
  return name(String(value));
}
