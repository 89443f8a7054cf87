// The shapes of the contract by short names, and the types of a call.
import type { components, operations } from "./contract.js";
import type { OPERATIONS } from "./made.js";

/** Every schema of the contract by its name. */
export type Schemas = components["schemas"];
export type Board = Schemas["Board"];
export type Combatant = Schemas["CombatantView"];
export type Offer = Schemas["OfferView"];
export type Offers = Schemas["OfferList"];
export type Prompt = Schemas["PromptView"];
export type Committed = Schemas["Committed"];
export type CommandMessage = Schemas["CommandMessage"];
export type Result = Schemas["Result"];
export type Preview = Schemas["Preview"];
export type Ruleset = Schemas["RulesetView"];
export type Issued = Schemas["Issued"];
export type IssueToken = Schemas["IssueToken"];
export type Inputs = Record<string, unknown>;

/** Ids of the operations of the contract. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

type Given<O extends OperationId, K extends "path" | "query"> = NonNullable<operations[O]["parameters"][K]>;
type BodyOf<O extends OperationId> = operations[O] extends { requestBody: { content: infer C } } ? C[keyof C] : never;
type ResponsesOf<O extends OperationId> = operations[O]["responses"];
type Content<A> = A extends { content: { "application/json": infer J } } ? J : void;

/** The JSON that an operation answers. */
export type Answer<O extends OperationId> =
  ResponsesOf<O> extends { 200: infer A } ? Content<A> : ResponsesOf<O> extends { 201: infer A } ? Content<A> : void;

type Empty = Record<never, never>;
type Part<K extends string, P> = [P] extends [never] ? Empty : Empty extends P ? { [key in K]?: P } : { [key in K]: P };

/** Settings of every call. */
export interface CallOptions {
  /**
   * An ETag, or an answer that this client read: a board, offers, prompts or the answer of a command.
   * If anything has changed since, the call throws a `Problem` with status `412`: read the board again.
   */
  ifMatch?: object | string;
  /** The `Idempotency-Key` of a POST. Default: a new one for each call. */
  key?: string;
  signal?: AbortSignal;
}

/** The inputs of a call: parameters of path and query, and a body. `Known`: names that the client fills in. */
export type Call<O extends OperationId, Known extends string = never> = Part<"path", Omit<Given<O, "path">, Known>> &
  Part<"query", Given<O, "query">> &
  Part<"body", BodyOf<O>> &
  CallOptions;

type Openings = Schemas["OpenCombat"];

/** The body that opens a combat of an installed rulebook that the contract does not know. */
export interface AnyOpening {
  name?: string;
  options?: Inputs;
  dice?: Partial<Schemas["DiceSettings"]>;
  sides?: readonly string[];
  map?: unknown;
  combatants?: readonly { sheet: Inputs; id?: string | null; hidden?: boolean }[];
  deadlines?: Partial<Schemas["Deadlines"]>;
  labels?: readonly string[];
}

/** The body that opens a combat of this rulebook. For a ruleset of type `string`, nothing is type-checked. */
export type Opening<R extends string> = string extends R
  ? AnyOpening
  : [Extract<Openings, { ruleset: R }>] extends [never]
    ? AnyOpening
    : Omit<Extract<Openings, { ruleset: R }>, "ruleset">;

/** The sheet of one combatant in this rulebook. */
export type Sheet<R extends string> = Opening<R> extends { combatants?: readonly { sheet: infer S }[] } ? S : Inputs;

/** A ready fight of this rulebook. Its parts fit `open`. */
export type ReadyFight<R extends string> = Omit<Ruleset["parties"][number], "sheets" | "options" | "map"> & {
  sheets: Sheet<R>[];
  options: OfOpening<R, "options">;
  map: OfOpening<R, "map"> | null;
};

type OfOpening<R extends string, K extends string> = Opening<R> extends { [key in K]?: infer V } ? NonNullable<V> : Inputs;

/** A rulebook's description of itself. For a ruleset of type `string`, sheets are objects. */
export type RulesetOf<R extends string> = string extends R ? Ruleset : Omit<Ruleset, "parties"> & { parties: ReadyFight<R>[] };
