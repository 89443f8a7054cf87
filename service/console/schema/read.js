// The labels, controls and values of fields from a JSON Schema. Pure.
import { words } from "../board.js";
import { place } from "../map/wanted.js";

/** @import { Inputs, Offer, Schema } from "../shapes.d.ts" */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {Schema} schema without its references and its "or null"
 * @property {boolean} nullable
 * @property {boolean} required
 * @property {string} about
 * @property {string | null} refers the kind of things that the values name
 * @property {string} [title] the label, if it differs from the name
 */

/** Return the label of a field. @param {Field} field */
export const titled = ({ name, refers, title }) => title ?? (name === "at" && refers === "square" ? "Square" : words(name));

/** @param {Schema} root @returns {Field[]} */
export function fields(root) {
  const required = new Set(root.required ?? []);
  return Object.entries(root.properties ?? {}).map(([name, raw]) => field(name, raw, root, required.has(name)));
}

/** Return the fields in reading order: a name comes first, or an id if there is no name. @param {readonly Field[]} all */
export function readable(all) {
  const name = all.find((field) => field.name === "name");
  if (name !== undefined) return [name, ...all.filter((field) => field !== name)];
  return all.map((field) => (field.name === "id" && field.required ? { ...field, title: "Name", about: "" } : field));
}

/** Return a property, or the items of a list, as a field. @param {string} name @param {Schema} raw @param {Schema} root @param {boolean} required @returns {Field} */
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

/** Return a schema without `null` and without references. @param {Schema} raw @param {Schema} root @returns {{ schema: Schema, nullable: boolean }} */
export function bare(raw, root) {
  const some = raw.anyOf?.filter((schema) => schema.type !== "null");
  const nullable = some !== undefined && some.length < (raw.anyOf?.length ?? 0);
  const only = some?.length === 1 ? { ...some[0], description: raw.description, default: raw.default } : raw;
  return { schema: follow(only, root), nullable };
}

/** Return a schema with the definitions to which its parts refer. @param {Schema} schema @param {Schema} root @returns {Schema} */
export function follow(schema, root) {
  if (schema.$ref === undefined) return schema.$defs === undefined ? { ...schema, $defs: root.$defs } : schema;
  const name = schema.$ref.replace("#/$defs/", "");
  const definition = root.$defs?.[name] ?? {};
  return { ...definition, $defs: root.$defs, default: schema.default, description: schema.description ?? definition.description };
}

/** Return the possible shapes of a value, if there are several. @param {Field} field @returns {Schema[]} */
export const shapes = ({ schema }) => (schema.anyOf ?? []).filter((schema) => schema.type !== "null").map((shape) => follow(shape, schema));

/** Return the kind of control for a field. @param {Field} field */
export function kind({ schema, refers }) {
  const items = schema.items === undefined ? {} : follow(schema.items, schema);
  if (refers === "picture") return "picture";
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

/** Return true if a list of numbers is a point of the map. @param {Schema} schema @param {Schema} items */
const isCorner = (schema, items) => (items.type === "number" || items.type === "integer") && schema.minItems === 2 && schema.maxItems === 3;

/** Return the initial inputs of a form: the first example without its path, which a person chooses. @param {Offer} offer @param {Schema} schema @param {Sides} sides @returns {Inputs} */
export function beginning(offer, schema, sides) {
  const [first] = offer.examples;
  if (first === undefined) return { ...blank(schema), ...onlyChoices(offer, schema) };
  const walks = fields(schema).filter((field) => field.refers === "path" && offer.examples.length > 1).map((field) => field.name);
  const left = wellAimed(offer, first, schema, sides) ? walks : [...walks, ...targets(schema)];
  const known = new Set(fields(schema).map((field) => field.name));
  return { ...onlyChoices(offer, schema), ...Object.fromEntries(Object.entries(first).filter(([name]) => known.has(name) && !left.includes(name))) };
}

/** Return the required fields with a single legal value, without targets. @param {Offer} offer @param {Schema} schema @returns {Inputs} */
function onlyChoices(offer, schema) {
  const all = fields(schema).filter((field) => field.required && field.refers !== "combatant" && field.refers !== "path" && offer.candidates[field.name]?.length === 1);
  return Object.fromEntries(all.map((field) => [field.name, offer.candidates[field.name]?.[0]]));
}

/** @typedef {Record<string, string>} Sides who is on which side, by id */

/** Return the fields that name combatants. @param {Schema} schema */
export const targets = (schema) => fields(schema).filter((field) => field.refers === "combatant").map((field) => field.name);

/** Return the effect of these inputs on their targets. @param {Offer} offer @param {Inputs} inputs */
export function polarity(offer, inputs) {
  const by = offer.polarity_by;
  if (!by) return offer.polarity;
  const value = /** @type {any} */ (inputs[by.field]);
  return by.values[String(value?.id ?? value)] ?? offer.polarity;
}

/** Return true if a form may start with these inputs, because they harm no ally and help no foe. If the polarity is unknown, only a single choice is allowed. @param {Offer} offer @param {Inputs} inputs @param {Schema} schema @param {Sides} sides */
function wellAimed(offer, inputs, schema, sides) {
  const way = polarity(offer, inputs);
  if (way === "none") return true;
  const names = targets(schema);
  const aimed = names.flatMap((name) => inputs[name]).filter((id) => typeof id === "string");
  if (way === "either") return names.every((name) => (offer.candidates[name]?.length ?? 0) <= 1);
  const own = sides[offer.who ?? ""];
  return offer.who === null || aimed.every((id) => (sides[String(id)] === own) === (way === "help"));
}

/** Return the smallest value that a schema accepts. @param {Schema} schema @returns {Inputs} */
export function blank(schema) {
  /** @type {Inputs} */
  const inputs = {};
  for (const field of fields(schema)) {
    if (!field.required) continue;
    if (field.schema.default !== undefined) inputs[field.name] = field.schema.default;
    else if (kind(field) === "switch") inputs[field.name] = false;
    else if (kind(field) === "group") inputs[field.name] = blank(field.schema);
    else if (kind(field) === "choice") inputs[field.name] = field.schema.enum?.[0];
    else if (kind(field) === "number" && field.schema.minimum !== undefined) inputs[field.name] = Math.max(1, field.schema.minimum);
  }
  return inputs;
}

/** Return true if an option can be sent without inputs from a person. @param {Offer} offer @param {Schema | undefined} schema */
export function immediate(offer, schema) {
  const all = schema === undefined ? [] : fields(schema);
  if (all.length === 0) return true;
  return offer.essential.length === 0 && offer.examples.length === 1 && Object.keys(offer.examples[0] ?? {}).length === 0 && all.every((field) => !field.required);
}

/** Return true if one tap sends the first example: no essential field is open, or it is a reaction. @param {Offer} offer @param {Schema | undefined} schema @param {Sides} sides */
export function oneTap(offer, schema, sides) {
  if (immediate(offer, schema)) return true;
  const [first] = offer.examples;
  if (first === undefined || offer.headline === null || !wellAimed(offer, first, schema ?? {}, sides)) return false;
  return offer.kind === "reaction" || offer.essential.every((name) => targeted(offer, first, name, schema ?? {}, sides) || optional(name, schema ?? {}));
}

/** Return true if a field may keep its value. Squares and required fields may not. @param {string} name @param {Schema} schema */
function optional(name, schema) {
  const field = fields(schema).find((field) => field.name === name);
  return field !== undefined && !field.required && !PLACES.includes(String(field.refers)) && field.refers !== "combatant";
}

/** Kinds of fields that the map shows. */
export const PLACES = ["path", "square"];

/** Return true if a field names a target of the right side. @param {Offer} offer @param {Inputs} first @param {string} name @param {Schema} schema @param {Sides} sides */
function targeted(offer, first, name, schema, sides) {
  return typeof first[name] === "string" && targets(schema).includes(name) && right(offer, first, name, sides).includes(first[name]);
}

/** Return the legal values of a field that harm no ally and help no foe. @param {Offer} offer @param {Inputs} first @param {string} name @param {Sides} sides */
function right(offer, first, name, sides) {
  const way = polarity(offer, first);
  if (way !== "harm" && way !== "help") return [];
  return (offer.candidates[name] ?? []).filter((id) => (sides[String(id)] === sides[offer.who ?? ""]) === (way === "help"));
}

/**
 * Return the first example for each other suitable target, for one tap each.
 * @param {Offer} offer @param {Schema} schema @param {Sides} sides @returns {{ target: string, inputs: Inputs }[]}
 */
export function elsewhere(offer, schema, sides) {
  const [first] = offer.examples;
  const name = first === undefined ? undefined : targets(schema).find((target) => targeted(offer, first, target, schema, sides));
  if (first === undefined || name === undefined) return [];
  const places = fields(schema).filter((field) => PLACES.includes(String(field.refers))).map((field) => field.name);
  return right(offer, first, name, sides).flatMap((target) => {
    const inputs = offer.examples.find((example) => example[name] === target && Object.keys({ ...first, ...example }).every((key) => key === name || places.includes(key) || same(example[key] ?? null, first[key] ?? null)));
    return target === first[name] || inputs === undefined ? [] : [{ target: String(target), inputs }];
  });
}

/** Return true if a hostile option of a turn has no suitable target in reach. @param {Offer} offer @param {Schema} schema */
export const aimless = (offer, schema) => offer.kind === "turn" && offer.polarity === "harm" && targets(schema).length > 0 && !targets(schema).some((name) => offer.examples.some((example) => example[name] !== undefined));

/** Return true if the first example can be sent: it exists or is not needed, and its targets are of the right side. @param {Offer} offer @param {Schema} schema @param {Sides} sides */
export function aimed(offer, schema, sides) {
  const [first] = offer.examples;
  return first === undefined ? immediate(offer, schema) : wellAimed(offer, first, schema, sides) && fields(schema).every((field) => !field.required || first[field.name] !== undefined);
}

/**
 * Return the text of a button: the headline for the first example, or else the chosen inputs.
 * @param {Offer} offer @param {Inputs} inputs @param {Schema} schema @param {(refers: string | null, id: string, who: string | null) => string} called the name of what an id stands for
 */
export function verb(offer, inputs, schema, called) {
  const first = offer.examples[0] === undefined ? null : sendable(offer.examples[0], schema);
  const names = Object.keys({ ...first, ...inputs });
  const alike = first !== null && names.every((name) => same(first[name] ?? null, inputs[name] ?? null));
  if (alike && offer.headline !== null) return offer.headline;
  const named = (/** @type {string | null} */ refers, /** @type {string} */ id) => called(refers, id, offer.who);
  const text = phrased(offer.template, (name) => said(fields(schema).find((field) => field.name === name), inputs[name], named));
  const others = fields(schema).filter(({ name }) => !offer.template.includes(`{${name}`));
  const more = others.flatMap((field) => inShort(field, inputs[field.name], first?.[field.name], named));
  return more.length > 0 ? `${text} (${more.join(", ")})` : text;
}

/** Maximum number of characters of a text on a button. */
const SHORT = 24;

/**
 * Return a chosen value in words. Return "" for the usual value, and for paths and squares, which
 * the map shows.
 * @param {Field} field @param {unknown} value @param {unknown} usual @param {(refers: string | null, id: string) => string} called @returns {string[]}
 */
function inShort(field, value, usual, called) {
  if ([usual, field.schema.default].some((initial) => same(value ?? null, initial ?? null)) || value === "") return [];
  const label = words(field.name).toLowerCase();
  if (value === true) return [label];
  if (typeof value === "number") return [`${label} ${value}`];
  if (typeof value !== "string" || (field.refers === null && field.schema.enum === undefined && value.length > SHORT)) return [];
  const text = said(field, value, called);
  return [text.toLowerCase() === value ? value : text];
}

/** Fill in a template. `{field|otherwise}` stands for a value. A part in brackets is left out if one of its fields is empty. @param {string} template @param {(name: string) => string} value */
function phrased(template, value) {
  const field = /\{([^}|]*)(?:\|([^}]*))?\}/g;
  const whole = template.replace(/\[([^\]]*)\]/g, (_, part) => ([...part.matchAll(field)].every(([, name]) => value(name ?? "")) ? part : ""));
  const text = whole.replace(field, (_, name, otherwise) => value(name) || (otherwise ?? words(name).toLowerCase()));
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Return a value in words. @param {Field | undefined} field @param {unknown} value @param {(refers: string | null, id: string) => string} called @returns {string} */
function said(field, value, called) {
  if (value === undefined || value === null || value === "") return "";
  if (Array.isArray(value)) {
    if (field?.refers === "path") return value.length > 0 ? place(value.at(-1)) : "";
    if (value.every((part) => typeof part === "number")) return value.length > 0 ? place(value) : "";
    const told = value.map((part) => said(field, part, called)).filter(Boolean);
    return told.length > 1 ? `${told.slice(0, -1).join(", ")} and ${told.at(-1)}` : (told[0] ?? "");
  }
  if (typeof value === "object") return said(field, Object.values(value).find(Boolean), called);
  if (typeof value !== "string") return String(value);
  const name = called(field?.refers ?? null, value);
  return ["weapon", "item"].includes(field?.refers ?? "") && /^\p{Ll}/u.test(name) ? `the ${name}` : name;
}

/** Return the inputs to send, without empty fields. @param {Inputs} inputs @param {Schema} schema @returns {Inputs} */
export function sendable(inputs, schema) {
  const known = new Map(fields(schema).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => {
      if (value === undefined) return false;
      return value !== "" || known.get(name)?.required === true;
    }),
  );
}

/**
 * Return the inputs after a change of one field. Fields that the person has not touched change to
 * values that are legal with it. If a helpful spell replaces a harmful one, the target changes or
 * becomes empty.
 * @param {Offer} offer @param {Inputs} inputs @param {string} name @param {unknown} value @param {ReadonlySet<string>} touched
 * @param {Schema} schema @param {Sides} sides
 */
export function fitted(offer, inputs, name, value, touched, schema, sides) {
  const next = { ...inputs, [name]: value };
  const free = (/** @type {string} */ field) => field !== name && !touched.has(field);
  const agrees = (/** @type {Inputs} */ example, /** @type {string} */ field) => same(example[field] ?? null, next[field] ?? null);
  const fitting = offer.examples.filter(
    (example) => agrees(example, name) && Object.keys(example).every((field) => free(field) || agrees(example, field)),
  );
  const unasked = targets(schema).filter(free);
  const aimed = unasked.length === 0 ? fitting : fitting.filter((example) => wellAimed(offer, example, schema, sides));
  const best = aimed.find((example) => Object.keys(example).every((field) => agrees(example, field))) ?? aimed[0];
  if (best !== undefined) return { ...next, ...best };
  if (unasked.length === 0 || wellAimed(offer, next, schema, sides)) return next;
  return Object.fromEntries(Object.entries(next).filter(([field]) => !unasked.includes(field)));
}

/** @param {unknown} first @param {unknown} other */
export const same = (first, other) => JSON.stringify(first) === JSON.stringify(other);
