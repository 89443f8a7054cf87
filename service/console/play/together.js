// Several people are asked the same: one card with a row for each, and one tap for all.
import { html, signal, useState } from "../view.js";
import { sidesOf } from "../board.js";
import { schemas, shown } from "../state.js";
import { aimed, sendable } from "../schema/read.js";
import { attempt, say, sending } from "./act.js";
import { Card } from "./card.js";
import { bar } from "./groups.js";
import { lastRound, noteAnswer } from "./habits.js";
import { played } from "./played.js";

/** @import { Inputs, Offer, Prompt } from "../shapes.d.ts" */

/** @typedef {{ prompt: Prompt, offers: Offer[] }} Asked */
/** @typedef {{ prompt: Prompt, option: string, inputs: Inputs }} Answer */

const NUMBERS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** Options that are offered to all of a side. */
const MOST = 4;

/** The answers of all, or null where somebody has none. @param {readonly Asked[]} rows @param {(row: Asked) => Answer | undefined} of @returns {Answer[] | null} */
function everyone(rows, of) {
  const found = rows.map(of);
  return found.some((one) => one === undefined) ? null : /** @type {Answer[]} */ (found);
}

/** @param {Asked} row @param {Offer | undefined} offer @returns {Answer | undefined} */
function ready({ prompt }, offer) {
  if (offer === undefined) return undefined;
  const schema = schemas.value[offer.inputs] ?? {};
  if (!aimed(offer, schema, sidesOf(shown.value))) return undefined;
  return { prompt, option: offer.id, inputs: sendable(offer.examples[0] ?? {}, schema) };
}

/** Doing nothing more, where the rulebook has that. @param {Asked} row */
const pass = (row) => ready(row, row.offers.find((one) => one.id === row.prompt.default && ["pass", "end"].includes(one.category)) ?? row.offers.find((one) => one.category === "pass"));

/** @param {Asked} row @returns {Answer | undefined} */
function habit({ prompt, offers }) {
  const before = lastRound(prompt);
  return before && offers.some((one) => one.id === before.option) ? { prompt, ...before } : undefined;
}

/** Whether some of the answers for all are still on their way. */
const sendingAll = signal(false);

/** Sends them one after another; what is refused stays open. @param {readonly Answer[]} answers */
async function sendAll(answers) {
  sendingAll.value = true;
  for (const { prompt, option, inputs } of answers) {
    const wrong = await attempt(`/prompts/${prompt.id}`, { option, inputs });
    if (wrong !== null) say(wrong.text);
    else noteAnswer(prompt, { option, inputs });
  }
  sendingAll.value = false;
}

/** Those whom nobody else plays come first; then as they joined, whoever has answered. @param {readonly Asked[]} rows */
function placed(rows) {
  const places = shown.value?.combatants.map((one) => one.id) ?? [];
  const place = (/** @type {Asked} */ { prompt: { who } }) => (played(who) ? 1e6 : 0) + places.indexOf(who ?? "");
  return [...rows].sort((a, b) => place(a) - place(b));
}

/** @param {{ rows: readonly Asked[] }} props */
export function Together({ rows: all }) {
  const rows = placed(all);
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  const own = rows.filter(({ prompt }) => !played(prompt.who));
  const passes = own.length > 0 ? everyone(own, pass) : null;
  const before = own.length > 0 ? everyone(own, habit) : null;
  const wait = sending.value !== null || sendingAll.value;
  const tap = (/** @type {string} */ label, /** @type {readonly Answer[]} */ answers, kind = "") =>
    html`<button type="button" class=${`all ${kind}`} key=${label} aria-disabled=${wait} onClick=${() => !wait && void sendAll(answers)}>${label}</button>`;
  return html`
    <section class="together" aria-label="Asked together">
      <div class="alltogether">
        <b>${count(rows)} are asked</b>
        ${before && tap(own.length < rows.length ? "Yours as last round" : "As last round", before, "again")}
        ${passes && tap(own.length < rows.length ? "All of yours pass" : "All pass", passes, "pass")}
      </div>
      ${sides(rows).map(([side, own]) => html`<${Side} key=${side} side=${side} rows=${own} tap=${tap} />`)}
      ${rows.map(({ prompt, offers }) => html`<${Card} key=${prompt.id} prompt=${prompt} offers=${offers} brief=${open !== prompt.id} more=${() => setOpen(open === prompt.id ? null : prompt.id)} />`)}
    </section>
  `;
}

/** @param {readonly unknown[]} all */
const count = (all) => {
  const word = NUMBERS[all.length] ?? String(all.length);
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** Those of one side do the same, each at its best target. @param {{ side: string, rows: readonly Asked[], tap: (label: string, answers: readonly Answer[]) => unknown }} props */
function Side({ side, rows, tap }) {
  const order = bar(rows[0]?.offers ?? [], schemas.value, sidesOf(shown.value)).groups.flatMap((group) => group.offers);
  if (rows.every((row) => played(row.prompt.who))) return null;
  const same = order.flatMap((one) => {
    const answers = everyone(rows, (row) => ready(row, row.offers.find((other) => other.id === one.id)));
    return answers && !["pass", "end", "choose", "move"].includes(one.category) ? [{ label: one.label, answers }] : [];
  });
  if (same.length === 0) return null;
  return html`<div class="alltogether same"><span><bdi>${side}</bdi>: the same for ${rows.length === 2 ? "both" : `all ${NUMBERS[rows.length] ?? rows.length}`}</span> ${same.slice(0, MOST).map((one) => tap(one.label, one.answers))}</div>`;
}

/** Sides with two or more that are asked. @param {readonly Asked[]} rows @returns {[string, Asked[]][]} */
function sides(rows) {
  const side = sidesOf(shown.value);
  /** @type {Map<string, Asked[]>} */
  const found = new Map();
  for (const row of rows) {
    const own = side[row.prompt.who ?? ""];
    if (own !== undefined) found.set(own, [...(found.get(own) ?? []), row]);
  }
  return [...found].filter(([, own]) => own.length > 1);
}
