// What stands where: bodies and ground, in squares. Pure.
import { extent, sideNumber } from "../board.js";

/** @import { Board, Square } from "../shapes.d.ts" */

/** @typedef {{ id: string, name: string, x: number, y: number, size: number, side: number, acts: boolean, out: boolean, hidden: boolean }} Body */
/** @typedef {{ kind: string, x: number, y: number, width: number, height: number }} Ground */

/** @param {Board} board @returns {Body[]} */
export function bodies(board) {
  return board.combatants.flatMap((one) => {
    const [x, y] = one.position ?? [];
    if (x === undefined || y === undefined) return [];
    const acts = board.acting.includes(one.id);
    return [{ id: one.id, name: one.name, x, y, size: extent(one), side: sideNumber(board, one.side), acts, out: !one.in_fight, hidden: one.hidden }];
  });
}

/** Whatever a rulebook's map has: lists of squares, lists of boxes, by the name of the list. @param {Board} board @returns {Ground[]} */
export function ground(board) {
  const map = /** @type {Record<string, any>} */ (board.map ?? board.options.map ?? {});
  return Object.entries(map).flatMap(([kind, list]) => {
    if (!Array.isArray(list) || kind === "limits") return [];
    return list.flatMap((one) => {
      if (Array.isArray(one) && one.length >= 2) return [{ kind, x: one[0], y: one[1], width: 1, height: 1 }];
      if (Array.isArray(one?.min) && Array.isArray(one?.max)) {
        return [{ kind, x: one.min[0], y: one.min[1], width: one.max[0] - one.min[0], height: one.max[1] - one.min[1] }];
      }
      return [];
    });
  });
}

/** The part of the plane that shows everything, with room to move. @param {Body[]} bodies @param {Ground[]} ground @param {readonly Square[]} squares */
export function frame(bodies, ground, squares) {
  const xs = [...bodies.flatMap((one) => [one.x, one.x + one.size]), ...ground.flatMap((one) => [one.x, one.x + one.width]), ...squares.map((one) => one[0] ?? 0)];
  const ys = [...bodies.flatMap((one) => [one.y, one.y + one.size]), ...ground.flatMap((one) => [one.y, one.y + one.height]), ...squares.map((one) => one[1] ?? 0)];
  const room = 3;
  const left = Math.floor(Math.min(...xs)) - room;
  const top = Math.floor(Math.min(...ys)) - room;
  const width = Math.max(10, Math.ceil(Math.max(...xs)) + room - left);
  const height = Math.max(6, Math.ceil(Math.max(...ys)) + room - top);
  return { left, top, width, height };
}
