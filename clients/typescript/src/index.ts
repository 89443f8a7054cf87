/** Client of Affray, the combat service for tabletop role-playing games. */
export { Affray, Combat, type Compatibility, type Opened, compare } from "./affray.js";
export { type Dice, type DiceTerm, type Die, diceOf } from "./dice.js";
export { type FollowOptions, type Message, type StreamState } from "./follow.js";
export {
  type Choice,
  type Fault,
  type Field,
  type Form,
  type Kind,
  type Schema,
  fieldAt,
  fieldsOf,
  formOf,
  inputsOf,
  polarityOf,
} from "./form.js";
export { type Settings } from "./http.js";
export { CONTRACT } from "./made.js";
export { Problem, Unreachable } from "./problem.js";
export { promptsOf } from "./seat.js";
export type * from "./shapes.js";
