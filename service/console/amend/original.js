// A past command: its inputs, its rolls, and the options that were legal at that moment.
import { ask } from "../commands.js";

/** @import { EventView, Inputs, Offer, Schema } from "../shapes.d.ts" */
/** @import { Asked } from "./open.js" */

/** @typedef {{ version: number, who: string, purpose: string, formula: string, faces: number[], total: number }} Fallen */

/**
 * @typedef {object} Original
 * @property {"answer" | "rule" | "other"} kind
 * @property {string} option the id of the action, answer or ruling, or "" for other commands
 * @property {Inputs} inputs
 * @property {readonly Fallen[]} rolls
 * @property {readonly Offer[]} offers the options that were legal in place of the command
 * @property {readonly Offer[]} rulings the rulings that the GM could give before the command
 * @property {Record<string, Schema>} schemas
 */

const MOST = 500;

/** @param {Asked} command @returns {Promise<Original>} */
export async function original({ first, last }) {
  const limit = Math.min(MOST, last - first + 1);
  const events = /** @type {EventView[]} */ ((await ask(`/events?after=${first - 1}&limit=${limit}`)).events);
  const parent = events[0]?.parent ?? first - 1;
  const answer = await ask(`/options?at=${parent}`);
  const all = /** @type {Offer[]} */ (answer.options).filter((option) => option.legal);
  const rulings = all.filter((offer) => offer.kind === "ruling" && offer.prompt === null && offer.id !== "several");
  const given = events.find((event) => ["action-declared", "answered", "ruled"].includes(event.type));
  const data = /** @type {Record<string, any>} */ (given?.data ?? {});
  const kind = given === undefined || given.version !== first ? "other" : given.type === "ruled" ? "rule" : "answer";
  const instead = kind === "rule" ? rulings : all.filter((offer) => (data.prompt ? offer.prompt === data.prompt : offer.prompt === null && offer.who === data.who));
  return {
    kind,
    option: data.ruling ?? data.action ?? data.option ?? "",
    inputs: data.inputs ?? {},
    rolls: events.filter((event) => event.type === "rolled").map(fallen),
    offers: kind === "other" ? [] : instead,
    rulings,
    schemas: answer.schemas,
  };
}

/** @param {EventView} event @returns {Fallen} */
const fallen = ({ version, data }) => /** @type {Fallen} */ ({ version, .../** @type {object} */ (data) });
