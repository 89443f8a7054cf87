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

/** Sheets of a fight with every copy on a square of its own. @template {{ sheet: Record<string, unknown> }} One @param {readonly One[]} all @param {readonly Taken[]} [others] @returns {One[]} */
export function apart(all, others = []) {
  const taken = [...others];
  return all.map((one) => {
    const at = one.sheet.at;
    if (!Array.isArray(at)) return one;
    const size = typeof one.sheet.space === "number" ? one.sheet.space : 1;
    const place = free(at, taken, size);
    taken.push({ x: place[0] ?? 0, y: place[1] ?? 0, size });
    return { ...one, sheet: { ...one.sheet, at: place } };
  });
}
