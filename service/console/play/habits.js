// What this page answered in the round before, for *As last round*.
import { draft, setDraft } from "../draft.js";
import { present } from "../state.js";

/** @import { Inputs, Prompt } from "../shapes.d.ts" */

/** @typedef {{ option: string, inputs: Inputs }} Answer */
/** The answers of a round, by question, in their order. @typedef {Record<string, Record<string, Answer[]>>} Rounds */

const KEY = "habits";

/** The same question in another round. @param {Prompt} prompt */
const topic = (prompt) => `${prompt.who} ${prompt.name} ${(present.peek()?.phase ?? "").split("/").at(-1)}`;

const round = () => present.peek()?.round ?? 0;

/** @returns {Rounds} */
const known = () => draft(KEY) ?? {};

/** Remembers an answer that the service has taken. @param {Prompt} prompt @param {Answer} answer */
export function noteAnswer(prompt, answer) {
  const all = known();
  const now = all[round()] ?? {};
  const given = { ...now, [topic(prompt)]: [...(now[topic(prompt)] ?? []), answer] };
  setDraft(KEY, { [round() - 1]: all[round() - 1] ?? {}, [round()]: given });
}

/** Return the answer that this prompt got in the round before, counting how often it was asked. @param {Prompt} prompt @returns {Answer | undefined} */
export function lastRound(prompt) {
  const all = known();
  const times = (all[round()]?.[topic(prompt)] ?? []).length;
  return all[round() - 1]?.[topic(prompt)]?.[times];
}
