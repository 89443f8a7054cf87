// The summary of an ended fight: statistics of each combatant, and the turning points. It has a
// print style.
import { html, useEffect, useState } from "../view.js";
import { ask } from "../commands.js";
import { present, role, ruleset, shown } from "../state.js";
import { listedSides } from "../listed.js";
import { pools, words } from "../board.js";
import { short } from "./lines.js";

/** @import { Combatant, Entry, Figures, Line } from "../shapes.d.ts" */

/** Maximum number of turning points. */
const TURNS = 5;
const PAGE = 200;
const FALLS = ["died", "downed"];
/** Events that count as harm or healing. Payments do not count. */
const HARM = ["damaged", "healed"];
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });

/** With `paper`, the summary has a print button and the whole log. @param {{ paper?: boolean }} props */
export function Summary({ paper = true }) {
  const [figures, setFigures] = useState(/** @type {readonly Figures[] | null} */ (null));
  const [entries, setEntries] = useState(/** @type {readonly Entry[]} */ ([]));
  const version = present.value?.version;
  useEffect(() => {
    void ask("/statistics").then((answer) => setFigures(answer.combatants), () => setFigures([]));
    void all().then(setEntries, () => setEntries([]));
  }, [version]);
  const board = shown.value;
  if (board === null) return null;
  if (figures === null) return html`<section class="summary" aria-label="Summary" aria-busy="true"><p class="calm">The figures are counted…</p></section>`;
  const sum = (/** @type {Record<string, number> | null} */ points) => (points === null ? "unknown" : Object.values(points).reduce((whole, part) => whole + part, 0));
  const points = role.value === "gm"; // only the GM knows the points of foes: for other readers, the sum would be wrong
  const known = new Map(board.combatants.map((combatant) => [combatant.id, combatant]));
  const rows = figures.flatMap((record) => {
    const who = known.get(record.combatant);
    return who === undefined ? [] : [{ who, record }];
  });
  const told = turns(entries);
  return html`
    <section class="summary" aria-label="Summary">
      <header><h3>Summary</h3><p>${board.round} ${board.round === 1 ? "round" : "rounds"} · ${board.winners.length > 0 ? html`won by ${listedSides(board.winners)}` : "nobody won"}</p>
        ${paper && html`<button type="button" class="quiet paper" onClick=${() => window.print()}>Print</button>`}</header>
      <div class="wide" tabindex="0" role="region" aria-label="Who did what">
        <table>
          <thead><tr><th scope="col">Who</th><th scope="col">Hits</th><th scope="col">Misses</th><th scope="col">Critical</th>${points && html`<th scope="col">Damage dealt</th><th scope="col">Damage taken</th><th scope="col">Healing received</th>`}<th scope="col">At the end</th></tr></thead>
          <tbody>
            ${rows.map(
              ({ who, record }) => html`<tr key=${record.combatant}>
                <th scope="row"><bdi>${who.name}</bdi></th><td>${record.hits}</td><td>${record.misses}</td><td>${record.criticals}</td>${points && html`<td>${sum(record.dealt)}</td><td>${sum(record.taken)}</td><td>${record.healing_received ?? "unknown"}</td>`}<td>${end(who)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${told.length > 0 && html`<h4>Turning points</h4>`}
      <ol class="turns">${told.map(({ round, line }) => html`<li key=${line.version}><small>Round ${round}</small> ${short(line.text)}</li>`)}</ol>
      ${paper && html`<${Printed} entries=${entries} />`}
    </section>
  `;
}

/** The log on paper, oldest first. On a screen, the log is beside the summary. @param {{ entries: readonly Entry[] }} props */
function Printed({ entries }) {
  const told = entries.filter((entry) => !entry.undone && entry.lines.length > 0);
  const rounds = [...new Set(told.flatMap((entry) => entry.lines.map((line) => line.round ?? entry.round)))];
  const lines = told.flatMap((entry) => entry.lines.map((line) => ({ round: line.round ?? entry.round, line })));
  if (told[0] === undefined) return null;
  return html`
    <section class="printed" aria-label="Log on paper">
      <h3>Log</h3><p>${DAY.format(new Date(told[0].at))}</p>
      ${rounds.map((round) => html`<h4 key=${round}>${round > 0 ? `Round ${round}` : "Before the fight"}</h4>
        <ul>${lines.filter((line) => line.round === round).map(({ line }) => html`<li key=${line.version}>${short(line.text)}</li>`)}</ul>`)}
    </section>
  `;
}

/** A number with a true minus sign. @param {number} value */
const number = (value) => String(value).replace("-", "−");

/** @param {Combatant} who */
function end(who) {
  const health = pools(who, ruleset.value).find((pool) => pool.health);
  const state = words(who.wound).toLowerCase();
  return health === undefined ? state : `${number(health.value)}${health.maximum === null ? "" : ` of ${health.maximum}`}, ${state}`;
}

/** The whole log. @returns {Promise<readonly Entry[]>} */
async function all() {
  /** @type {Entry[]} */
  const entries = [];
  for (let cursor = ""; ; ) {
    const page = await ask(`/timeline?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    entries.push(...page.entries);
    if (!page.next) return entries;
    cursor = page.next;
  }
}

/** Return the versions of lines in which a GM's condition alone makes a combatant fall. @param {Entry} entry */
function ruledOut({ lines, result }) {
  const fallen = (ruleset.value?.wounds ?? []).slice(ruleset.value?.standing ?? 0);
  if (lines.some((line) => FALLS.includes(line.type))) return [];
  const who = (result?.changes ?? []).filter(({ what, after }) => what === "condition" && fallen.includes(String(after))).map(({ combatant }) => combatant);
  return lines.filter((line) => line.type === "condition-gained" && (line.combatants ?? []).some((id) => who.includes(id))).map((line) => line.version);
}

/**
 * Return the falls and the largest changes of hit points, in order. If a command spans two rounds,
 * each line keeps its own round.
 * @param {readonly Entry[]} entries
 */
export function turns(entries) {
  const lines = entries.filter((entry) => !entry.undone).flatMap((entry) => entry.lines.map((line) => ({ round: line.round ?? entry.round, line })));
  const ruled = new Set(entries.flatMap(ruledOut));
  const weight = (/** @type {Line} */ line) => (FALLS.includes(line.type) || ruled.has(line.version) ? Infinity : HARM.includes(line.type) && typeof line.before === "number" && typeof line.after === "number" ? Math.abs(line.after - line.before) : 0);
  return lines
    .filter(({ line }) => weight(line) > 0)
    .sort((a, b) => weight(b.line) - weight(a.line) || a.line.version - b.line.version)
    .slice(0, TURNS)
    .sort((a, b) => a.line.version - b.line.version);
}
