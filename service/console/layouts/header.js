// The header: the fight, the connection, and the way back to the first page.
import { html, useEffect } from "../view.js";
import { Menu } from "./menu.js";
import { Seats } from "./seats.js";
import { isolated } from "../isolate.js";
import { pools } from "../board.js";
import { attempt } from "../play/act.js";
import { closed, link, present, role, ruleset, shown } from "../state.js";

const LINKS = { connecting: "connecting…", live: "live", lost: "connection lost, coming back…", waiting: "the service does not answer, trying again…" };
const ENDS = /** @type {Record<string, string>} */ ({ revoked: "This link is not in force any more.", deleted: "This fight was deleted." });

/** Maximum number of pools in the header. */
const ROOM = 3;

/** A player's pools, in layouts that do not show the order of initiative. */
function Points() {
  const own = (present.value?.combatants ?? []).filter((combatant) => present.value?.you.combatants.includes(combatant.id));
  const all = own.flatMap((combatant) => pools(combatant, ruleset.value).filter((pool) => pool.health || pool.maximum !== null).map((pool) => ({ combatant, pool })));
  const told = all.length > ROOM ? all.filter(({ pool }) => pool.health) : all;
  if (told.length === 0 || told.length > ROOM) return null;
  return html`<span class="points" role="group" aria-label="Your hit points">${told.map(({ combatant, pool }) => html`<span key=${combatant.id + pool.id}>${own.length > 1 && html`<bdi>${combatant.name}</bdi> `}${!pool.health && html`<small>${pool.label}</small> `}<b>${pool.value}</b>${pool.maximum !== null && `/${pool.maximum}`}</span>`)}</span>`;
}

export function Header() {
  const board = shown.value;
  const asked = present.value?.prompts.some((prompt) => prompt.answer === null && !prompt.suspended) && role.value !== "spectator";
  const title = `${asked ? "● " : ""}${board?.name ?? "Affray"}`;
  useEffect(() => void (document.title = isolated(title)), [title]);
  return html`
    <header class="topbar">
      <a class="home" href="#" aria-label="Affray: all fights">⚔</a>
      <h1><bdi>${board?.name ?? "…"}</bdi></h1>
      ${board !== null && html`<span class="status">${board.status !== "running" ? board.status : board.round > 0 ? `Round ${board.round}` : "Before round 1"}</span>`}
      ${closed.value === null
        ? html`<span class=${`link ${link.value}`} role="status"><i aria-hidden="true"></i>${LINKS[link.value]}</span>`
        : html`<span class="link ended" role="alert"><i aria-hidden="true"></i>${ENDS[closed.value] ?? closed.value}</span>`}
      ${board?.deadlines?.stopped && html`<span class="tag paused" role="status">Paused${role.value === "gm" && html` <button type="button" onClick=${() => void attempt("/deadlines", { ...present.peek()?.deadlines, stopped: false }, {}, "PUT")}>Go on</button>`}</span>`}
      <${Seats} />
      <span class="room"></span>
      <${Menu} />
      ${role.value === "player" && html`<${Points} />`}
      <span class="role">${role.value === "gm" ? "GM" : role.value}</span>
    </header>
  `;
}
