// Sending of commands and their results.
import { signal } from "../view.js";
import { Refused, Unreachable } from "../http.js";
import { author, called, words } from "../board.js";
import { command, reachedVersion } from "../commands.js";
import { present, ruleset, said } from "../state.js";
import { refresh } from "../stream.js";

/** @import { Inputs, Problem, Prompt } from "../shapes.d.ts" */

/** The request in progress. Its button is disabled. */
export const sending = signal(/** @type {string | null} */ (null));

/** @typedef {{ text: string, pointer: string | null, rule: string | null, allowed: readonly string[], reason?: string | null }} Fault */

/** The fault of a command that a person sends while another request is in progress. @type {Fault} */
const BUSY = { text: "What was sent before is still on its way. Once it has arrived, try again.", pointer: null, rule: null, allowed: [] };

/**
 * Send a command. Return null, or the fault.
 * @param {string} path @param {unknown} body @param {{ version?: number }} [more] @param {"POST" | "PUT" | "PATCH" | "DELETE"} [method]
 * @returns {Promise<Fault | null>}
 */
export const attempt = (path, body, more = {}, method = "POST") => alone(path, () => command(path, body, more, method));

/** An answer to a prompt. @typedef {{ option: string, inputs: Inputs }} Answer */

/**
 * Answer a prompt with the first answer. While the service repeats the prompt, send the next answers.
 * @param {Prompt} prompt @param {readonly Answer[]} answers @param {(answer: Answer) => void} taken called for each accepted answer
 * @returns {Promise<Fault | null>}
 */
export const reply = (prompt, answers, taken) =>
  alone(`/prompts/${prompt.id}`, async () => {
    let open = /** @type {{ id: string } | undefined} */ (prompt);
    for (const answer of answers) {
      if (open === undefined) return;
      const { prompts } = await command(`/prompts/${open.id}`, answer);
      taken(answer);
      open = prompts.find((other) => other.who === prompt.who && other.name === prompt.name && other.kind === prompt.kind && other.answer === null);
    }
  });

/** Send a request unless another one is in progress. @param {string} path @param {() => Promise<unknown>} send @returns {Promise<Fault | null>} */
export async function alone(path, send) {
  if (sending.peek() !== null) return BUSY;
  sending.value = path;
  try {
    await send();
    return null;
  } catch (failed) {
    const wrong = fault(failed);
    if (failed instanceof Refused && failed.problem.closed) say(wrong.text); // the card that would show the fault has disappeared
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

/** Return the shown version, for commands that must not be overtaken. */
export const version = () => ({ version: present.peek()?.version });

/** Show a message with an undo button, which works until the next command. @param {string} text @param {() => void} [undo] */
export const say = (text, undo) => (said.value = { text, undo, version: reachedVersion() });

const WAYS = /** @type {Record<string, string>} */ ({ "standing-order": "answered by a standing order", default: "answered by its default", lapsed: "over, answered by its default", ended: "over" });

/** Return a sentence that explains how a prompt closed. @param {NonNullable<Problem["closed"]>} closed */
function ended({ how, option, by, at, because }) {
  const seconds = at ? Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000)) : null;
  const when = seconds === null ? "" : ` ${seconds} s ago`;
  return `It is ${WAYS[how] ?? how}${option ? `: “${called("action", option, ruleset.value)}”` : ""}${by ? ` by ${author(by)}` : ""}${when}${because ? `, because ${words(because).toLowerCase()}` : ""}.`;
}
