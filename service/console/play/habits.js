// Answers for one tap: those of the previous round, the declared action, and a complete
// declaration.
import { reachedVersion } from "../commands.js";
import { draft, setDraft } from "../draft.js";
import { entries, present, ruleset, schemas } from "../state.js";
import { PLACES, fields, immediate, same, targets, verb } from "../schema/read.js";
import { nameOf } from "../schema/chips.js";
import { filled } from "../schema/values.js";

/** @import { Offer, Prompt } from "../shapes.d.ts" */
/** @import { Answer } from "./act.js" */

/** An answer, with the version that it led to. @typedef {Answer & { at?: number }} Given */
/** The answers of each round, by prompt, in order. @typedef {Record<string, Record<string, Given[]>>} Rounds */

const KEY = "habits";

/** Return a key of the prompt that is the same in every round. @param {Prompt} prompt */
const topic = (prompt) => `${prompt.who} ${prompt.name} ${(present.peek()?.phase ?? "").split("/").at(-1)}`;

const round = () => present.peek()?.round ?? 0;

/** @returns {Rounds} */
const known = () => draft(KEY) ?? {};

/**
 * Return a function that remembers accepted answers. It keeps the round of the prompt, because
 * the page may already show the next one.
 * @param {Prompt} prompt @returns {(answer: Answer) => void}
 */
export function noting(prompt) {
  const [at, about] = [round(), topic(prompt)];
  return (answer) => {
    const all = known();
    const now = all[at] ?? {};
    setDraft(KEY, { [at - 1]: all[at - 1] ?? {}, [at]: { ...now, [about]: [...(now[about] ?? []), { ...answer, at: reachedVersion() }] } });
  };
}

/**
 * Return the answers of the previous round that this round lacks, or null if the first answer is
 * no longer offered. The result is a whole declaration, or the rest of a turn with its end. It never
 * includes a walk or an answer after a walk, because the combatant stands elsewhere now.
 * @param {Prompt} prompt @param {readonly Offer[]} offers the legal ones @returns {Answer[] | null}
 */
export function lastRound(prompt, offers) {
  const all = known();
  const given = standing(all[round()]?.[topic(prompt)] ?? []);
  const before = standing(all[round() - 1]?.[topic(prompt)] ?? []);
  const [first, ...rest] = prompt.kind === "declare" ? before.slice(given.length) : toTheEnd(without(before, given), offers);
  const offer = offers.find((offer) => offer.id === first?.option);
  if (first === undefined || offer === undefined || [first, ...rest].some(walks)) return null;
  const again = renewed(offer, first);
  if (again === null || (prompt.kind === "turn" && !announced(offer, again))) return null;
  return prompt.kind === "declare" || prompt.kind === "turn" ? [again, ...rest] : [again];
}

/** Return the offered answers after the first walk, up to the next walk or the end of the turn. @param {readonly Answer[]} answers @param {readonly Offer[]} offers */
function toTheEnd(answers, offers) {
  const still = answers.slice(Math.max(0, answers.findIndex((answer) => !walks(answer))));
  const category = (/** @type {Answer} */ { option }) => offers.find((offer) => offer.id === option)?.category;
  const stop = still.findIndex((answer) => walks(answer) || category(answer) === undefined);
  const end = still.findIndex((answer) => category(answer) === "end");
  return still.slice(0, Math.min(...[stop, end < 0 ? end : end + 1].filter((at) => at >= 0), still.length));
}

/** Return true if an answer has the declared target, which is that of the first example. Rulebooks without declarations always return true. @param {Offer} offer @param {Answer} answer */
function announced(offer, { inputs }) {
  const declares = ruleset.peek()?.prompts.some(({ kind }) => kind === "declare") ?? false;
  const [first = {}] = offer.examples;
  return !declares || targets(schemas.value[offer.inputs] ?? {}).every((name) => !filled(first[name]) || same(first[name], inputs[name]));
}

/** Return the answers that are not undone or amended. @param {readonly Given[]} answers @returns {Answer[]} */
const standing = (answers) => answers.filter(({ at }) => at === undefined || !entries.value.some((entry) => entry.undone && entry.first <= at && at <= entry.last)).map(({ option, inputs }) => ({ option, inputs }));

/** Return the earlier answers without those that were given in this round. @param {readonly Answer[]} answers @param {readonly Answer[]} given */
function without(answers, given) {
  const left = [...answers];
  for (const { option } of given) {
    const at = left.findIndex((answer) => answer.option === option);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Return true if an answer is only a path. @param {Answer} answer */
const walks = ({ inputs }) => Array.isArray(/** @type {any} */ (inputs).path) && !("target" in inputs) && !("targets" in inputs);

/** Maximum number of examples that the service lists. */
const LISTED = 24;

/**
 * Return an answer that is legal now, or null. One example must agree with all its targets and
 * things. Squares come from the example.
 * @param {Offer} offer @param {Answer} answer @returns {Answer | null}
 */
export function renewed(offer, answer) {
  const all = fields(schemas.value[offer.inputs] ?? {}).filter(({ refers }) => refers);
  const places = all.filter(({ refers }) => PLACES.includes(String(refers))).map(({ name }) => name);
  const names = all.map(({ name }) => name).filter((name) => !places.includes(name) && filled(answer.inputs[name]));
  if (names.length === 0 && !places.some((name) => filled(answer.inputs[name]))) return answer;
  const example = offer.examples.find((example) => names.every((name) => agrees(offer, name, example[name], answer.inputs[name])));
  const many = offer.examples.length >= LISTED && places.every((name) => !filled(answer.inputs[name])) && names.every((name) => offer.candidates[name]?.some((candidate) => same(candidate, answer.inputs[name])));
  if (example === undefined) return many ? answer : null;
  const kept = Object.entries(answer.inputs).filter(([name]) => !places.includes(name));
  const there = places.filter((name) => filled(example[name])).map((name) => [name, example[name]]);
  return { option: answer.option, inputs: Object.fromEntries([...kept, ...there]) };
}

/** Return true if an example has the value. Each of several targets must be legal alone. @param {Offer} offer @param {string} name @param {unknown} shown @param {unknown} given */
function agrees(offer, name, shown, given) {
  if (!Array.isArray(given) || given.length < 2) return same(shown ?? null, given ?? null);
  const legal = (offer.candidates[name] ?? []).flat().map((candidate) => JSON.stringify(candidate));
  return given.every((part) => legal.includes(JSON.stringify(part)));
}

/** Categories of actions that usually make up a whole declaration. */
const WHOLE = ["attack", "cast", "choose", "help", "move", "defend", "use"];

/** Return an answer, with the answer that completes its declaration. @param {Prompt} prompt @param {readonly Offer[]} offers @param {Answer} answer @returns {Answer[]} */
export function whole(prompt, offers, answer) {
  const end = prompt.kind === "declare" ? offers.find((offer) => offer.category === "end") : undefined;
  const chosen = offers.find((offer) => offer.id === answer.option);
  return end !== undefined && chosen !== undefined && WHOLE.includes(chosen.category) ? [answer, { option: end.id, inputs: {} }] : [answer];
}

/** Return the declared action if the default needs inputs, or else null. @param {Prompt} prompt @param {readonly Offer[]} offers @returns {Answer | null} */
export function declared(prompt, offers) {
  const offer = prompt.kind === "turn" ? offers.find((offer) => offer.id === prompt.default) : undefined;
  return offer === undefined || immediate(offer, schemas.value[offer.inputs]) ? null : { option: offer.id, inputs: {} };
}

const TIMES = ["", "", " twice", " three times", " four times"];

/** Return the answers in words: "attack Hag twice, end the turn". For a declaration, return only its action. @param {readonly Offer[]} offers @param {readonly Answer[]} answers @param {boolean} [whole] */
export function told(offers, answers, whole = true) {
  const all = (whole ? answers : answers.slice(0, 1)).map(({ option, inputs }) => {
    const offer = offers.find((offer) => offer.id === option);
    const said = offer === undefined ? "" : verb(offer, inputs, schemas.value[offer.inputs] ?? {}, nameOf);
    return said.charAt(0).toLowerCase() + said.slice(1);
  });
  const times = (/** @type {string} */ said) => all.filter((text) => text === said).length;
  return [...new Set(all)].map((said) => `${said}${TIMES[times(said)] ?? ` ${times(said)} times`}`).join(", ");
}
