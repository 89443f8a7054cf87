// A player asks the GM to take something back; play goes on meanwhile.
import { html, useState } from "../view.js";
import { acting, present, role } from "../state.js";
import { attempt, say } from "./act.js";

export function AskUndo() {
  const [asked, setAsked] = useState(0);
  const board = present.value;
  const who = board?.you.combatants[0];
  if (board === null || who === undefined || role.value !== "player" || !acting.value || board.status !== "running") return null;
  async function ask() {
    const wrong = await attempt("/requests", { combatant: who, kind: "undo" });
    if (wrong === null) setAsked(board?.version ?? 0);
    say(wrong?.text ?? "The GM is asked to undo.");
  }
  return html`<button type="button" class="quiet" aria-disabled=${asked === board.version} onClick=${() => asked !== board.version && ask()}>Ask to undo</button>`;
}
