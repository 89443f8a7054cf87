// One card for several combatants with the same prompt: a row for each, and one tap for all.
import { html, signal, useState } from "../view.js";
import { sidesOf } from "../board.js";
import { ask } from "../commands.js";
import { schemas, shown } from "../state.js";
import { aimed, aimless, sendable } from "../schema/read.js";
import { asOneTap } from "../time/taps.js";
import { say, sending } from "./act.js";
import { Card } from "./card.js";
import { bar } from "./groups.js";
import { declared, lastRound, noting, told, whole } from "./habits.js";
import { whose } from "./whom.js";
import { played } from "./played.js";
import { repeat } from "./repeat.js";

/** @import { Offer, Prompt } from "../shapes.d.ts" */
/** @import { Answer } from "./act.js" */

/** @typedef {{ prompt: Prompt, offers: Offer[] }} Asked */
/**
 * The answers to a prompt. The answers to other prompts may change the offers. `anew` then returns
 * new answers for the changed offers.
 * @typedef {{ prompt: Prompt, answers: readonly Answer[], anew?: (row: Asked) => readonly Answer[] | null }} Replied
 */

const NUMBERS = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** Maximum number of options for a whole side. */
const MOST = 4;
/** Categories of actions that a whole side can share. */
const ALIKE = ["attack", "cast", "help", "defend"];

/** Return the rows that have answers, with the answers. @param {readonly Asked[]} rows @param {(row: Asked) => readonly Answer[] | null} of @returns {Replied[]} */
const answered = (rows, of) =>
  rows.flatMap((row) => {
    const answers = of(row);
    return answers === null ? [] : [{ prompt: row.prompt, answers }];
  });

/** Return the answers of all rows, or none if one row has none. @param {readonly Asked[]} rows @param {(row: Asked) => readonly Answer[] | null} of @returns {Replied[]} */
function everyone(rows, of) {
  const all = answered(rows, of);
  return all.length === rows.length ? all : [];
}

/** @param {Asked} row @param {Offer | undefined} offer @returns {Answer[] | null} */
function ready({ prompt, offers }, offer) {
  if (offer === undefined) return null;
  const schema = schemas.value[offer.inputs] ?? {};
  if (!aimed(offer, schema, sidesOf(shown.value))) return null;
  return whole(prompt, offers, { option: offer.id, inputs: sendable(offer.examples[0] ?? {}, schema) });
}

/** Return a whole side's answer at its best target, or null if there is no target. @param {Asked} row @param {string} option */
function alike(row, option) {
  const offer = row.offers.find((offer) => offer.id === option);
  if (offer !== undefined && row.prompt.kind === "turn" && aimless(offer, schemas.value[offer.inputs] ?? {})) return null;
  return ready(row, offer);
}

/** Return the answer that does nothing more, if the rulebook has one. @param {Asked} row @returns {Offer | undefined} */
function passing({ prompt, offers }) {
  if (prompt.kind === "declare") return offers.find((offer) => offer.category === "end") ?? offers.find((offer) => offer.category === "pass");
  return offers.find((offer) => offer.id === prompt.default && ["pass", "end"].includes(offer.category)) ?? offers.find((offer) => offer.category === "pass");
}

/** @param {Asked} row @returns {Answer[] | null} */
function asDeclared({ prompt, offers }) {
  const answer = declared(prompt, offers);
  return answer === null ? null : [answer];
}

/** True while answers for all are being sent. */
const sendingAll = signal(false);

/** Send the answers one after another. A refused prompt stays open. Turns stop when a person has to decide. @param {readonly Replied[]} all */
async function sendAll(all) {
  sendingAll.value = true;
  /** @type {(string | null)[]} */
  const left = [];
  for (const [index, { prompt, answers: planned, anew }] of all.entries()) {
    const answers = index === 0 || anew === undefined ? planned : await renewed(prompt, anew);
    if (answers === null) {
      left.push(prompt.who);
      continue;
    }
    const { wrong, stopped } = await repeat(prompt, answers, noting(prompt), { after: index > 0 && anew === undefined, before: index < all.length - 1 });
    if (wrong !== null) say(`${whose([prompt.who])}: ${wrong.text}`);
    if (stopped || (wrong !== null && prompt.kind === "turn")) break;
  }
  if (left.length > 0) say(`${whose(left)}: this is not possible any more. Choose something else.`);
  sendingAll.value = false;
}

/** Return the answers that are legal after the earlier ones. @param {Prompt} prompt @param {(row: Asked) => readonly Answer[] | null} anew */
async function renewed(prompt, anew) {
  try {
    const { options } = await ask(`/options?combatant=${encodeURIComponent(prompt.who ?? "")}`);
    return anew({ prompt, offers: options.filter((/** @type {Offer} */ option) => option.prompt === prompt.id && option.legal) });
  } catch {
    return null;
  }
}

/** Return the rows in order: combatants without a player first, then by the order in which they joined. @param {readonly Asked[]} rows */
function placed(rows) {
  const places = shown.value?.combatants.map((combatant) => combatant.id) ?? [];
  const place = (/** @type {Asked} */ { prompt: { who } }) => (played(who) ? 1e6 : 0) + places.indexOf(who ?? "");
  return [...rows].sort((a, b) => place(a) - place(b));
}

/** @param {{ rows: readonly Asked[] }} props */
export function Together({ rows: all }) {
  const rows = placed(all);
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  const own = rows.filter((row) => !played(row.prompt.who)); // one tap does not answer for a player who is online
  const before = answered(own, (row) => lastRound(row.prompt, row.offers));
  const plans = answered(own, asDeclared);
  const passes = everyone(own, (row) => ready(row, passing(row)));
  const wait = sending.value !== null || sendingAll.value;
  const tap = (/** @type {string} */ label, /** @type {readonly Replied[]} */ answers, kind = "") =>
    html`<button type="button" class=${`all ${kind}`} key=${label} aria-disabled=${wait} onClick=${() => !wait && void asOneTap(() => sendAll(answers))}>${label}</button>`;
  const yours = own.length < rows.length;
  const some = (/** @type {readonly Replied[]} */ replied) => (replied.length < own.length ? `: ${doings(own, replied)}` : "");
  return html`
    <section class="together" aria-label="Asked together">
      <div class="alltogether">
        <b>${count(rows)} are asked</b>
        ${plans.length > 0 && tap(`${yours ? "Yours as" : "As"} declared${some(plans)}`, plans, "again")}
        ${before.length > 0 && tap(`${yours ? "Yours as" : "As"} last round${some(before) || alikeAll(own, before)}`, before, "again")}
        ${passes.length > 0 && tap(`${yours ? "All of yours" : "All"}${passed(own, plans.length)}`, passes, "pass")}
      </div>
      ${sides(own).map(([side, own]) => html`<${Side} key=${side} side=${side} rows=${own} tap=${tap} />`)}
      ${rows.map(({ prompt, offers }) => html`<${Card} key=${prompt.id} prompt=${prompt} offers=${offers} brief=${open !== prompt.id} more=${() => setOpen(open === prompt.id ? null : prompt.id)} />`)}
    </section>
  `;
}

/** Return the words for the action that all repeat. @param {readonly Asked[]} rows @param {readonly Replied[]} replied */
function alikeAll(rows, replied) {
  const [deed = "", ...others] = new Set(replied.map(({ prompt, answers }) => told(rows.find((row) => row.prompt === prompt)?.offers ?? [], answers, prompt.kind === "turn")));
  return others.length > 0 || deed === "" ? "" : `: ${deed}`;
}

/** Return the label of the button that passes for all. If all have the same option, it has that option's words. @param {readonly Asked[]} rows @param {number} dropping number of combatants that have declared something else */
function passed(rows, dropping) {
  if (dropping > 0) return ` pass: ${dropping} give up what they declared`;
  const [label, ...more] = new Set(rows.map(passing).map((offer) => offer?.headline ?? offer?.label ?? ""));
  if (rows[0]?.prompt.kind !== "declare" || !label) return " pass";
  return more.length > 0 ? ": no more than declared" : `: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** Return the names of those who would act. A single one comes with its action. @param {readonly Asked[]} rows @param {readonly Replied[]} replied */
function doings(rows, replied) {
  const [only] = replied;
  const names = whose(replied.map(({ prompt }) => prompt.who));
  const row = rows.find(({ prompt }) => prompt.id === only?.prompt.id);
  return replied.length === 1 && only !== undefined && row !== undefined ? `${names}, ${told(row.offers, only.answers, row.prompt.kind === "turn")}` : `${names} alone`;
}

/** @param {readonly unknown[]} all */
const count = (all) => {
  const word = NUMBERS[all.length] ?? String(all.length);
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** The buttons with which one side does the same, each at its best target. @param {{ side: string, rows: readonly Asked[], tap: (label: string, answers: readonly Replied[]) => unknown }} props */
function Side({ side, rows, tap }) {
  const offers = new Map(rows.flatMap((row) => row.offers.map((offer) => [offer.id, offer])));
  const order = bar([...offers.values()], schemas.value, sidesOf(shown.value)).groups.flatMap((group) => group.offers);
  const same = order.flatMap((offer) => {
    const anew = (/** @type {Asked} */ row) => alike(row, offer.id);
    const answers = answered(rows, anew).map((replied) => ({ ...replied, anew }));
    const label = answers.length < rows.length ? `${offer.label}: ${answers.length} of ${rows.length}` : offer.label;
    return answers.length > 1 && ALIKE.includes(offer.category) ? [{ label, answers }] : [];
  });
  if (same.length === 0) return null;
  return html`<div class="alltogether same"><span><bdi>${side}</bdi>: the same for ${rows.length === 2 ? "both" : `all ${NUMBERS[rows.length] ?? rows.length}`}</span> ${same.slice(0, MOST).map((button) => tap(button.label, button.answers))}</div>`;
}

/** Return the sides with two or more open prompts. @param {readonly Asked[]} rows @returns {[string, Asked[]][]} */
function sides(rows) {
  const side = sidesOf(shown.value);
  /** @type {Map<string, Asked[]>} */
  const bySide = new Map();
  for (const row of rows) {
    const own = side[row.prompt.who ?? ""];
    if (own !== undefined) bySide.set(own, [...(bySide.get(own) ?? []), row]);
  }
  return [...bySide].filter(([, own]) => own.length > 1);
}
