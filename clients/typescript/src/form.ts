// Forms from JSON Schemas, and inputs from people's entries. Pure: without requests or a document.
import type { Board, Inputs, Offer } from "./shapes.js";

/** A JSON Schema, as far as rulebooks use it. */
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
  "x-null"?: string;
}

/**
 * The kind of control for a field.
 *
 * - `choice`: one of `choices`. `several`: any number of them.
 * - `number`, `text`, `switch`: a plain value.
 * - `square`: `[x, y]`. `squares`, `path`: lists of squares.
 * - `group`: an object with `fields`.
 * - `list`, `table`: entries of the form `item`. Those of a table have names.
 * - `either`: one of `shapes`. `json`: any value.
 */
export type Kind =
  | "choice" | "several" | "number" | "text" | "switch" | "square" | "squares" | "path"
  | "group" | "list" | "table" | "either" | "json";

/** A value that a field may have. `key` represents it where only a text is possible, as in an HTML option. */
export interface Choice {
  value: unknown;
  key: string;
  label: string;
}

export interface Field {
  name: string;
  /** Its place in a body, as in `Problem.pointer`: `/inputs/target`. */
  pointer: string;
  label: string;
  about: string;
  kind: Kind;
  /** The kind of thing that its value names, such as `combatant`, `weapon` or `square`. `null` for other values. */
  refers: string | null;
  required: boolean;
  nullable: boolean;
  /** Whether to show the field at once. Collapse the other fields. */
  essential: boolean;
  /** Legal values, best first. It is empty if the values are not listed. */
  choices: Choice[];
  /** Whether only the choices are accepted. */
  closed: boolean;
  /** Its initial value, or `undefined` for an empty field. */
  value: unknown;
  /** Whether a number must be whole. */
  whole: boolean;
  minimum: number | null;
  maximum: number | null;
  minItems: number | null;
  maxItems: number | null;
  maxLength: number | null;
  fields: Field[];
  item: Field | null;
  shapes: Field[];
}

export interface Form {
  /** A label for the button while the inputs are the initial ones. */
  headline: string;
  label: string;
  fields: Field[];
}

/** A field with an invalid value. */
export interface Fault {
  pointer: string;
  message: string;
}

/** Facts about a field beyond its schema. */
interface Known {
  offer?: Offer;
  board?: Pick<Board, "combatants">;
}

/** Return the form of an offer. With the `board`, combatants are shown by name. */
export function formOf(offer: Offer, schemas: Record<string, unknown>, board?: Pick<Board, "combatants">): Form {
  const schema = (schemas[offer.inputs] ?? {}) as Schema;
  const fields = fieldsOf(schema, "/inputs", { offer, ...(board && { board }) });
  return { headline: offer.headline ?? offer.label, label: offer.label, fields };
}

/** Return the fields of a schema, such as that of a sheet, of options, of a map or of inputs. */
export function fieldsOf(schema: Schema | Record<string, unknown>, pointer = "", known: Known = {}): Field[] {
  const root = schema as Schema;
  const required = new Set(root.required ?? []);
  return Object.entries(root.properties ?? {}).map(([name, raw]) =>
    fieldOf(name, raw, root, required.has(name), `${pointer}/${escape(name)}`, known),
  );
}

function fieldOf(name: string, raw: Schema, root: Schema, required: boolean, pointer: string, known: Known): Field {
  const { schema, nullable } = bare(raw, root);
  const refers = raw["x-refers-to"] ?? schema["x-refers-to"] ?? null;
  const { offer } = known;
  const item = schema.items && follow(schema.items, schema);
  const listed = schema.enum ?? item?.enum;
  const listedTitles = schema["x-titles"] ?? item?.["x-titles"];
  const titles: Record<string, string> = { ...(raw["x-null"] && { null: raw["x-null"] }), ...listedTitles };
  const candidates = offer?.candidates[name] ?? [];
  const values = candidates.length > 0 ? candidates : listed ? [...(nullable ? [null] : []), ...listed] : [];
  const kind = kindOf(schema, item, refers, values.length > 0 && !listed);
  const inner: Known = known.board ? { board: known.board } : {};
  return {
    name,
    pointer,
    label: words(name),
    about: raw.description ?? schema.description ?? "",
    kind,
    refers,
    required,
    nullable,
    essential: offer?.essential.includes(name) ?? required,
    choices: values.map((value) => ({ value, key: keyOf(value), label: titles[String(value)] ?? labelOf(value, refers, known.board) })),
    closed: listed !== undefined,
    value: beginning(name, raw, values, required, offer),
    whole: schema.type === "integer",
    minimum: schema.minimum ?? null,
    maximum: schema.maximum ?? null,
    minItems: schema.minItems ?? null,
    maxItems: schema.maxItems ?? null,
    maxLength: schema.maxLength ?? null,
    fields: kind === "group" ? fieldsOf(schema, pointer, inner) : [],
    item: inside(kind, schema, pointer, inner),
    shapes:
      kind === "either"
        ? shapesOf(schema).map((shape) => fieldOf(words(shape.title ?? String(shape.type)), shape, schema, true, pointer, inner))
        : [],
  };
}

/** Return the field for one entry of a list or a table. */
function inside(kind: Kind, schema: Schema, pointer: string, known: Known): Field | null {
  const raw = kind === "list" ? schema.items : kind === "table" ? schema.additionalProperties : undefined;
  return typeof raw === "object" ? fieldOf("", raw, schema, true, `${pointer}/-`, known) : null;
}

function beginning(name: string, raw: Schema, values: readonly unknown[], required: boolean, offer?: Offer): unknown {
  const [first] = offer?.examples ?? [];
  if (first !== undefined) return first[name];
  if (required && values.length === 1) return values[0];
  return raw.default === null ? undefined : raw.default;
}

/** Return a schema without references and without the alternative `null`. */
function bare(raw: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  const some = raw.anyOf?.filter((shape) => shape.type !== "null");
  const nullable = some !== undefined && some.length < (raw.anyOf?.length ?? 0);
  const [only] = some?.length === 1 ? some : [raw];
  return { schema: follow(only ?? raw, root), nullable };
}

/** Return the schema behind a reference, with the definitions that its parts need. */
function follow(schema: Schema, root: Schema): Schema {
  const defs = root.$defs && { $defs: root.$defs };
  if (schema.$ref === undefined) return { ...defs, ...schema };
  const definition = root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {};
  return { ...definition, ...defs, ...(schema.description && { description: schema.description }) };
}

const shapesOf = (schema: Schema) =>
  (schema.anyOf ?? []).filter((shape) => shape.type !== "null").map((shape) => follow(shape, schema));

function kindOf(schema: Schema, item: Schema | undefined, refers: string | null, proposed: boolean): Kind {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "array") {
    if (refers === "path") return "path";
    if (item?.type === "array") return "squares";
    const numbers = item?.type === "integer" || item?.type === "number";
    // Coordinates may be 0 or less. Two dice of the same size have faces from 1.
    const pair = schema.minItems === 2 && (schema.maxItems ?? 9) <= 3 && (item?.minimum ?? 0) < 1;
    if (numbers && (refers === "square" || pair)) return "square";
    return item?.enum || (item?.type === "string" && proposed) ? "several" : "list";
  }
  if (proposed && !schema.properties) return "choice";
  if ((schema.anyOf?.length ?? 0) > 1) return "either";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "object") {
    if (schema.properties) return "group";
    return typeof schema.additionalProperties === "object" ? "table" : "json";
  }
  return schema.type === "string" || refers ? "text" : "json";
}

/** Return the effect of an offer with these inputs on its target: `harm`, `help`, `none` or `either`. */
export function polarityOf(offer: Offer, inputs: Inputs): Offer["polarity"] {
  const by = offer.polarity_by;
  const value = by && inputs[by.field];
  const id = value !== null && typeof value === "object" ? (value as { id?: unknown }).id : value;
  return by?.values[String(id)] ?? offer.polarity;
}

/**
 * Return the inputs from people's entries, by name of the field. Texts become numbers, switches and
 * choices. Empty fields are left out. If there are `faults`, show them and do not send the inputs.
 */
export function inputsOf(fields: readonly Field[], entered: Record<string, unknown>): { inputs: Inputs; faults: Fault[] } {
  const inputs: Inputs = {};
  const faults: Fault[] = [];
  for (const field of fields) {
    const value = read(field, entered[field.name], faults);
    if (value !== undefined) inputs[field.name] = value;
    else if (field.required) faults.push({ pointer: field.pointer, message: `${field.label} is missing` });
  }
  return { inputs, faults };
}

function read(field: Field, value: unknown, faults: Fault[]): unknown {
  if (value === undefined || value === "") return undefined;
  const chosen = typeof value === "string" ? field.choices.find((choice) => choice.key === value) : undefined;
  if (chosen !== undefined && field.kind !== "several") return chosen.value;
  if (value === null) return field.nullable ? null : undefined;
  const fault = (message: string) => void faults.push({ pointer: field.pointer, message: `${field.label}: ${message}` });
  switch (field.kind) {
    case "choice":
      if (field.closed && !field.choices.some((choice) => same(choice.value, value))) fault("choose one of the list");
      return value;
    case "switch":
      return value === true || value === "on" || value === "true";
    case "number": {
      const number = Number(value);
      if (Number.isNaN(number)) fault("enter a number");
      else if (field.whole && !Number.isInteger(number)) fault("enter a whole number");
      else if (number < (field.minimum ?? -Infinity)) fault(`at least ${field.minimum}`);
      else if (number > (field.maximum ?? Infinity)) fault(`at most ${field.maximum}`);
      return number;
    }
    case "square":
      return typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean).map(Number) : value;
    case "several":
    case "list": {
      const all = Array.isArray(value) ? value : [value];
      if (field.kind === "several") return all.map((key) => field.choices.find((choice) => choice.key === key)?.value ?? key);
      return all.map((part, index) => (field.item ? read(at(field.item, `${field.pointer}/${index}`), part, faults) : part));
    }
    case "group": {
      const inner = inputsOf(field.fields, value as Inputs);
      faults.push(...inner.faults);
      return inner.inputs;
    }
    case "table":
      return Object.fromEntries(
        Object.entries(value as Inputs).map(([name, one]) => [
          name,
          field.item ? read(at(field.item, `${field.pointer}/${escape(name)}`), one, faults) : one,
        ]),
      );
    default:
      return value;
  }
}

/** Return a field of a list or a table with the pointer of its entry. */
function at(field: Field, pointer: string): Field {
  const move = (inner: Field): Field => at(inner, pointer + inner.pointer.slice(field.pointer.length));
  return { ...field, pointer, fields: field.fields.map(move) };
}

/** Return the field to which the pointer of a problem leads, or null. */
export function fieldAt(fields: readonly Field[], pointer: string | null): Field | null {
  const field = fields.find((candidate) => pointer === candidate.pointer || pointer?.startsWith(`${candidate.pointer}/`));
  return field === undefined ? null : (fieldAt(field.fields, pointer) ?? field);
}

/** Return a name in words: "pay_with" -> "Pay with", "gm_modifier" -> "GM modifier". */
function words(name: string): string {
  const text = name.replace(/[_-]/g, " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  const spelt = text.replace(/\b(ac|dc|gm|hd|hp|los|mp|npc)\b/g, (short) => short.toUpperCase());
  return spelt.charAt(0).toUpperCase() + spelt.slice(1);
}

function labelOf(value: unknown, refers: string | null, board: Known["board"]): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (refers === "combatant") return board?.combatants.find((combatant) => combatant.id === value)?.name ?? String(value);
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((part) => typeof part === "number")) return `(${value.join(", ")})`;
    return value.map((part) => labelOf(part, refers, board)).join(Array.isArray(value[0]) ? " → " : ", ");
  }
  if (typeof value === "object") return partsOf(value, board).join(", ");
  return typeof value === "string" ? value.replace(/[_-]/g, " ") : String(value);
}

/** Return the non-empty parts of an object in words. Texts appear without their field's name, and other values after it. */
function partsOf(value: object, board: Known["board"]): string[] {
  const parts = Object.entries(value).map(([name, part]) => {
    if (part === null || part === "" || (Array.isArray(part) && part.length === 0)) return "";
    if (typeof part === "object" && !Array.isArray(part)) return partsOf(part, board).join(", ");
    return typeof part === "string" ? labelOf(part, null, board) : `${words(name).toLowerCase()} ${labelOf(part, null, board)}`;
  });
  return parts.filter(Boolean);
}

const keyOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const same = (first: unknown, second: unknown) => JSON.stringify(first) === JSON.stringify(second);
const escape = (name: string) => name.replace(/~/g, "~0").replace(/\//g, "~1");
