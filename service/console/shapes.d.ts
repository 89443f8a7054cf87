// The shapes of the API by their names; `contract` is generated from openapi/openapi.json.
import type { components } from "contract";

type Schemas = components["schemas"];
/** A board on the wire leaves out what is empty; `complete` in board.js fills it in. */
export type WireBoard = Schemas["Board"];
export type Condition = Required<Schemas["ConditionView"]>;
export type Combatant = Omit<Required<Schemas["CombatantView"]>, "conditions"> & { conditions: Condition[] };
export type Board = Omit<Required<WireBoard>, "combatants" | "deadlines" | "forked_from" | "labels"> &
  Pick<WireBoard, "deadlines" | "forked_from" | "labels"> & { combatants: Combatant[] };
export type Prompt = Schemas["PromptView"];
export type Offer = Schemas["OfferView"];
export type Options = Schemas["OfferList"];
export type Ruleset = Schemas["RulesetView"];
export type RulesetLine = Schemas["RulesetLine"];
export type Entry = Schemas["Entry"];
export type Line = Schemas["Line"];
export type Timeline = Schemas["Timeline"];
export type EventView = Schemas["EventView"];
export type Told = Schemas["CommandMessage"];
/** A message of the stream. */
export type Message =
  | { event: "board" | "erased"; data: WireBoard }
  | { event: "command"; data: Told }
  | { event: "amended"; data: Schemas["AmendedMessage"] }
  | { event: "progress"; data: Schemas["WalkProgress"] }
  | { event: "offers"; data: Options }
  | { event: "tokens"; data: Schemas["TokensChanged"] }
  | { event: "presence"; data: Schemas["Presence"] }
  | { event: "closed"; data: Schemas["StreamClosed"] };
/** An event as an export holds it. */
export type RecordedEvent = Schemas["ExportEvent"];
export type Seat = Schemas["Seat"];
export type Committed = Schemas["Committed"];
export type Opened = Schemas["Opened"];
export type Issued = Schemas["Issued"];
export type TokenLine = Schemas["TokenLine"];
export type Tree = Schemas["Tree"];
export type Branch = Schemas["Branch"];
export type Diff = Schemas["Diff"];
export type Why = Schemas["Why"];
export type Figures = Schemas["CombatantFigures"];
export type Explanation = Schemas["Explanation"];
export type Rule = Schemas["Rule"];
export type Problem = Schemas["Problem"];
export type Preview = Schemas["Preview"];
export type AmendmentReport = Schemas["AmendmentReport"];
export type AmendedLine = Schemas["AmendedLine"];
export type WhatIfReport = Schemas["WhatIfReport"];
export type Result = Schemas["Result"];
export type Request = Schemas["RequestView"];
export type Derivation = Schemas["Derivation"];
export type SumView = Schemas["SumView"];
export type Comparison = Schemas["Comparison"];
export type BranchCommand = Schemas["BranchCommand"];
export type Verification = Schemas["Verification"];
export type Party = Ruleset["parties"][number];

/** A JSON Schema, as far as the page reads it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  additionalProperties?: boolean | Schema;
  "x-refers-to"?: string;
  "x-titles"?: Record<string, string>;
}

export type Inputs = Record<string, unknown>;
export type Square = number[];
