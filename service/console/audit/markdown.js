// The log as Markdown, for a session's notes.
import { html, useState } from "../view.js";
import { ask } from "../store.js";
import { Window } from "../window.js";

/** Copies a text; false where the browser does not let a page do that. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function CopyMarkdown() {
  const [state, setState] = useState("");
  const [text, setText] = useState(/** @type {string | null} */ (null));
  async function copy() {
    const found = await ask("/timeline?limit=200", { accept: "text/markdown" });
    if (await copied(found)) setState("copied");
    else setText(found);
    setTimeout(() => setState(""), 2000);
  }
  return html`
    <button type="button" class="quiet" onClick=${copy}>${state || "Copy as Markdown"}</button>
    ${text !== null && html`<${Window} title="The log as Markdown" close=${() => setText(null)}><textarea readonly rows="20" aria-label="The log as Markdown">${text}</textarea></${Window}>`}
  `;
}
