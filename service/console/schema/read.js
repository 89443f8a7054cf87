// Reading JSON Schemas: what a field wants. Pure.

/** @import { Inputs, Offer, Schema } from "../shapes.d.ts" */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {Schema} schema without its references and its "or null"
 * @property {boolean} nullable
 * @property {boolean} required
 * @property {string} about
 * @property {string | null} refers what its values name
 */

/** @param {Schema} root @returns {Field[]} */
export function fields(root) {
  const required = new Set(root.required ?? []);
  return Object.entries(root.properties ?? {}).map(([name, raw]) => field(name, raw, root, required.has(name)));
}

/** One property, or the items of a list. @param {string} name @param {Schema} raw @param {Schema} root @param {boolean} required @returns {Field} */
export function field(name, raw, root, required) {
  const { schema, nullable } = bare(raw, root);
  return {
    name,
    schema,
    nullable,
    required,
    about: raw.description ?? schema.description ?? "",
    refers: raw["x-refers-to"] ?? schema["x-refers-to"] ?? null,
  };
}

/** Without "or null" and references. @param {Schema} raw @param {Schema} root @returns {{ schema: Schema, nullable: boolean }} */
export function bare(raw, root) {
  const some = raw.anyOf?.filter((one) => one.type !== "null");
  const nullable = some !== undefined && some.length < (raw.anyOf?.length ?? 0);
  const only = some?.length === 1 ? { ...some[0], description: raw.description, default: raw.default } : raw;
  return { schema: follow(only, root), nullable };
}

/** With the definitions at hand that its parts name. @param {Schema} schema @param {Schema} root @returns {Schema} */
export function follow(schema, root) {
  if (schema.$ref === undefined) return schema.$defs === undefined ? { ...schema, $defs: root.$defs } : schema;
  const name = schema.$ref.replace("#/$defs/", "");
  const found = root.$defs?.[name] ?? {};
  return { ...found, $defs: root.$defs, default: schema.default, description: schema.description ?? found.description };
}

/** The shapes that a value may have, where there are several. @param {Field} field @returns {Schema[]} */
export const shapes = ({ schema }) => (schema.anyOf ?? []).filter((one) => one.type !== "null").map((one) => follow(one, schema));

/** Which control a field gets. @param {Field} field */
export function kind({ schema, refers }) {
  const items = schema.items === undefined ? {} : follow(schema.items, schema);
  if (schema.enum) return "choice";
  if ((schema.anyOf?.length ?? 0) > 1) return "either";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array") {
    if (refers === "path") return "path";
    if (items.type === "array") return "squares";
    if (refers === "square" || isCorner(schema, items)) return "square";
    if (items.enum || (items.type === "string" && refers && refers !== "purpose")) return "several";
    return "list";
  }
  if (schema.type === "object") {
    if (schema.properties) return "group";
    return typeof schema.additionalProperties === "object" ? "table" : "free";
  }
  if (schema.type === "string" || refers) return "text";
  return "free";
}

/** Whether a list of numbers is a point of the map. @param {Schema} schema @param {Schema} items */
const isCorner = (schema, items) => (items.type === "number" || items.type === "integer") && schema.minItems === 2 && schema.maxItems === 3;

/** What a form begins with: what the service would take, but for the way, which somebody has to choose. @param {Offer} offer @param {Schema} schema @param {Sides} [sides] @returns {Inputs} */
export function beginning(offer, schema, sides = {}) {
  const first = usual(offer, schema, sides);
  if (first !== undefined) {
    const walks = fields(schema).filter((one) => one.refers === "path" && offer.examples.length > 1);
    const known = new Set(fields(schema).map((one) => one.name));
    return Object.fromEntries(Object.entries(first).filter(([name]) => known.has(name) && walks.every((one) => one.name !== name)));
  }
  return blank(schema);
}

/** @typedef {Record<string, string>} Sides who is on which side, by id */

/** The example to begin with: done to a foe, where there is one. @param {Offer} offer @param {Schema} schema @param {Sides} sides */
function usual(offer, schema, sides) {
  const who = offer.who ?? "";
  const named = fields(schema).filter((one) => one.refers === "combatant").map((one) => one.name);
  const about = (/** @type {Inputs} */ one) => named.flatMap((name) => one[name]).filter((value) => typeof value === "string");
  return offer.examples.find((one) => about(one).length > 0 && about(one).every((id) => sides[String(id)] !== sides[who])) ?? offer.examples[0];
}

/** The least that a schema takes. @param {Schema} schema @returns {Inputs} */
export function blank(schema) {
  /** @type {Inputs} */
  const found = {};
  for (const one of fields(schema)) {
    if (!one.required) continue;
    if (one.schema.default !== undefined) found[one.name] = one.schema.default;
    else if (kind(one) === "switch") found[one.name] = false;
    else if (kind(one) === "group") found[one.name] = blank(one.schema);
    else if (kind(one) === "choice") found[one.name] = one.schema.enum?.[0];
    else if (kind(one) === "number" && one.schema.minimum !== undefined) found[one.name] = Math.max(1, one.schema.minimum);
  }
  return found;
}

/** Whether an option can be sent without anybody thinking of inputs. @param {Offer} offer @param {Schema | undefined} schema */
export function immediate(offer, schema) {
  const all = schema === undefined ? [] : fields(schema);
  if (all.length === 0) return true;
  return offer.examples.length === 1 && Object.keys(offer.examples[0] ?? {}).length === 0 && all.every((one) => !one.required);
}

/** What is sent: without what was left empty. @param {Inputs} inputs @param {Schema} schema @returns {Inputs} */
export function sendable(inputs, schema) {
  const known = new Map(fields(schema).map((one) => [one.name, one]));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => {
      if (value === undefined) return false;
      return value !== "" || known.get(name)?.required === true;
    }),
  );
}

/**
 * The inputs after one field was set: the other fields that nobody has touched follow to values
 * that are legal with it.
 * @param {Offer} offer @param {Inputs} inputs @param {string} name @param {unknown} value @param {ReadonlySet<string>} touched
 */
export function fitted(offer, inputs, name, value, touched) {
  const next = { ...inputs, [name]: value };
  const free = (/** @type {string} */ field) => field !== name && !touched.has(field);
  const agrees = (/** @type {Inputs} */ one, /** @type {string} */ field) => same(one[field] ?? null, next[field] ?? null);
  const fitting = offer.examples.filter(
    (one) => agrees(one, name) && Object.keys(one).every((field) => free(field) || agrees(one, field)),
  );
  const best = fitting.find((one) => Object.keys(one).every((field) => agrees(one, field))) ?? fitting[0];
  return best === undefined ? next : { ...next, ...best };
}

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
