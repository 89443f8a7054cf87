// Copies the log as Markdown.
import { html, useState } from "../view.js";
import { askSeen } from "../commands.js";
import { Window } from "../window.js";

/** Copy a text. Return false if the browser does not allow it. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const NEXT = /\n\n\[What comes after\]\(.*cursor=([^&)]*).*\)\n$/;

/** Return the whole log as Markdown, read page by page. Only the first page has a title. */
export async function whole() {
  let text = "";
  for (let cursor = ""; ; ) {
    const page = await askSeen(`/timeline?limit=500${cursor}`, { accept: "text/markdown" });
    const [more, next] = page.match(NEXT) ?? [];
    text += (text === "" ? page : page.replace(/^# .*\n/, "")).replace(more ?? "", "\n");
    if (next === undefined) return text;
    cursor = `&cursor=${next}`;
  }
}

export function CopyMarkdown() {
  const [state, setState] = useState("");
  const [text, setText] = useState(/** @type {string | null} */ (null));
  async function copy() {
    const text = await whole();
    if (await copied(text)) setState("copied");
    else setText(text);
    setTimeout(() => setState(""), 2000);
  }
  return html`
    <button type="button" class="quiet" onClick=${copy}>${state || "Copy as Markdown"}</button>
    ${text !== null && html`<${Window} title="The log as Markdown" close=${() => setText(null)}><textarea readonly rows="20" aria-label="The log as Markdown">${text}</textarea></${Window}>`}
  `;
}
