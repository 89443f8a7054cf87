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
  return Object.entries(root.properties ?? {}).map(([name, raw]) => {
    const { schema, nullable } = bare(raw, root);
    return {
      name,
      schema,
      nullable,
      required: required.has(name),
      about: raw.description ?? schema.description ?? "",
      refers: raw["x-refers-to"] ?? schema["x-refers-to"] ?? null,
    };
  });
}

/** Without "or null" and references. @param {Schema} raw @param {Schema} root @returns {{ schema: Schema, nullable: boolean }} */
export function bare(raw, root) {
  const some = raw.anyOf?.filter((one) => one.type !== "null");
  const nullable = some !== undefined && some.length < (raw.anyOf?.length ?? 0);
  const only = some?.length === 1 ? { ...some[0], description: raw.description } : raw;
  return { schema: follow(only, root), nullable };
}

/** @param {Schema} schema @param {Schema} root @returns {Schema} */
export function follow(schema, root) {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace("#/$defs/", "");
  const found = root.$defs?.[name] ?? {};
  return { ...found, $defs: root.$defs, default: schema.default, description: schema.description ?? found.description };
}

/** Which control a field gets. @param {Field} field */
export function kind({ schema, refers }) {
  if (refers === "path" || refers === "square") return refers;
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array" && refers && refers !== "purpose") return "several";
  if (schema.type === "string" || (refers && schema.type !== "object")) return "text";
  return "data";
}

/** What a form begins with: what the service would take, but for the way, which somebody has to choose. @param {Offer} offer @param {Schema} schema @returns {Inputs} */
export function beginning(offer, schema) {
  const first = offer.examples[0];
  if (first !== undefined) {
    const walks = fields(schema).filter((one) => one.refers === "path" && offer.examples.length > 1);
    const known = new Set(fields(schema).map((one) => one.name));
    return Object.fromEntries(Object.entries(first).filter(([name]) => known.has(name) && walks.every((one) => one.name !== name)));
  }
  /** @type {Inputs} */
  const found = {};
  for (const field of fields(schema)) {
    if (field.schema.default !== undefined && field.required) found[field.name] = field.schema.default;
    if (kind(field) === "switch" && field.required) found[field.name] = false;
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
