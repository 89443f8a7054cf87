// What one tap answers: as in the round before, as declared, and a whole declaration.
import { draft, setDraft } from "../draft.js";
import { present, schemas } from "../state.js";
import { aimless, fields, immediate } from "../schema/read.js";

/** @import { Offer, Prompt } from "../shapes.d.ts" */
/** @import { Answer } from "./act.js" */

/** The answers of a round, by question, in their order. @typedef {Record<string, Record<string, Answer[]>>} Rounds */

const KEY = "habits";

/** The same question in another round. @param {Prompt} prompt */
const topic = (prompt) => `${prompt.who} ${prompt.name} ${(present.peek()?.phase ?? "").split("/").at(-1)}`;

const round = () => present.peek()?.round ?? 0;

/** @returns {Rounds} */
const known = () => draft(KEY) ?? {};

/**
 * Return what remembers the answers that the service takes. The next round may be shown before that.
 * @param {Prompt} prompt @returns {(answer: Answer) => void}
 */
export function noting(prompt) {
  const [at, about] = [round(), topic(prompt)];
  return (answer) => {
    const all = known();
    const now = all[at] ?? {};
    setDraft(KEY, { [at - 1]: all[at - 1] ?? {}, [at]: { ...now, [about]: [...(now[about] ?? []), answer] } });
  };
}

/**
 * Return the answers that this prompt got in the round before and has not got in this one, where they are still
 * possible. A declaration is a row of answers. A walk is not repeated: it began where somebody no longer stands.
 * @param {Prompt} prompt @param {readonly Offer[]} offers the legal ones @returns {Answer[] | null}
 */
export function lastRound(prompt, offers) {
  const all = known();
  const given = all[round()]?.[topic(prompt)] ?? [];
  const before = all[round() - 1]?.[topic(prompt)] ?? [];
  const [first, ...rest] = prompt.kind === "declare" ? before.slice(given.length) : without(before, given).filter((answer) => !walks(answer));
  const offer = offers.find((one) => one.id === first?.option);
  if (first === undefined || offer === undefined || !fits(offer, first)) return null;
  if (prompt.kind === "turn" && aimless(offer, schemas.value[offer.inputs] ?? {})) return null;
  return prompt.kind === "declare" ? [first, ...rest] : [first];
}

/** The answers that are left once each given one has used up one with its option. @param {readonly Answer[]} answers @param {readonly Answer[]} given */
function without(answers, given) {
  const left = [...answers];
  for (const { option } of given) {
    const at = left.findIndex((answer) => answer.option === option);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Whether an answer is a way over squares and nothing else. @param {Answer} answer */
const walks = ({ inputs }) => Array.isArray(/** @type {any} */ (inputs).path) && !("target" in inputs) && !("targets" in inputs);

/** Whether everybody and everything that an answer names can still be chosen. @param {Offer} offer @param {Answer} answer */
const fits = (offer, { inputs }) =>
  fields(schemas.value[offer.inputs] ?? {}).every(({ name, refers }) => !refers || typeof inputs[name] !== "string" || (offer.candidates[name] ?? [inputs[name]]).includes(inputs[name]));

/** Acts that are a whole declaration: who declares one of them mostly declares nothing beside it. */
const WHOLE = ["attack", "cast", "help", "move", "defend", "use"];

/** Return an answer with what completes the declaration. @param {Prompt} prompt @param {readonly Offer[]} offers @param {Answer} answer @returns {Answer[]} */
export function whole(prompt, offers, answer) {
  const end = prompt.kind === "declare" ? offers.find((one) => one.category === "end") : undefined;
  const chosen = offers.find((one) => one.id === answer.option);
  return end !== undefined && chosen !== undefined && WHOLE.includes(chosen.category) ? [answer, { option: end.id, inputs: {} }] : [answer];
}

/** Return the default that needs inputs: the declared deed. @param {Prompt} prompt @param {readonly Offer[]} offers @returns {Answer | null} */
export function declared(prompt, offers) {
  const offer = prompt.kind === "turn" ? offers.find((one) => one.id === prompt.default) : undefined;
  return offer === undefined || immediate(offer, schemas.value[offer.inputs]) ? null : { option: offer.id, inputs: {} };
}
