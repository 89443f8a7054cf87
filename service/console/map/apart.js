// Free squares for new combatants. Pure. The service decides whether a square is legal.

/** @typedef {{ x: number, y: number, size: number }} Taken */

const FURTHEST = 40;

/** Return the free square nearest to `near`, for a combatant that is `size` squares wide. @param {readonly number[]} near @param {readonly Taken[]} taken @param {number} [size] @returns {number[]} */
export function free(near, taken, size = 1) {
  const [x = 0, y = 0, ...height] = near;
  for (let away = 0; away <= FURTHEST; away += 1) {
    for (const [dx, dy] of ring(away)) {
      const [left, top] = [x + dx, y + dy];
      const meets = taken.some((body) => left < body.x + body.size && body.x < left + size && top < body.y + body.size && body.y < top + size);
      if (!meets) return [left, top, ...height];
    }
  }
  return [...near];
}

/** Return the squares at a distance, orthogonal ones first. @param {number} away @returns {[number, number][]} */
function ring(away) {
  if (away === 0) return [[0, 0]];
  /** @type {[number, number][]} */
  const steps = [];
  for (let dx = -away; dx <= away; dx += 1) {
    for (let dy = -away; dy <= away; dy += 1) if (Math.max(Math.abs(dx), Math.abs(dy)) === away) steps.push([dx, dy]);
  }
  return steps.sort((a, b) => Math.abs(a[0]) + Math.abs(a[1]) - Math.abs(b[0]) - Math.abs(b[1]));
}

/** Return the width of a combatant with this sheet, in squares. @param {Record<string, unknown>} sheet */
const width = ({ space, size }) => Number([space, size].find((edge) => typeof edge === "number") ?? 1);

/** Return the sheets of a fight, each copy on a separate square. @template {{ sheet: Record<string, unknown> }} One @param {readonly One[]} all @param {readonly Taken[]} [others] @returns {One[]} */
export function apart(all, others = []) {
  const taken = [...others];
  return all.map((entrant) => {
    const at = entrant.sheet.at;
    if (!Array.isArray(at)) return entrant;
    const size = width(entrant.sheet);
    const place = free(at, taken, size);
    taken.push({ x: place[0] ?? 0, y: place[1] ?? 0, size });
    return { ...entrant, sheet: { ...entrant.sheet, at: place } };
  });
}

/** Number of squares between two sides that start without squares. */
const GAP = 4;

/**
 * Return the sheets, each on a free square. A sheet without a square goes near its side.
 * @template {{ sheet: Record<string, unknown> }} One @param {readonly One[]} all @param {readonly (Taken & { side?: unknown })[]} [others] combatants and walls that already take squares
 * @param {number} [gap] squares between two sides @returns {One[]}
 */
export function placed(all, others = [], gap = GAP) {
  const set = apart(all, others);
  const stands = (/** @type {One} */ { sheet }) => (Array.isArray(sheet.at) ? [{ x: Number(sheet.at[0]), y: Number(sheet.at[1]), size: width(sheet), side: sheet.side }] : []);
  const taken = [...others, ...set.flatMap(stands)];
  return set.map((entrant) => {
    if (Array.isArray(entrant.sheet.at)) return entrant;
    const size = width(entrant.sheet);
    const [x = 0, y = 0] = free(near(taken, entrant.sheet.side, gap), taken, size);
    taken.push({ x, y, size, side: entrant.sheet.side });
    return { ...entrant, sheet: { ...entrant.sheet, at: [x, y] } };
  });
}

/** Return the square near which a combatant of a side is placed. @param {readonly (Taken & { side?: unknown })[]} taken @param {unknown} side @param {number} gap @returns {[number, number]} */
function near(taken, side, gap) {
  const own = taken.filter((body) => body.side === side && side !== undefined).at(-1);
  if (own !== undefined) return [own.x, own.y + own.size];
  const bodies = taken.filter((body) => body.side !== undefined);
  if (bodies.length === 0) return [0, 0];
  return [Math.max(...bodies.map((body) => body.x + body.size)) + gap, Math.min(...bodies.map((body) => body.y))];
}
