// The open prompts as cards. Prompts that block others come first, then prompts with a deadline.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { acting, offers, present, role, ruling } from "../state.js";
import { attempt } from "./act.js";
import { focusAsked } from "../focus.js";
import { useGuard } from "./guard.js";
import { whom } from "./whom.js";
import { Card } from "./card.js";
import { Together } from "./together.js";
import { Anytime } from "./anytime.js";
import { Requests } from "./requests.js";
import { End } from "../rule/end.js";
import { WhatIf } from "../amend/forward.js";
import { Window } from "../window.js";
import { Opening, Ended } from "./opening.js";

/** @import { Board, Offer, Prompt } from "../shapes.d.ts" */

/** The name of the prompt and of the option that end the fight. */
const END = "end-combat";

const URGENCY = ["roll", "reaction", "choice", "ruling", "declare", "turn"];

/** @param {readonly Prompt[]} prompts */
export function sorted(prompts) {
  const rank = (/** @type {Prompt} */ prompt) => URGENCY.indexOf(prompt.kind);
  const late = (/** @type {Prompt} */ prompt) => (prompt.until ? Date.parse(prompt.until) : Infinity);
  return [...prompts].sort((a, b) => Number(a.answer !== null) - Number(b.answer !== null) || late(a) - late(b) || rank(a) - rank(b) || 0);
}

export function Cards() {
  const board = present.value;
  const heading = useFollowingFocus();
  const guard = useGuard(identity(board?.prompts ?? [], offers.value));
  if (board === null || !acting.value) return null;
  const fallen = new Set(board.combatants.flatMap((combatant) => (combatant.in_fight ? [] : [combatant.id])));
  const open = sorted(board.prompts.filter((prompt) => !prompt.suspended && (prompt.answer === null || !fallen.has(prompt.who ?? "")))); // a combatant out of the fight cannot change its answer
  const waiting = board.prompts.filter((prompt) => prompt.suspended);
  const asked = open.filter((prompt) => prompt.answer === null).length;
  return html`
    <section class=${guard.fresh ? "cards fresh" : "cards"} aria-label="Asked now" onClickCapture=${guard.click}>
      <h2 ref=${heading} tabindex="-1" class=${asked > 0 || board.status === "ended" ? "unseen" : ""}>${asked > 0 ? "Asked now" : board.status === "ended" ? "After the fight" : "Nothing is asked of you"} ${asked > 1 && html`<span class="count">${asked}</span>`}</h2>
      ${board.status === "opening" && html`<${Opening} />`}
      ${board.status === "ended" && html`<${Ended} board=${board} />`}
      ${board.stalled && ruling.value ? html`<${Stalled} why=${board.stalled} />` : null}
      ${asked === 0 && board.status === "running" && role.value === "player" && html`<p class="calm">Waiting for ${others(board).length > 0 ? whom(others(board)) : "the others"}.</p>`}
      <${Alone} board=${board} />
      ${together(open).map((all) => all.length > 1
        ? html`<${Together} key=${`all ${all[0]?.name}`} rows=${all.map((prompt) => ({ prompt: prompt, offers: answers(prompt).filter((offer) => offer.legal) }))} />`
        : all.map((prompt) => html`<${Card} key=${prompt.id} prompt=${prompt} offers=${answers(prompt)} />`))}
      ${waiting.length > 0 && html`<p class="calm next"><b>Next</b> ${waiting.map(({ text }) => text).join(" · ")}</p>`}
      <${Anytime} />
      <${WhatIf} />
      ${role.value === "player" && html`<${Requests} />`}
    </section>
  `;
}

/** Return the combatants with an open prompt that the player may know, without the player's own combatants. @param {Board} board */
const others = (board) => board.awaited.filter((who) => who !== null && !board.you.combatants.includes(who));

/** @param {Prompt} prompt */
const answers = (prompt) => offers.value.filter((offer) => offer.prompt === prompt.id);

/** Group the prompts that several combatants have at the same time. @param {readonly Prompt[]} prompts @returns {Prompt[][]} */
function together(prompts) {
  /** @type {Map<string, Prompt[]>} */
  const byGroup = new Map();
  for (const prompt of prompts) {
    const alone = prompt.kind === "roll" || prompt.who === null || prompt.answer !== null;
    const key = alone ? prompt.id : `${prompt.kind} ${prompt.name}`;
    byGroup.set(key, [...(byGroup.get(key) ?? []), prompt]);
  }
  return [...byGroup.values()];
}

/** Return a key that changes when a click on the cards could mean something else: with prompts, options or their positions. @param {readonly Prompt[]} prompts @param {readonly Offer[]} all */
const identity = (prompts, all) =>
  JSON.stringify([prompts.map(({ id, text, data, answer, suspended }) => [id, text, data, answer, suspended]), all.filter((offer) => offer.legal && offer.prompt !== null).map(({ id, prompt, headline, candidates }) => [prompt, id, headline, candidates])]);

/** When the focused card disappears, focus the next prompt, or the heading if no prompt is open. Leave any other focus. */
function useFollowingFocus() {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const inside = useRef(true); // the page has just been opened
  useEffect(() => {
    const note = (/** @type {Event} */ event) => (inside.current = heading.current?.parentElement?.contains(/** @type {Element} */ (event.target)) === true);
    for (const kind of ["focusin", "pointerdown"]) document.addEventListener(kind, note);
    return () => ["focusin", "pointerdown"].forEach((kind) => document.removeEventListener(kind, note));
  }, []);
  useLayoutEffect(() => {
    const free = document.activeElement === document.body || document.activeElement === heading.current;
    if (inside.current && free && !focusAsked()) heading.current?.focus();
  });
  return heading;
}

/** A card for the GM when no opponents are left and the rulebook has no prompt about the end. @param {{ board: Board }} props */
function Alone({ board }) {
  const [ending, setEnding] = useState(false);
  const left = [...new Set(board.combatants.filter((combatant) => combatant.in_fight).map((combatant) => combatant.side))];
  const sides = new Set(board.combatants.map((combatant) => combatant.side));
  const asked = board.prompts.some((prompt) => prompt.name === END || prompt.options.includes(END));
  if (!ruling.value || board.status !== "running" || left.length > 1 || sides.size < 2 || asked) return null;
  return html`
    <article class="card">
      <p>${left.length === 1 ? html`Only <b><bdi>${left[0]}</bdi></b> can still fight.` : "Nobody can fight any more."} The fight goes on until you end it. <button type="button" class="primary" onClick=${() => setEnding(true)}>End the fight…</button></p>
      ${ending && html`<${Window} title="End the fight?" close=${() => setEnding(false)}><${End} done=${() => setEnding(false)} winners=${left} /></${Window}>`}
    </article>
  `;
}

/** @param {{ why: string }} props */
function Stalled({ why }) {
  return html`<article class="card ask"><h3>The procedure was given up</h3><p>${why}</p><${Resume} /></article>`;
}

function Resume() {
  const go = () => void attempt("/resume", {});
  return html`<button type="button" class="primary" onClick=${go}>Go on from here</button>`;
}
