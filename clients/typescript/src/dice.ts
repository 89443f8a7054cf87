// Dice by hand for a prompt of kind `roll`. The caller rolls the dice.
import type { Prompt } from "./shapes.js";

/** One die: the range of its faces. */
export interface Die {
  minimum: number;
  maximum: number;
}

/** A number that is added to the dice. */
export interface DiceTerm {
  source: string;
  value: number;
  rule: string;
}

/** A roll by hand, with the current numbers. */
export interface Dice {
  /** The rulebook's name of the roll, such as `attack`. */
  purpose: string;
  /** The dice and constants, such as `1d8+3`. */
  formula: string;
  /** Every die that needs a face, in this order. */
  dice: Die[];
  terms: DiceTerm[];
  /** Id of the target combatant, or `null` without a target. */
  against: string | null;
  /** The number to reach. It is `null` if there is none, or if this reader may not know it. */
  target: number | null;
}

interface RollData {
  purpose?: string;
  formula?: string;
  faces?: FacesSchema;
  terms?: [string, number, string][];
  against?: string;
  target?: number;
}

interface FacesSchema {
  minItems?: number;
  items?: Die | boolean;
  prefixItems?: Die[];
}

/** Return the dice that a prompt of kind `roll` asks for. Send the faces with `combat.roll`. */
export function diceOf(prompt: Pick<Prompt, "data">): Dice {
  const data = prompt.data as RollData;
  return {
    purpose: data.purpose ?? "",
    formula: data.formula ?? "",
    dice: rangesOf(data.faces ?? {}),
    terms: (data.terms ?? []).map(([source, value, rule]) => ({ source, value, rule })),
    against: data.against ?? null,
    target: data.target ?? null,
  };
}

function rangesOf({ minItems = 0, items, prefixItems }: FacesSchema): Die[] {
  if (prefixItems) return prefixItems.map(rangeOf);
  return typeof items === "object" ? Array.from({ length: minItems }, () => rangeOf(items)) : [];
}

const rangeOf = ({ minimum, maximum }: Die): Die => ({ minimum, maximum });
