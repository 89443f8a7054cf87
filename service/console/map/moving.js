// A dragged token: the reachable squares, the path, its cost and the reactions that it provokes.
// The service provides the paths. A path that provokes needs a second tap.
import { signal } from "../view.js";
import { ask } from "../commands.js";
import { acting, offers, past, present, ruling, schemas, shown } from "../state.js";
import { attempt, reply, say } from "../play/act.js";
import { noting, whole } from "../play/habits.js";
import { asOneTap } from "../time/taps.js";
import { takeBack } from "../time/verbs.js";
import { fields } from "../schema/read.js";
import { place, sameSquare } from "./wanted.js";

/** @import { Offer, Square } from "../shapes.d.ts" */

/** @typedef {NonNullable<Offer["reach"]>} Reach */
/** @typedef {Reach["squares"][number]} Reached */
/** @typedef {{ offer: Offer, reach: Reach, way: Reached }} Way */

/**
 * @typedef {object} Move
 * @property {string} who
 * @property {Square} from
 * @property {Square | null} to the square below the dragged token
 * @property {boolean} held whether a finger or the mouse still holds it
 * @property {readonly Offer[] | null} ways options with their reach, or null until the service has answered
 */

export const moving = signal(/** @type {Move | null} */ (null));

/** Return the options with which a combatant can move now. @param {string} who */
const walks = (who) => offers.peek().filter((offer) => offer.who === who && offer.legal && offer.prompt !== null && offer.category === "move" && pathOf(offer) !== undefined);

/** Return the name of the input that takes the path. @param {Offer} offer */
const pathOf = (offer) => fields(schemas.peek()[offer.inputs] ?? {}).find((field) => field.refers === "path")?.name;

/** Return true if a token can be dragged, because its combatant may move or the GM may place it. @param {string} who */
export const movable = (who) => acting.value && past.value === null && (ruling.value || offers.value.some((offer) => offer.who === who && offer.legal && offer.prompt !== null && offer.category === "move"));

/** Pick up a token. @param {string} who @param {boolean} held */
export function take(who, held) {
  const from = positionOf(who);
  if (from === null) return;
  moving.value = { who, from, to: null, held, ways: null };
  void learn(who);
}

/** Ask for the paths again after the combat has changed. A token that nobody holds is dropped. */
export function renew() {
  const now = moving.peek();
  const from = now === null ? null : positionOf(now.who);
  if (now === null || from === null || !now.held) return drop();
  moving.value = { ...now, from, ways: null };
  void learn(now.who);
}

/** @param {string} who */
const positionOf = (who) => shown.peek()?.combatants.find((combatant) => combatant.id === who)?.position ?? null;

/** Ask the service for the paths of a token. `renew` asks again if the combat changes before the answer. @param {string} who */
async function learn(who) {
  const version = present.peek()?.version;
  const ids = new Set(walks(who).map((offer) => offer.id));
  try {
    const { options } = ids.size === 0 ? { options: [] } : await ask(`/options?combatant=${encodeURIComponent(who)}&reach=yes`);
    const now = moving.peek();
    if (now?.who !== who || version !== present.peek()?.version) return;
    moving.value = { ...now, ways: options.filter((/** @type {Offer} */ offer) => offer.reach && ids.has(offer.id)) };
  } catch {
    drop();
  }
}

export const drop = () => void (moving.value = null);

/** @param {Square} to */
export function over(to) {
  const now = moving.peek();
  if (now !== null && (now.to === null || !sameSquare(now.to, to))) moving.value = { ...now, to };
}

/** Return the path to the token's square, from the first option that leads there. @param {Move} move @returns {Way | null} */
export function wayOf({ to, ways }) {
  for (const offer of to === null ? [] : (ways ?? [])) {
    const way = offer.reach?.squares.find((square) => sameSquare(square.to, /** @type {Square} */ (to)));
    if (way !== undefined && offer.reach) return { offer, reach: offer.reach, way };
  }
  return null;
}

/** Drop the token. Send the move at once if it provokes no reactions and has its usual price. */
export function letGo() {
  const now = moving.peek();
  if (now === null) return;
  if (now.to === null || sameSquare(now.to, now.from)) return drop();
  const way = wayOf(now);
  if (way !== null && (way.way.provokes ?? []).length === 0 && Object.keys(way.reach.inputs ?? {}).length === 0) void go(way);
  else if (way === null && now.ways !== null && !ruling.peek()) {
    drop();
    say("It cannot get there now.");
  } else moving.value = { ...now, held: false };
}

/** @param {Way} found */
export async function go({ offer, reach, way }) {
  const prompt = present.peek()?.prompts.find((prompt) => prompt.id === offer.prompt);
  const inputs = { ...reach.inputs, [String(pathOf(offer))]: way.path };
  drop();
  if (prompt === undefined) return;
  const all = offers.peek().filter((offer) => offer.prompt === prompt.id && offer.legal);
  const wrong = await asOneTap(() => reply(prompt, whole(prompt, all, { option: offer.id, inputs }), noting(prompt)));
  if (wrong !== null) say(wrong.text);
}

/** Place a combatant as the GM, without cost and without reactions. @param {string} who @param {Square} to */
export async function put(who, to) {
  drop();
  const wrong = await attempt("/rulings", { ruling: "move", inputs: { combatant: who, to }, reason: "" });
  const name = shown.peek()?.combatants.find((combatant) => combatant.id === who)?.name ?? "";
  say(wrong?.text ?? `${name} stands at ${place(to)} now.`, wrong === null ? takeBack : undefined);
}
