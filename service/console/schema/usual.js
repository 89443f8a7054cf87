// Examples from other things of a kind: the fields that they often fill in, and their values. Pure.
import { fields, kind } from "./read.js";
import { filled } from "./values.js";

/** @import { Inputs, Schema } from "../shapes.d.ts" */

/** Fraction of the others that must fill in a field for it to count as usual. */
const OFTEN = 1 / 3;

/** Return the names of the fields that people usually need: required ones, and those that `others` often fill in. @param {Schema} schema @param {readonly Inputs[]} others */
export function usualFields(schema, others) {
  const often = (/** @type {string} */ name) => others.filter((other) => filled(other[name])).length >= OFTEN * others.length;
  return fields(schema).filter((field) => field.required || (often(field.name) && kind(field) !== "square")).map((field) => field.name);
}

/** Return the parts of things that a field has, such as all weapons of some sheets. @param {readonly Inputs[]} others @param {string} name @returns {Inputs[]} */
export const partsOf = (others, name) =>
  others.flatMap((other) => other[name] ?? []).filter((part) => typeof part === "object" && part !== null && !Array.isArray(part)).map((part) => /** @type {Inputs} */ (part));

/** Return an example of a field from ready fights: a span of numbers, or some texts. @param {readonly Inputs[]} others @param {string} name */
export function exampleOf(others, name) {
  const values = others.map((other) => other[name]).filter(filled);
  const numbers = numeric(values);
  if (numbers !== null) {
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    return least === most ? `Ready fights: ${least}` : `Ready fights: ${least} to ${most}`;
  }
  const texts = [...new Set(values.filter((value) => typeof value === "string" && value.length <= 12))].slice(0, 3);
  return texts.length > 0 ? `Ready fights: ${texts.join(", ")}` : "";
}

/** @param {readonly unknown[]} values @returns {number[] | null} */
export const numeric = (values) => (values.length > 0 && values.every((value) => typeof value === "number") ? /** @type {number[]} */ ([...values]) : null);
