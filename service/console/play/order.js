// The order of initiative, with the pools and conditions of each combatant.
import { computed, html, useEffect, useRef, useState } from "../view.js";
import { called, extent, lineup, meaning, plain, pools, sideNumber, turnNumber, words } from "../board.js";
import { adding, eyes, picked, present, ruleset, ruling, shown } from "../state.js";
import { inWords } from "../schema/chips.js";
import { pictured } from "../pictures.js";
import { attempt } from "./act.js";
import { Numbers } from "../audit/numbers.js";
import { place } from "../map/wanted.js";
import { Stats } from "../audit/sheet.js";
import { why, whyNumber } from "../audit/why.js";
import { Change } from "../rule/change.js";
import { Orders } from "./orders.js";
import { until } from "./until.js";

/** @import { Board, Combatant, Condition } from "../shapes.d.ts" */

export function Order() {
  const board = shown.value;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const acting = board?.acting.join(" ");
  useEffect(() => list.current?.querySelector(".acts")?.scrollIntoView({ block: "nearest" }), [acting]);
  if (board === null) return null;
  const all = lineup(board, ruleset.value);
  const fallen = all.filter((combatant) => !combatant.in_fight && board.status !== "ended" && !picked.value.includes(combatant.id));
  const places = new Map(board.order.map((slot, index) => /** @type {[string, number]} */ ([String(slot.who), index + 1])).reverse());
  const row = (/** @type {Combatant} */ combatant) => {
    const acts = combatant.in_fight && board.acting.includes(combatant.id);
    return html`<${Row} key=${combatant.id} combatant=${combatant} place=${places.get(combatant.id) ?? 0} acts=${acts} awaited=${!acts && board.awaited.includes(combatant.id)} side=${sideNumber(board, combatant.side)} on=${picked.value.includes(combatant.id)} isOwn=${isOwn(combatant)} />`;
  };
  return html`
    <section class="order" aria-label="Order" ref=${list}>
      <h2>${board.round > 0 ? `Round ${board.round}` : "Before round 1"} <small>${phase(board)}</small></h2>
      <ol>${all.filter((combatant) => !fallen.includes(combatant)).map(row)}</ol>
      ${fallen.length > 0 && html`<details class="fallen"><summary>Out of the fight <span class="count">${fallen.length}</span></summary><ol>${fallen.map(row)}</ol></details>`}
    </section>
  `;
}

const over = computed(() => present.value?.status === "ended");

/** Return true if the reader is a player of the combatant. @param {Combatant} combatant */
const isOwn = (combatant) => present.value?.you.role === "player" && eyes.value === null && present.value.you.combatants.includes(combatant.id);

/** The number that decides the order of turns. @param {{ combatant: Combatant }} props */
function Turn({ combatant }) {
  const number = turnNumber(combatant, ruleset.value);
  if (number === null) return null;
  const label = `${number.about}: ${number.value}`;
  if (typeof number.value !== "number") return html`<span class="tag" title=${label}>${number.value}</span>`;
  return html`<button type="button" class="comes" title=${label} aria-label=${`Why ${label}?`} onClick=${() => whyNumber(combatant, number.name, number.about)}>${number.value}</button>`;
}

/** @param {Board} board */
function phase(board) {
  const [first = ""] = board.phase.split("/");
  return ruleset.value?.phases.find((phase) => phase.id === first)?.label ?? words(board.phase.replace("/", ", "));
}

/**
 * A row of the order. It is drawn again only if a property or a signal that it reads changes,
 * because a large fight has many rows.
 * @param {{ combatant: Combatant, place: number, acts: boolean, awaited: boolean, side: number, on: boolean, isOwn: boolean }} props
 */
function Row({ combatant, place, acts, awaited, side, on, isOwn }) {
  const [open, setOpen] = useState(false);
  const rules = ruling.value;
  const picture = pictured(combatant.picture);
  const held = kindsOf(combatant);
  const told = open || acts ? held : held.slice(0, FEW);
  const classes = ["combatant", acts && "acts", !combatant.in_fight && "out", combatant.hidden && "hidden"].filter(Boolean).join(" ");
  const pick = (/** @type {MouseEvent} */ event) => {
    const more = adding.peek() || event.shiftKey || event.ctrlKey || event.metaKey;
    if (more) picked.value = on ? picked.peek().filter((id) => id !== combatant.id) : [...picked.peek(), combatant.id];
    else picked.value = on && picked.peek().length === 1 ? [] : [combatant.id];
  };
  return html`
    <li class=${classes} data-combatant=${combatant.id}>
      <div class="top">
        ${place > 0 && html`<span class="place" title=${`Acts in place ${place}`}>${place}</span>`}
        <button type="button" class="name" aria-pressed=${on} onClick=${pick}>
          <span class=${`mark side-${side}`} aria-hidden="true"></span>${picture && html`<img class="face" src=${picture.url} alt="" />`}
          <b><bdi>${combatant.name}</bdi></b><span class="unseen">, ${combatant.side}${combatant.hidden ? ", hidden" : ""}</span>
        </button>
        <${Turn} combatant=${combatant} />
        ${isOwn && html`<span class="tag">you</span>`}
        ${acts && html`<span class="tag act">acts</span>`}${awaited && html`<span class="tag asked">asked</span>`}
        ${combatant.hidden && html`<span class="tag">hidden</span>`}
        <button type="button" class="quiet more" aria-expanded=${open} aria-label=${`More about ${combatant.name}`} onClick=${() => setOpen(!open)}>${open ? "−" : "+"}</button>
      </div>
      <${Health} combatant=${combatant} whole=${open || acts} />
      ${(acts || open) && html`<${Budget} combatant=${combatant} />`}
      ${told.length > 0 && html`<ul class="conditions">${told.map(({ first, times }) => html`<${Held} key=${first.id} held=${first} times=${times} combatant=${combatant} />`)}${told.length < held.length && html`<li><button type="button" class="condition" aria-label=${`${held.length - told.length} more conditions of ${combatant.name}`} onClick=${() => setOpen(true)}>+${held.length - told.length}</button></li>`}</ul>`}
      ${combatant.markers.length > 0 && html`<ul class="conditions markers">${combatant.markers.map((marker) => html`<li key=${marker.id}>${marker.text}${rules && html`<button type="button" class="quiet" aria-label=${`Remove the mark ${marker.text}`} onClick=${() => void attempt("/rulings", { ruling: "remove-marker", inputs: { combatant: combatant.id, marker: marker.id } })}>✕</button>`}</li>`)}</ul>`}
      ${open && html`<${More} combatant=${combatant} />`}
    </li>
  `;
}

/** Pools as bars. A foe's pool is a word, with a bar that has one part for each possible word. `whole` includes empty pools. @param {{ combatant: Combatant, whole: boolean }} props */
function Health({ combatant, whole }) {
  const all = pools(combatant, ruleset.value).filter((pool) => pool.health || whole || pool.value !== 0 || pool.maximum !== null);
  if (all.length === 0) return html`<${Wound} combatant=${combatant} />`;
  return html`
    <div class="pools">
      ${all.map(
        (pool) => html`
          <button type="button" class=${pool.health ? "pool health" : "pool"} key=${pool.id} title=${quick(pool) ? "Change it, or ask why" : `Why ${pool.value}?`} onClick=${() => (quick(pool) ? reach(combatant) : why(combatant, { track: pool.id }))}>
            <span class="label">${pool.label}</span> <b>${pool.value}</b>${pool.maximum !== null && html`<span class="of">/${pool.maximum}</span>`}
            ${pool.health && pool.maximum !== null && pool.maximum > 0 && html`<span class="bar" aria-hidden="true"><i style=${{ width: `${Math.max(0, Math.min(100, (100 * pool.value) / pool.maximum))}%` }} class=${grade(pool.value / pool.maximum)}></i></span>`}
          </button>
        `,
      )}
      ${!combatant.in_fight && html`<span class="tag">${words(combatant.wound).toLowerCase()}</span>`}
    </div>
  `;
}

/** Return true if the GM can click the pool to change it. @param {{ health: boolean }} pool */
const quick = (pool) => pool.health && ruling.value && !over.value;

/** Select a combatant, and open the field for hit points. @param {Combatant} combatant */
function reach(combatant) {
  if (!picked.peek().includes(combatant.id)) picked.value = adding.peek() ? [...picked.peek(), combatant.id] : [combatant.id];
  requestAnimationFrame(() => document.getElementById("quick-hp")?.focus());
}

/** @param {number} part */
const grade = (part) => (part > 0.5 ? "well" : part > 0.25 ? "hurt" : "low");

/** @param {{ combatant: Combatant }} props */
function Wound({ combatant }) {
  const standing = ruleset.value?.standing ?? 0;
  const all = (ruleset.value?.wounds ?? []).slice(0, standing);
  const left = combatant.in_fight && all.includes(combatant.wound) ? standing - all.indexOf(combatant.wound) : 0;
  return html`
    <div class="wound">
      <span>${words(combatant.wound).toLowerCase()}</span>
      ${standing > 0 && html`<span class="bar parts" aria-hidden="true">${all.map((word, index) => html`<i key=${word} class=${index < left ? `full ${grade(left / standing)}` : ""}></i>`)}</span>`}
    </div>
  `;
}

/** @param {{ combatant: Combatant }} props */
function Budget({ combatant }) {
  const kinds = Object.entries(combatant.budget);
  if (kinds.length === 0) return null;
  const label = (/** @type {string} */ id) => ruleset.value?.budget.find((kind) => kind.id === id)?.label ?? words(id);
  return html`
    <p class="budget">
      ${kinds.map(([id, left]) => html`<button type="button" key=${id} class=${left > 0 ? "left" : "left spent"} title=${`Why ${left}?`} onClick=${() => whyNumber(combatant, `budget.${id}`, label(id))}>${label(id)} <b>${left}</b></button>`)}
    </p>
  `;
}

/** Maximum number of conditions in a folded row. */
const FEW = 3;

/** Return the conditions without duplicates, and without the one that the word for the wounds implies. @param {Combatant} combatant */
function kindsOf(combatant) {
  /** @type {Map<string, { first: Condition, times: number }>} */
  const kinds = new Map();
  for (const held of combatant.conditions) {
    const known = kinds.get(held.id);
    kinds.set(held.id, known === undefined ? { first: held, times: 1 } : { ...known, times: known.times + 1 });
  }
  const wound = words(combatant.wound).toLowerCase();
  return [...kinds.values()].filter(({ first }) => combatant.in_fight || called("condition", first.id, ruleset.value).toLowerCase() !== wound);
}

/** @param {{ held: Condition, times: number, combatant: Combatant }} props */
function Held({ held, times, combatant }) {
  const end = until(held);
  return html`<li><button type="button" class="condition" onClick=${() => why(combatant, { condition: held.id })} title=${effect(held.id) ?? `Why ${words(held.id).toLowerCase()}?`}>${called("condition", held.id, ruleset.value)}${times > 1 ? ` ×${times}` : ""}${end && html` <small>${end}</small>`}</button></li>`;
}

/** Return the rulebook's effect of a condition. @param {string} id */
const effect = (id) => ruleset.value?.conditions.find((condition) => condition.id === id)?.effect;

/** All other numbers and facts. A number shows its sum. @param {{ combatant: Combatant }} props */
function More({ combatant }) {
  const about = new Map(ruleset.value?.derived.map((number) => [number.id, meaning(number.about)]));
  const rows = Object.entries(combatant.derived).filter(([id, value]) => id !== "budget" && typeof value !== "number" && value !== null && plain(value) !== "none");
  return html`
    <dl class="numbers">
      ${combatant.position && html`<div><dt>Square</dt><dd>${place(combatant.position.slice(0, 2))}${extent(combatant) > 1 ? ` (${extent(combatant)}×${extent(combatant)})` : ""}</dd></div>`}
      ${combatant.owner && html`<div><dt>Player</dt><dd><bdi>${combatant.owner}</bdi></dd></div>`}
      ${rows.map(([id, value]) => html`<div key=${id} title=${about.get(id)}><dt>${words(id)}</dt><dd>${inWords(value)}</dd></div>`)}
    </dl>
    <${Numbers} combatant=${combatant} />
    ${combatant.sheet !== null && html`<${Stats} combatant=${combatant} />`}
    <${Orders} combatant=${combatant} />
    ${ruling.value && html`<${Change} combatant=${combatant} />`}
  `;
}
