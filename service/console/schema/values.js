// The possible and initial values of a field.
import { plain, words } from "../board.js";
import { offers, shown } from "../state.js";
import { bare, blank, fields, follow } from "./read.js";

/** @import { Inputs, Ruleset, Schema } from "../shapes.d.ts" */
/** @import { WidgetProps } from "./controls.js" */

/** @param {unknown} value */
export const filled = (value) => value !== undefined && value !== null && value !== "" && value !== false && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}";

/** Return the possible values, if the service lists no candidates. @param {WidgetProps} props @returns {readonly unknown[]} */
export function known({ field: { schema, refers, nullable }, ruleset, who, option }) {
  const none = nullable ? [null] : [];
  const listed = schema.enum ?? (schema.items && follow(schema.items, schema).enum);
  if (listed) return [...none, ...listed];
  const board = shown.value;
  if (refers === "combatant") return [...none, ...whomever(option, who)];
  if (refers === "side") return [...none, ...(board?.sides ?? [])];
  if (refers === "condition") return [...none, ...(ruleset?.conditions.map((condition) => condition.id) ?? [])];
  if (refers === "track") return [...none, ...(ruleset?.tracks.map((track) => track.id) ?? [])];
  if (refers === "purpose") return [...none, ...(ruleset?.purposes ?? [])];
  if (refers === "fact") return [...none, ...(ruleset?.facts.map((fact) => fact.id) ?? [])];
  if (refers === "marker") return board?.combatants.find((combatant) => combatant.id === who)?.markers.map((marker) => marker.id) ?? [];
  const owned = carried(refers, /** @type {any} */ (board?.combatants.find((combatant) => combatant.id === who)?.sheet));
  return owned.length > 0 ? [...none, ...owned] : [];
}

/** Return all combatants. For a hostile action, the foes come first, and the acting combatant is left out. @param {string | null} option @param {string | null} who */
function whomever(option, who) {
  const all = shown.value?.combatants ?? [];
  const own = all.find((combatant) => combatant.id === who)?.side;
  const hostile = offers.value.some((offer) => offer.id === option && offer.who === who && offer.polarity === "harm");
  if (who === null || !hostile) return all.map((combatant) => combatant.id);
  const others = all.filter((combatant) => combatant.id !== who && combatant.in_fight);
  return [...others.filter((combatant) => combatant.side !== own), ...others.filter((combatant) => combatant.side === own)].map((combatant) => combatant.id);
}

/** Return the ids in one of a sheet's lists. @param {string | null} refers @param {Record<string, any> | null | undefined} sheet @returns {string[]} */
function carried(refers, sheet) {
  const list = sheet?.[`${refers}s`] ?? sheet?.[String(refers).replace(/y$/, "ies")];
  return Array.isArray(list) ? list.map((item) => item?.id).filter((item) => typeof item === "string") : [];
}

/** @param {Inputs} whole @param {string} name @param {unknown} next @returns {Inputs} */
export function changed(whole, name, next) {
  const { [name]: _, ...others } = whole;
  return next === undefined ? others : { ...whole, [name]: next };
}

/** Return true if a part has only its initial values. @param {unknown} value @param {Schema} schema */
export function isNew(value, schema) {
  if (value === null || typeof value !== "object") return false;
  const { id, ...others } = /** @type {Inputs} */ (value);
  const { id: _, ...least } = blank(schema);
  return JSON.stringify(others) === JSON.stringify(least);
}

/** Return the content of an object in one line. @param {Inputs} whole */
export function brief(whole) {
  const head = whole.name ?? whole.id;
  const told = Object.entries(whole).filter(([name, content]) => filled(content) && !["id", "name", "picture"].includes(name));
  const text = told.map(([name, content]) => `${words(name).toLowerCase()} ${plain(content)}`).join(", ");
  const line = head ? `${plain(head)}${text ? `: ${text}` : ""}` : text;
  return line.length > 90 ? `${line.slice(0, 88)}…` : line;
}

/** Return a new item of a list. `identified` gives it an id. @param {Schema} schema @param {string} what @returns {unknown} */
export function fresh(schema, what) {
  if (what === "group") {
    return blank(schema);
  }
  if (what === "number") return schema.minimum !== undefined ? Math.max(0, schema.minimum) : 0;
  if (what === "switch") return true;
  if (what === "choice") return schema.enum?.[0];
  if (what === "list" || what === "several" || what === "square") return [];
  if (what === "table") return {};
  return what === "either" ? undefined : "";
}

/** Return a value in which each item of a list has a unique id. A missing id is made from the name. @param {unknown} value @param {Schema} schema @param {string} [called] @returns {any} */
export function identified(value, schema, called = "thing") {
  if (Array.isArray(value)) {
    const item = bare(schema.items ?? {}, schema).schema;
    const taken = new Set(value.map((item) => item?.id).filter(Boolean));
    return value.map((entry) => {
      const whole = identified(entry, item, singular(called));
      if (whole?.id && !entry.id) {
        const base = whole.id;
        for (let number = 2; taken.has(whole.id); number += 1) whole.id = `${base}-${number}`;
        taken.add(whole.id);
      }
      return whole;
    });
  }
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  const known = new Map(fields(schema).map((field) => [field.name, field]));
  const whole = /** @type {Inputs} */ (Object.fromEntries(Object.entries(value).map(([name, part]) => [name, identified(part, known.get(name)?.schema ?? {}, name)])));
  if (known.get("id")?.required && !whole.id) whole.id = slug(String(whole.name ?? "")) || slug(called);
  return whole;
}

/** Return an id from a name: "Two-handed sword" -> "two-handed-sword". @param {string} name */
const slug = (name) => name.toLowerCase().replace(/['’]/g, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

/** Return the possible names of a table. @param {string} name @param {string | null} refers @param {Ruleset | null} ruleset */
export function namesOf(name, refers, ruleset) {
  if (refers === "square" || refers === "combatant") return shown.value?.combatants.map((combatant) => combatant.id) ?? [];
  if (name === "budget") return ruleset?.budget.map((resource) => resource.id) ?? [];
  return [];
}

/** Return the singular: "weapons" -> "weapon", "classes" -> "class", "armour" -> "armour". @param {string} name */
export const singular = (name) => name.replace(/ies$/, "y").replace(/sses$/, "ss").replace(/([^s])s$/, "$1");

/** @param {Schema} schema @param {number} index @param {Schema[]} all */
export function shapeName(schema, index, all) {
  const name = schema.enum ? "a choice" : schema.title ? schema.title.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase() : (TYPES[String(schema.type)] ?? "value");
  return all.findIndex((other) => other !== schema && other.title === schema.title && other.type === schema.type && !other.enum) >= 0 ? `${name} ${index + 1}` : name;
}

const TYPES = /** @type {Record<string, string>} */ ({ string: "a word", integer: "a number", number: "a number", boolean: "yes or no", array: "several", object: "in detail" });

/** Return the index of the shape that a value has, or else the first. @param {unknown} value @param {readonly Schema[]} all */
export const fitting = (value, all) => Math.max(0, all.findIndex((schema) => fitsShape(value, schema)));

/** @param {unknown} value @param {Schema} schema */
function fitsShape(value, schema) {
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === "array") return Array.isArray(value);
  if (schema.type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (schema.type === "integer" || schema.type === "number") return typeof value === "number";
  return typeof value === schema.type;
}
