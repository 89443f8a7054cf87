// Ask the service for the effects of an amendment, and apply it.
import { command } from "../commands.js";
import { present, progress } from "../state.js";

/** @import { AmendmentReport } from "../shapes.d.ts" */

/**
 * @typedef {object} Amendment
 * @property {({ kind: "set-faces", roll: number, faces: number[] } | { kind: "drop", at: number }
 *   | { kind: "set-answer", at: number, option: string, inputs: object }
 *   | { kind: "insert" | "replace", at: number, command: object })[]} changes
 * @property {"server" | "ask"} dice
 * @property {"ask" | "default"} prompts
 * @property {"ask" | "skip" | "stop"} impossible
 * @property {{ at: number, who: string | null, name: string, option: string, inputs?: object }[]} answers
 * @property {{ faces: number[], who: string | null, purpose: string }[]} faces
 */

/** @type {Amendment} */
export const NOTHING = { changes: [], dice: "server", prompts: "ask", impossible: "ask", answers: [], faces: [] };

/** An error: the report is outdated, because another command has arrived since. */
export class Stale extends Error {}

/** Request the report on an amendment. The service stores nothing. @param {Amendment} amendment @param {string} reason @param {AbortSignal} signal @returns {Promise<AmendmentReport>} */
export async function dryRun(amendment, reason, signal) {
  progress.value = null;
  return /** @type {any} */ (await command("/amend", { ...amendment, reason }, { signal }));
}

/** Apply an amendment if the combat has not changed since the report. @param {Amendment} amendment @param {string} reason @param {AmendmentReport} shown @param {AbortSignal} signal @returns {Promise<AmendmentReport>} */
export async function apply(amendment, reason, shown, signal) {
  const { digest, version } = await dryRun(amendment, reason, signal); // a new dry run, because the digest covers the reason
  if (version !== shown.version || version !== present.peek()?.version) throw new Stale("Something has happened since: look at the new report.");
  const body = { ...amendment, reason, commit: true, digest };
  return /** @type {any} */ (await command("/amend", body, { signal, version }));
}
