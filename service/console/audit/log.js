// The log, newest first. A line expands to its sum.
import { html, useState } from "../view.js";
import { entries, older, past, shown } from "../state.js";
import { readOlder } from "../stream.js";
import { Windowed } from "./windowed.js";
import { Filters, fits, wanted } from "./filters.js";
import { LOUD, short } from "./lines.js";
import { WhyEvent } from "./derived.js";
import { Sum } from "./sums.js";
import { Branches } from "../time/branches.js";
import { Moment } from "../time/moment.js";
import { CopyMarkdown } from "./markdown.js";

/** @import { Entry, Line } from "../shapes.d.ts" */

export function Log() {
  const all = entries.value.flatMap(byRound).map(({ entry, lines }) => ({ entry, lines: lines.filter((line) => fits(line, entry, wanted.value)) }));
  const kept = all.filter((entry) => entry.lines.length > 0);
  return html`
    <section class="log" aria-label="Log">
      <h2>Log <${CopyMarkdown} /></h2>
      <${Filters} />
      <${Branches} />
      <${Windowed} items=${kept} sign=${signed} draw=${draw} />
      ${older.value && html`<button type="button" class="quiet" onClick=${readOlder}>Older</button>`}
    </section>
  `;
}

/** @typedef {{ entry: Entry, lines: readonly Line[] }} Kept */

/** Return the lines of a command by round, newest first. The action that ends a round belongs to that round. @param {Entry} entry @returns {Kept[]} */
function byRound(entry) {
  const lines = entry.lines ?? [];
  const rounds = [...new Set(lines.map((line) => line.round ?? 0))].sort((a, b) => b - a);
  return rounds.map((round) => ({ entry: { ...entry, round }, lines: lines.filter((line) => (line.round ?? 0) === round) }));
}

/** Return a signature of a row. The page draws the row again when it changes. @param {Kept} kept */
const signed = ({ entry, lines }) => `${entry.first} ${entry.last} ${entry.undone} ${lines.length} ${past.value?.version ?? ""}`;

/** @param {Kept} kept @param {Kept | undefined} before the one above it */
const draw = (kept, before) => html`<${Row} key=${`${kept.entry.first} ${kept.entry.round}`} kept=${kept} before=${before} />`;

/** A command, below the heading of a round that it begins. @param {{ kept: Kept, before: Kept | undefined }} props */
const Row = ({ kept: { entry, lines }, before }) => html`
  ${before?.entry.round !== entry.round && html`<li class="round">${entry.round > 0 ? `Round ${entry.round}` : "Before the fight"}</li>`}
  <${Command} entry=${entry} lines=${lines} />
`;

/** The lines of one command. @param {{ entry: Entry, lines: readonly Line[] }} props */
function Command({ entry, lines }) {
  const here = past.value !== null && past.value.version >= entry.first && past.value.version <= entry.last;
  const later = past.value !== null && entry.first > past.value.version;
  const classes = ["command", entry.undone && "undone", here && "here", later && "later"].filter(Boolean).join(" ");
  return html`
    <li class=${classes} data-last=${entry.last}>
      ${entry.undone && html`<span class="tag">taken back</span>`}
      ${lines.map((line) => html`<${Told} key=${line.version} line=${line} />`)}
      <${Moment} entry=${entry} />
    </li>
  `;
}

/** One line. @param {{ line: Line }} props */
function Told({ line }) {
  const [open, setOpen] = useState(false);
  const board = shown.value;
  const loud = LOUD.includes(line.type);
  return html`
    <div class=${`line ${line.type}${loud ? " loud" : ""}`}>
      <button type="button" class="told" aria-expanded=${open} onClick=${() => setOpen(!open)}>${short(line.text)}</button>
      ${open && board !== null && html`<div class="unfolded"><${Sum} version=${line.version} /><${WhyEvent} version=${line.version} /></div>`}
    </div>
  `;
}
