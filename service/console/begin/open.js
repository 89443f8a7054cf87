// A fight is opened.
import { line, send } from "../http.js";
import { fault } from "../play/act.js";
import * as session from "../session.js";

/** @import { Opened } from "../shapes.d.ts" */

/** Opens a combat and sits down at it. @param {any} body @param {boolean} begin @param {() => void} [done] */
export async function openFight(body, begin, done = () => {}) {
  try {
    const opened = /** @type {Opened} */ (await send("POST", "/v1/combats", body));
    line.token = opened.token;
    if (begin) await send("POST", `/v1/combats/${opened.combat}/begin`, {});
    done();
    session.sit(opened);
    return null;
  } catch (failed) {
    return fault(failed);
  }
}
