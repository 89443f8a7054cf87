// The comparison of two moments, in words.
import { html, signal } from "../view.js";
import { ask } from "../commands.js";
import { entries, present } from "../state.js";
import { fault } from "../play/act.js";
import { moments, nameOf, sentenceOf } from "./names.js";

/** @import { Diff } from "../shapes.d.ts" */

/** The two compared moments. If `to` is null, the second one is not chosen yet. */
export const compared = signal(/** @type {{ from: number, to: number | null, diff: Diff | null, wrong: string } | null} */ (null));

/** Remember a moment at the first call, and compare with it at the second. @param {number} version */
export async function compare(version) {
  const held = compared.peek();
  if (held === null || held.to !== null) {
    compared.value = { from: version, to: null, diff: null, wrong: "" };
    return;
  }
  await between(held.from, version);
}

/** @param {number} from @param {number} to */
export async function between(from, to) {
  const held = compared.peek();
  compared.value = { from, to, diff: held?.diff ?? null, wrong: "" };
  const asked = compared.peek();
  try {
    const diff = await ask(`/diff?from=${from}&to=${to}`);
    if (compared.peek() === asked) compared.value = { from, to, diff, wrong: "" };
  } catch (failed) {
    if (compared.peek() === asked) compared.value = { from, to, diff: null, wrong: fault(failed).text };
  }
}

/** Start a comparison, with the handles at the last command. */
export function begin() {
  const now = present.peek()?.version ?? 0;
  const before = moments(entries.peek()).findLast((moment) => !moment.undone && moment.last < now)?.last ?? now;
  void between(before, now);
}

export function Comparison() {
  const held = compared.value;
  if (held === null) return null;
  const lines = held.diff?.text ?? [];
  const close = () => (compared.value = null);
  if (held.to === null) {
    return html`<aside class="comparison" role="status"><p>Compare <b>${nameOf(held.from)}</b> with another moment: choose it in the log or on the ribbon. <button type="button" class="quiet" onClick=${close}>Never mind</button></p></aside>`;
  }
  return html`
    <aside class="comparison" aria-label="Comparison">
      <header>
        <h2>From <b class="a">${nameOf(held.from)}</b> to <b class="b">${nameOf(held.to)}</b></h2>
        <button type="button" class="quiet" aria-label="Close the comparison" onClick=${close}>✕</button>
      </header>
      ${held.wrong && html`<p class="fault" role="alert">${held.wrong}</p>`}
      <div role="status"><ul class="difference">${lines.map((line, index) => html`<li key=${index}>${told(line)}</li>`)}</ul></div>
      ${held.diff !== null && lines.length === 0 && !held.wrong && html`<p>All have the same hit points, conditions and squares.</p>`}
      ${held.diff !== null && html`<${Between} diff=${held.diff} />`}
    </aside>
  `;
}

/** The events between the two moments, folded. @param {{ diff: Diff }} props */
function Between({ diff }) {
  const happened = sentences(diff.done);
  const undone = sentences(diff.undone);
  if (happened.length + undone.length === 0) return null;
  return html`
    <details>
      <summary>What happened between</summary>
      ${undone.length > 0 && html`<h3>Only in the first</h3><ol>${undone.map((text, index) => html`<li key=${index}>${text}</li>`)}</ol><h3>Only in the second</h3>`}
      <ol>${happened.map((text, index) => html`<li key=${index}>${text}</li>`)}</ol>
    </details>
  `;
}

/** Return the log's first line of each command. @param {Diff["done"]} commands */
const sentences = (commands) => commands.flatMap(({ first, last }) => entries.value.filter((entry) => entry.first <= last && entry.last >= first).slice(0, 1).map(sentenceOf)).filter(Boolean);

/** @param {string} line */
const told = (line) => line.charAt(0).toUpperCase() + line.slice(1);
