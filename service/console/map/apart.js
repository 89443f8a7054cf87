// Where there is room for one more. Pure; whether somebody may stand there the service says.

/** @typedef {{ x: number, y: number, size: number }} Taken */

const FURTHEST = 40;

/** The free square nearest to one, for somebody that is `size` squares wide. @param {readonly number[]} near @param {readonly Taken[]} taken @param {number} [size] @returns {number[]} */
export function free(near, taken, size = 1) {
  const [x = 0, y = 0, ...height] = near;
  for (let away = 0; away <= FURTHEST; away += 1) {
    for (const [dx, dy] of ring(away)) {
      const [left, top] = [x + dx, y + dy];
      const meets = taken.some((one) => left < one.x + one.size && one.x < left + size && top < one.y + one.size && one.y < top + size);
      if (!meets) return [left, top, ...height];
    }
  }
  return [...near];
}

/** The squares at a distance, straight ones first. @param {number} away @returns {[number, number][]} */
function ring(away) {
  if (away === 0) return [[0, 0]];
  /** @type {[number, number][]} */
  const found = [];
  for (let dx = -away; dx <= away; dx += 1) {
    for (let dy = -away; dy <= away; dy += 1) if (Math.max(Math.abs(dx), Math.abs(dy)) === away) found.push([dx, dy]);
  }
  return found.sort((a, b) => Math.abs(a[0]) + Math.abs(a[1]) - Math.abs(b[0]) - Math.abs(b[1]));
}

/** Squares along an edge of somebody with this sheet. @param {Record<string, unknown>} sheet */
const width = ({ space, size }) => Number([space, size].find((one) => typeof one === "number") ?? 1);

/** Sheets of a fight with every copy on a square of its own. @template {{ sheet: Record<string, unknown> }} One @param {readonly One[]} all @param {readonly Taken[]} [others] @returns {One[]} */
export function apart(all, others = []) {
  const taken = [...others];
  return all.map((one) => {
    const at = one.sheet.at;
    if (!Array.isArray(at)) return one;
    const size = width(one.sheet);
    const place = free(at, taken, size);
    taken.push({ x: place[0] ?? 0, y: place[1] ?? 0, size });
    return { ...one, sheet: { ...one.sheet, at: place } };
  });
}

/** Squares between two sides that begin without a square. */
const GAP = 4;

/**
 * The same sheets, each on a free square: those without one stand near their side, or in a line of their own.
 * @template {{ sheet: Record<string, unknown> }} One @param {readonly One[]} all @param {readonly (Taken & { side?: unknown })[]} [others] who stands there already, and walls
 * @param {number} [gap] squares between two sides @returns {One[]}
 */
export function placed(all, others = [], gap = GAP) {
  const set = apart(all, others);
  const stands = (/** @type {One} */ { sheet }) => (Array.isArray(sheet.at) ? [{ x: Number(sheet.at[0]), y: Number(sheet.at[1]), size: width(sheet), side: sheet.side }] : []);
  const taken = [...others, ...set.flatMap(stands)];
  return set.map((one) => {
    if (Array.isArray(one.sheet.at)) return one;
    const size = width(one.sheet);
    const [x = 0, y = 0] = free(near(taken, one.sheet.side, gap), taken, size);
    taken.push({ x, y, size, side: one.sheet.side });
    return { ...one, sheet: { ...one.sheet, at: [x, y] } };
  });
}

/** The square next to which somebody of a side may stand. @param {readonly (Taken & { side?: unknown })[]} taken @param {unknown} side @param {number} gap @returns {[number, number]} */
function near(taken, side, gap) {
  const own = taken.filter((one) => one.side === side && side !== undefined).at(-1);
  if (own !== undefined) return [own.x, own.y + own.size];
  const bodies = taken.filter((one) => one.side !== undefined);
  if (bodies.length === 0) return [0, 0];
  return [Math.max(...bodies.map((one) => one.x + one.size)) + gap, Math.min(...bodies.map((one) => one.y))];
}
