// The television: who acts, the order, the map, and the last event in one sentence. It has no
// controls.
import { html, useEffect, useLayoutEffect } from "../view.js";
import { isolated } from "../isolate.js";
import { lineup, pools, sideNumber, turnNumber, words as named } from "../board.js";
import { closed, link, ruleset, shown } from "../state.js";
import { whom } from "../play/whom.js";
import { listedSides } from "../listed.js";
import { MapView } from "../map/view.js";
import { pictured } from "../pictures.js";
import { Result } from "../play/result.js";
import { Summary } from "../audit/summary.js";

/** @import { Board, Combatant } from "../shapes.d.ts" */

/** Maximum numbers of rows: with wide spacing, and in one column. */
const ROOMY = 8;
const CLOSE = 14;

export function Screen() {
  const board = shown.value;
  const title = board?.name ?? "Affray";
  useEffect(() => void (document.title = isolated(title)), [title]);
  useLayoutEffect(legible);
  if (board === null) return html`<div class="table screen"><p class="calm">…</p></div>`;
  const all = lineup(board, ruleset.value).filter((combatant) => combatant.in_fight || board.status === "ended");
  const density = all.length > CLOSE ? "columns" : all.length > ROOMY ? "close" : "";
  return html`
    <div class="table screen" data-version=${board.version}>
      <header><h1><bdi>${board.name}</bdi></h1><span>${board.round > 0 ? `Round ${board.round}` : "Before round 1"}</span>${(closed.value !== null || link.value !== "live") && html`<span class="tag" role="status">not connected</span>`}${board.deadlines?.stopped && html`<span class="tag" role="status">Paused</span>`}</header>
      <main>
        <ol class=${`lineup ${density}`} aria-label="Order">${all.map((combatant) => html`<${Row} key=${combatant.id} combatant=${combatant} board=${board} />`)}</ol>
        ${board.status === "ended" ? html`<${Summary} paper=${false} />` : html`<${MapView} />`}
      </main>
      <section class="says" aria-label="What happens" aria-live="polite">
        <h2>${acts(board)}</h2>
        ${board.status !== "ended" && html`<${Result} />`}
      </section>
    </div>
  `;
}

/** Minimum text size on a screen 1920 px wide, and the text size on a token as a fraction of a square. */
const LEAST_PX = 28;
const LETTERS = 0.36;

/** Set the size of letters on the map to at least the minimum text size. */
function legible() {
  const map = /** @type {SVGSVGElement | null} */ (document.querySelector(".screen .map svg"));
  const scale = map?.getScreenCTM()?.a ?? 0;
  if (map === null || scale === 0) return;
  map.style.setProperty("--letters", `${Math.max(LETTERS, (LEAST_PX * innerWidth) / 1920 / scale)}px`);
}

/** @param {Board} board */
function acts(board) {
  if (board.status === "ended") return board.winners.length > 0 ? html`The fight is over: ${listedSides(board.winners)} won` : "The fight is over";
  if (board.acting.length === 0) return board.awaited.length > 0 ? html`Waiting for ${awaited(board)}` : "";
  return board.acting.length > 1 ? html`${whom(board.acting)} act` : html`${whom(board.acting)}'s turn`;
}

/** Maximum number of names in large type. */
const NAMES = 3;

/** @param {Board} board */
function awaited(board) {
  const who = [...new Set(board.awaited)].filter((id) => id !== null); // null is not always the GM
  if (who.length === 0) return "answers";
  return who.length > NAMES ? `${who.length} answers` : whom(who);
}

/** A combatant's row with a bar. The bar shows the points if the screen may know them, or else the word for the appearance. @param {{ combatant: Combatant, board: Board }} props */
function Row({ combatant, board }) {
  const health = pools(combatant, ruleset.value).find((pool) => pool.health);
  const words = (ruleset.value?.wounds ?? []).slice(0, ruleset.value?.standing ?? 0);
  const known = health !== undefined && health.maximum !== null && health.maximum > 0;
  const left = known ? Math.max(0, health.value / /** @type {number} */ (health.maximum)) : combatant.in_fight && words.includes(combatant.wound) ? (words.length - words.indexOf(combatant.wound)) / words.length : 0;
  const others = pools(combatant, ruleset.value).filter((pool) => !pool.health && pool.maximum);
  const picture = pictured(combatant.picture);
  const turn = turnNumber(combatant, ruleset.value)?.value;
  const part = board.status === "running" && typeof turn === "string" ? `${turn} · ` : ""; // of the round, such as HIGH
  const grade = left > 0.5 ? "well" : left > 0.25 ? "hurt" : "low";
  return html`
    <li class=${combatant.in_fight && board.acting.includes(combatant.id) ? "acts" : ""} data-combatant=${combatant.id}>
      <span class=${`mark side-${sideNumber(board, combatant.side)}`} aria-hidden="true"></span>
      <b>${picture && html`<img class="face" src=${picture.url} alt="" /> `}<bdi>${combatant.name}</bdi></b>
      <span class="state">${part}${health === undefined || !words.includes(combatant.wound) ? named(combatant.wound).toLowerCase() : [`${health.value}${health.maximum === null ? "" : ` / ${health.maximum}`}`, ...others.map((pool) => `${pool.label} ${pool.value}`)].join(" · ")}</span>
      <span class="bar" aria-hidden="true"><i class=${grade} style=${{ width: `${Math.min(100, 100 * left)}%` }}></i></span>
    </li>
  `;
}
