// The contents of the map in squares: combatants and terrain. Pure.
import { extent, sideNumber } from "../board.js";

/** @import { Board, Ruleset, Square } from "../shapes.d.ts" */

/** @typedef {{ id: string, name: string, x: number, y: number, size: number, side: number, acts: boolean, awaited: boolean, out: boolean, hidden: boolean }} Body */
/** @typedef {{ kind: string, x: number, y: number, width: number, height: number }} Ground */

/** @param {Board} board @returns {Body[]} */
export function bodies(board) {
  return board.combatants.flatMap((combatant) => {
    const [x, y] = combatant.position ?? [];
    if (x === undefined || y === undefined) return [];
    const acts = board.acting.includes(combatant.id);
    return [{ id: combatant.id, name: combatant.name, x, y, size: extent(combatant), side: sideNumber(board, combatant.side), acts, awaited: !acts && board.awaited.includes(combatant.id), out: !combatant.in_fight, hidden: combatant.hidden }];
  });
}

/** Return a map's lists of squares and boxes, by the name of the list. @param {Record<string, any>} map @returns {Ground[]} */
export function ground(map) {
  return Object.entries(map).flatMap(([kind, list]) => {
    if (!Array.isArray(list) || kind === "limits") return [];
    return list.flatMap((ground) => {
      if (Array.isArray(ground) && ground.length >= 2) return [{ kind, x: ground[0], y: ground[1], width: 1, height: 1 }];
      if (ground?.min?.length >= 2 && ground?.max?.length >= 2) {
        return [{ kind, x: ground.min[0], y: ground.min[1], width: ground.max[0] - ground.min[0], height: ground.max[1] - ground.min[1] }];
      }
      return [];
    });
  });
}

/** Return the parts of a map that no combatant can enter. @param {Record<string, any>} map */
export const walls = (map) => ground(map).filter((ground) => ground.kind !== "difficult").map(({ x, y, width, height }) => ({ x, y, size: Math.max(width, height) }));

/** @typedef {{ who: string, name: string, side: number, x: number, y: number, width: number, height: number }} Zone */

/** Return the squares that each combatant threatens or hinders, if the rulebook has such a number. @param {Board} board @param {Ruleset | null} ruleset @returns {Zone[]} */
export function zones(board, ruleset) {
  const name = ruleset?.derived.find((number) => number.role === "zone")?.id;
  if (name === undefined) return [];
  return board.combatants.flatMap((combatant) => {
    const [x, y] = combatant.position ?? [];
    const reach = /** @type {any} */ (combatant.derived[name]);
    if (x === undefined || y === undefined || !combatant.in_fight) return [];
    const of = { who: combatant.id, name: combatant.name, side: sideNumber(board, combatant.side) };
    if (Array.isArray(reach)) return reach.map((at) => ({ ...of, x: at[0], y: at[1], width: 1, height: 1 }));
    if (typeof reach !== "number" || reach <= 0) return [];
    return [{ ...of, x: x - reach, y: y - reach, width: extent(combatant) + 2 * reach, height: extent(combatant) + 2 * reach }];
  });
}

/** @param {{ x: number, y: number, width: number, height: number }} box @param {Square} at */
export const covers = (box, [x = 0, y = 0]) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/** Return the edges of the map, if it has any. @param {Record<string, any>} map @returns {Ground | null} */
export function edges(map) {
  if (map.width && map.height) return { kind: "limits", x: 0, y: 0, width: map.width, height: map.height };
  const { min, max } = Array.isArray(map.limits) ? { min: map.limits[0], max: map.limits[1] } : (map.limits ?? {});
  if (!Array.isArray(min) || !Array.isArray(max)) return null;
  const unit = Array.isArray(map.limits) ? 1 : 0; // the corners of a list are squares, and those of an object are points
  const x = Math.min(min[0], max[0]);
  const y = Math.min(min[1], max[1]);
  return { kind: "limits", x, y, width: Math.abs(max[0] - min[0]) + unit, height: Math.abs(max[1] - min[1]) + unit };
}

/** Return the part of the map that shows everything, with room to move. @param {Body[]} bodies @param {Ground[]} ground @param {readonly Square[]} squares */
export function frame(bodies, ground, squares) {
  const xs = [...bodies.flatMap((body) => [body.x, body.x + body.size]), ...ground.flatMap((ground) => [ground.x, ground.x + ground.width]), ...squares.map((square) => square[0] ?? 0)];
  const ys = [...bodies.flatMap((body) => [body.y, body.y + body.size]), ...ground.flatMap((ground) => [ground.y, ground.y + ground.height]), ...squares.map((square) => square[1] ?? 0)];
  if (xs.length === 0) return { left: -2, top: -2, width: 12, height: 10 };
  const room = 2;
  const left = Math.floor(Math.min(...xs)) - room;
  const top = Math.floor(Math.min(...ys)) - room;
  const width = Math.max(10, Math.ceil(Math.max(...xs)) + room - left);
  const height = Math.max(6, Math.ceil(Math.max(...ys)) + room - top);
  return { left, top, width, height };
}
