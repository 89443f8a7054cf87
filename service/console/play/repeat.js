// Several answers with one tap: the actions of a turn and its end, as long as no other prompt
// opens.
import { Refused } from "../http.js";
import { called } from "../board.js";
import { ask, command } from "../commands.js";
import { present, ruleset } from "../state.js";
import { readMore } from "../stream.js";
import { alone, fault, reply, say } from "./act.js";
import { renewed } from "./habits.js";
import { whose } from "./whom.js";

/** @import { Board, Committed, Offer, Prompt } from "../shapes.d.ts" */
/** @import { Answer, Fault } from "./act.js" */

/** `wrong`: the service refused the first answer. `stopped`: something interrupted the answers, and the page has explained it. @typedef {{ wrong: Fault | null, stopped: boolean }} Repeated */

/** How somebody falls. */
const FALLS = ["down", "dead"];

/**
 * Answer a prompt, and answer it again each time the service repeats it. Stop when an answer is
 * refused, another prompt opens or a combatant falls. `after`, `before`: the same tap also
 * answers other turns.
 * @param {Prompt} prompt @param {readonly Answer[]} answers @param {(answer: Answer) => void} taken @param {{ after?: boolean, before?: boolean }} [others] @returns {Promise<Repeated>}
 */
export async function repeat(prompt, answers, taken, { after = false, before = false } = {}) {
  if (prompt.kind !== "turn") return { wrong: await reply(prompt, answers, taken), stopped: false };
  let because = "";
  let left = answers.length;
  const noted = (/** @type {Answer} */ answer) => {
    left -= 1;
    taken(answer);
  };
  const wrong = await alone(`/prompts/${prompt.id}`, async () => {
    because = await oneByOne(prompt, answers, noted, after);
  });
  if (because !== "" && (left > 0 || before)) say(`Stopped: ${because}`);
  return { wrong, stopped: because !== "" };
}

/** Return the reason for an early stop, or "". @param {Prompt} prompt @param {readonly Answer[]} answers @param {(answer: Answer) => void} taken @param {boolean} after @returns {Promise<string>} */
async function oneByOne(prompt, answers, taken, after) {
  const known = new Set(present.peek()?.prompts.map(({ id }) => id));
  let open = prompt;
  for (const [index, planned] of answers.entries()) {
    const answer = index > 0 || after ? await aimedAnew(open, planned) : planned;
    if (answer === null) return `“${called("action", planned.option, ruleset.value)}” is not possible now.`;
    const done = await sent(open, answer, index > 0);
    if (typeof done === "string") return done;
    taken(answer);
    const rest = answers.slice(index + 1);
    const next = done.prompts.find((next) => sameQuestion(next, prompt));
    const because = fallen(done) || asked(done.prompts.filter((prompt) => prompt !== next && !known.has(prompt.id) && free(prompt)));
    if (because !== "" || rest.length === 0) return because;
    if (next === undefined) return elsewhere(prompt, await ask(""), rest);
    open = next;
  }
  return "";
}

/** Send an answer. Return the reason if a later answer is refused. Throw if the first one is refused. @param {Prompt} open @param {Answer} answer @param {boolean} later @returns {Promise<Committed | string>} */
async function sent(open, answer, later) {
  try {
    return await command(`/prompts/${open.id}`, answer);
  } catch (failed) {
    if (later && failed instanceof Refused) return fault(failed).text;
    throw failed;
  }
}

/** Return an answer that agrees with the current offers, or null. @param {Prompt} open @param {Answer} planned */
async function aimedAnew(open, planned) {
  const offers = await readMore("prompted=yes");
  const offer = offers.find((/** @type {Offer} */ offer) => offer.prompt === open.id && offer.id === planned.option && offer.legal);
  return offer === undefined ? null : renewed(offer, planned);
}

/** @param {Prompt} prompt */
const free = (prompt) => prompt.answer === null && !prompt.suspended;

/** @param {Prompt} prompt @param {Prompt} before */
const sameQuestion = (prompt, before) => free(prompt) && prompt.who === before.who && prompt.name === before.name && prompt.kind === before.kind;

/** Return a sentence about the combatants that a command felled, or "". @param {Committed} done */
function fallen({ result }) {
  const names = result.changes.filter((change) => change.what === "state" && FALLS.includes(String(change.after))).map(({ name }) => name);
  return names.length > 0 ? `${names.join(" and ")} ${names.length > 1 ? "have" : "has"} fallen.` : "";
}

/** Return a sentence about new prompts other than turns, or "". @param {readonly Prompt[]} prompts */
function asked(prompts) {
  return askedFirst(prompts.filter(({ kind }) => kind !== "turn").map(({ who }) => who));
}

/** Return why the prompt is closed: somebody else has a prompt, or the turn is over. @param {Prompt} prompt @param {Board} board @param {readonly Answer[]} rest */
function elsewhere(prompt, board, rest) {
  const others = board.awaited.filter((who) => who !== prompt.who);
  if (board.acting.includes(prompt.who ?? "") && others.length > 0) return askedFirst(others);
  return rest.length > 1 ? "the turn is over." : "";
}

/** @param {readonly (string | null)[]} who */
function askedFirst(who) {
  const all = [...new Set(who)];
  return all.length > 0 ? `${whose(all)} ${all.length > 1 ? "are" : "is"} asked first.` : "";
}
