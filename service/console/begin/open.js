// Opens a fight.
import { line, send } from "../http.js";
import { fault } from "../play/act.js";
import { store, TOKEN_PX } from "../pictures.js";
import { said } from "../state.js";
import * as session from "../session.js";

/** @import { Opened } from "../shapes.d.ts" */

/** Open a combat, and take the GM's seat. @param {any} body @param {boolean} begin @param {() => void} [done] */
export async function openFight(body, begin, done = () => {}) {
  try {
    const { whole, pictures } = apart(body);
    const opened = /** @type {Opened} */ (await send("POST", "/v1/combats", whole));
    line.token = opened.token;
    for (const [index, picture] of pictures) await give(opened, index, picture);
    if (begin) await send("POST", `/v1/combats/${opened.combat}/begin`, {});
    done();
    session.sit(opened);
    return null;
  } catch (failed) {
    return fault(failed);
  }
}

/** Return a fight without the pictures of its draft, and the pictures. The service stores pictures after it opens the fight. @param {any} body */
function apart(body) {
  /** @type {Map<number, string>} */
  const pictures = new Map();
  const combatants = body.combatants.map((/** @type {any} */ combatant, /** @type {number} */ index) => {
    const { picture, ...sheet } = combatant.sheet;
    if (!/^(data|https):/.test(picture ?? "")) return combatant;
    pictures.set(index, picture);
    return { ...combatant, sheet };
  });
  return { whole: { ...body, combatants }, pictures };
}

/** Store the picture of a combatant. If that fails, the fight opens without it. @param {Opened} opened @param {number} index @param {string} picture */
async function give(opened, index, picture) {
  const combatant = opened.board.combatants[index];
  if (combatant === undefined) return;
  const fight = `/v1/combats/${opened.combat}`;
  try {
    const id = await store(picture, TOKEN_PX, fight);
    await send("PATCH", `${fight}/combatants/${encodeURIComponent(combatant.id)}`, { sheet: { picture: id } });
  } catch (failed) {
    said.value = { text: `${combatant.name} has no picture: ${fault(failed).text}` };
  }
}
