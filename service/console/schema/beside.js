// The schema of a field that depends on another field: the inputs of the named action, the data of
// the condition, the value of the fact, the sheet of a new combatant.
import { bare, kind } from "./read.js";

/** @import { Field } from "./read.js" */
/** @import { Inputs, Ruleset, Schema } from "../shapes.d.ts" */

/** @param {Field} field @param {Inputs} whole all inputs of the form @param {Ruleset | null} ruleset @returns {Field} */
export function completed(field, whole, ruleset) {
  if (ruleset === null) return field;
  if (kind(field) !== "free") return field;
  const described = /** @type {Schema | undefined} */ (told(field, whole, ruleset));
  if (described === undefined) return field;
  const { schema, nullable } = bare(described, described);
  return { ...field, schema: { description: field.schema.description, ...schema }, nullable: field.nullable || nullable };
}

/** @param {Field} field @param {Inputs} whole @param {Ruleset} ruleset @returns {unknown} */
function told({ name, refers }, whole, ruleset) {
  if (name === "sheet" || refers === "combatant") return ruleset.sheet;
  if (name === "inputs") return ruleset.actions.find((action) => action.id === whole.action)?.inputs;
  if (name === "data") return ruleset.conditions.find((condition) => condition.id === whole.condition)?.data;
  if (name === "value") return ruleset.facts.find((fact) => fact.id === whole.key)?.value;
  return undefined;
}

/** Return the legal values of a field's parts, from legal whole values. @param {readonly unknown[]} values @param {Schema} schema @returns {Record<string, unknown[]>} */
export function parts(values, schema) {
  const names = Object.keys(schema.properties ?? {});
  /** @type {Record<string, unknown[]>} */
  const byName = {};
  for (const value of values) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) continue;
    const pairs = Object.entries(value);
    if (pairs.some(([name]) => !names.includes(name))) continue;
    for (const [name, part] of pairs) {
      const seen = (byName[name] ??= []);
      if (!seen.some((other) => JSON.stringify(other) === JSON.stringify(part))) seen.push(part);
    }
  }
  return byName;
}
