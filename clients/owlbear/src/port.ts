// The functions that the extension needs from a virtual tabletop. `owlbear.ts` implements them; tests have a fake.

export type Square = readonly [x: number, y: number];

/** A token of the scene. `square` is the square of its lowest corner. */
export interface Token {
  id: string;
  name: string;
  square: Square;
}

/** The combat of the scene. Everybody in the room can read it, so it contains no key. */
export interface Link {
  url: string;
  combat: string;
  /** Id of the token of each combatant, by the combatant's id. */
  tokens: Record<string, string>;
}

export interface Scene {
  /** Return the tokens that are selected. */
  selection(): Promise<Token[]>;
  /** Return those of the tokens that still exist. */
  tokens(ids: readonly string[]): Promise<Token[]>;
  /** Put tokens on squares, by id. */
  move(squares: ReadonlyMap<string, Square>): Promise<void>;
  link(): Promise<Link | null>;
  setLink(link: Link | null): Promise<void>;
  /** Show one sentence for a moment, only to this person. */
  announce(text: string): Promise<void>;
}
