// Doing something: sent, waited for, and what came of it.
import { signal } from "../view.js";
import { Refused, Unreachable } from "../http.js";
import { author, called, words } from "../board.js";
import { command, reachedVersion } from "../commands.js";
import { present, ruleset, said } from "../state.js";
import { refresh } from "../stream.js";

/** @import { Inputs, Problem, Prompt } from "../shapes.d.ts" */

/** The request under way. Its button cannot be pressed twice. */
export const sending = signal(/** @type {string | null} */ (null));

/** @typedef {{ text: string, pointer: string | null, rule: string | null, allowed: readonly string[], reason?: string | null }} Fault */

/** Nothing is done while something else is on its way: whoever hears this has not been heard. @type {Fault} */
const BUSY = { text: "What was sent before is still on its way. Once it has arrived, try again.", pointer: null, rule: null, allowed: [] };

/**
 * Sends a command. Null when it is done, else what was wrong with it.
 * @param {string} path @param {unknown} body @param {{ version?: number }} [more] @param {"POST" | "PUT" | "PATCH" | "DELETE"} [method]
 * @returns {Promise<Fault | null>}
 */
export const attempt = (path, body, more = {}, method = "POST") => alone(path, () => command(path, body, more, method));

/** An answer to a question. @typedef {{ option: string, inputs: Inputs }} Answer */

/**
 * Answers a question. One that is asked again, as a declaration is until it is complete, gets the further answers.
 * @param {Prompt} prompt @param {readonly Answer[]} answers @param {(answer: Answer) => void} taken called for each answer that the service has taken
 * @returns {Promise<Fault | null>}
 */
export const reply = (prompt, answers, taken) =>
  alone(`/prompts/${prompt.id}`, async () => {
    let open = /** @type {{ id: string } | undefined} */ (prompt);
    for (const answer of answers) {
      if (open === undefined) return;
      const { prompts } = await command(`/prompts/${open.id}`, answer);
      taken(answer);
      open = prompts.find((one) => one.who === prompt.who && one.name === prompt.name && one.kind === prompt.kind && one.answer === null);
    }
  });

/** Sends something while nothing else is on its way. @param {string} path @param {() => Promise<unknown>} send @returns {Promise<Fault | null>} */
export async function alone(path, send) {
  if (sending.peek() !== null) return BUSY;
  sending.value = path;
  try {
    await send();
    return null;
  } catch (failed) {
    const wrong = fault(failed);
    if (failed instanceof Refused && failed.problem.closed) say(wrong.text); // its card is gone
    if (failed instanceof Refused && failed.status !== 400) void refresh();
    return wrong;
  } finally {
    sending.value = null;
  }
}

/** @param {unknown} failed @returns {Fault} */
export function fault(failed) {
  if (failed instanceof Refused) {
    const { pointer = null, rule = null, allowed = [], reason = null } = failed.problem;
    return { text: explained(failed.problem), pointer, rule, allowed: allowed ?? [], reason };
  }
  const text = failed instanceof Unreachable ? "The service does not answer. Nothing is lost: try again." : String(failed);
  return { text, pointer: null, rule: null, allowed: [] };
}

/** @param {Problem} problem */
function explained(problem) {
  if (problem.status === 412) return "Something has happened since: look at the board and decide again.";
  if (problem.closed) return `${ended(problem.closed)} Yours was not used.`;
  return problem.detail || problem.title;
}

/** The version that the page shows, for commands that nothing may come before. */
export const version = () => ({ version: present.peek()?.version });

/** Say what was done, with a way to take it back as long as nothing else has been done. @param {string} text @param {() => void} [undo] */
export const say = (text, undo) => (said.value = { text, undo, version: reachedVersion() });

const WAYS = /** @type {Record<string, string>} */ ({ "standing-order": "answered by a standing order", default: "answered by its default", lapsed: "over, answered by its default", ended: "over" });

/** Tell how a prompt closed. @param {NonNullable<Problem["closed"]>} closed */
function ended({ how, option, by, at, because }) {
  const seconds = at ? Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000)) : null;
  const when = seconds === null ? "" : ` ${seconds} s ago`;
  return `It is ${WAYS[how] ?? how}${option ? `: “${called("action", option, ruleset.value)}”` : ""}${by ? ` by ${author(by)}` : ""}${when}${because ? `, because ${words(because).toLowerCase()}` : ""}.`;
}
