// Announcements for screen readers: the result of each command, and new prompts at once.
import { html, useEffect, useRef, useState } from "../view.js";
import { acting, entries, past, present } from "../state.js";
import { LOUD, short } from "../audit/lines.js";

/** @import { Board, Entry } from "../shapes.d.ts" */

/** Maximum number of lines in an announcement. */
const LINES = 6;
/** Maximum number of announcements in the queue. */
const KEPT = 4;

export function Spoken() {
  const heard = useRef(/** @type {{ last: number, asked: Set<string> } | null} */ (null));
  const [calm, setCalm] = useState(/** @type {readonly { key: number, text: string }[]} */ ([]));
  const [loud, setLoud] = useState("");
  const now = entries.value;
  const board = present.value;
  useEffect(() => {
    if (board === null || past.value !== null || now.length === 0) return;
    const before = heard.current;
    const asked = acting.value ? questions(board) : new Map();
    heard.current = { last: now[0]?.last ?? 0, asked: new Set(asked.keys()) };
    if (before === null) return;
    const fresh = [...asked].filter(([id]) => !before.asked.has(id)).map(([, text]) => text);
    const told = lines(now.filter((entry) => entry.first > before.last));
    if (before.asked.size === 0 && fresh.length > 0) setLoud(`You are asked: ${sentences(fresh)}`);
    else if (fresh.length > 0) told.push(`Asked now: ${sentences(fresh)}`);
    if (told.length > 0) setCalm((earlier) => [...earlier.slice(1 - KEPT), { key: now[0]?.last ?? 0, text: sentences(told) }]);
  }, [now, board]);
  return html`<div class="unseen" role="log" aria-label="What has just happened">${calm.map((line) => html`<p key=${line.key}>${line.text}</p>`)}</div><p class="unseen" role="alert">${loud}</p>`;
}

/** Return the open prompts, by id. @param {Board} board @returns {Map<string, string>} */
const questions = (board) => new Map(board.prompts.filter((prompt) => prompt.answer === null && !prompt.suspended).map((prompt) => [prompt.id, prompt.text]));

/** Join sentences. Not all end with a full stop. @param {readonly string[]} all */
const sentences = (all) => all.map((text, index) => (index === all.length - 1 || /[.?!]["”]?$/.test(text) ? text : `${text}.`)).join(" ");

/** Return the story's lines of some commands, oldest first. @param {readonly Entry[]} fresh @returns {string[]} */
function lines(fresh) {
  const all = [...fresh].reverse().flatMap((entry) => entry.lines ?? []);
  const story = all.filter((line) => LOUD.includes(line.type) || line.type === "reverted");
  return (story.length > 0 ? story : all).slice(-LINES).map((line) => short(line.text));
}
