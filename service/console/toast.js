// The toast with the last message.
import { html, useEffect } from "./view.js";
import { present, said } from "./state.js";

const SHOWN_MS = 8000;

export function Toast() {
  const now = said.value;
  useEffect(() => {
    if (now === null) return;
    const over = setTimeout(() => said.peek() === now && (said.value = null), SHOWN_MS);
    return () => clearTimeout(over);
  }, [now]);
  const last = now?.version === undefined || (present.value?.version ?? 0) <= now.version;
  const again = () => {
    said.value = null;
    now?.undo?.();
  };
  return html`
    <div class=${now === null ? "toast" : "toast up"} role="status" aria-live="polite">
      ${now !== null && html`<span>${now.text}</span>${now.undo && last && html`<button type="button" onClick=${again}>Undo that</button>`}`}
    </div>
  `;
}
