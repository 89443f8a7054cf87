// The open prompts of one seat at the table.
import type { Board, Prompt } from "./shapes.js";

/**
 * Return the prompts that wait for the reader of this board. A GM may answer every prompt. This function
 * omits the players' prompts, so that the players answer them.
 */
export function promptsOf(board: Board): Prompt[] {
  const played = new Set(board.combatants.filter((combatant) => combatant.owner).map((combatant) => combatant.id));
  const left = (prompt: Prompt) => board.you.role === "gm" && prompt.who !== null && played.has(prompt.who);
  return board.prompts.filter((prompt) => prompt.answer === null && !prompt.suspended && !left(prompt));
}
