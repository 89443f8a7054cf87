// What the extension needs of a virtual tabletop. `owlbear.ts` is the one implementation; tests have another.

export type Square = readonly [x: number, y: number];

/** A token of the scene. `square` is that of its lowest corner. */
export interface Token {
  id: string;
  name: string;
  square: Square;
}

/** Which combat belongs to the scene. Everybody in the room can read it, so it holds no key. */
export interface Link {
  url: string;
  combat: string;
  /** Id of the token of each combatant, by the combatant's id. */
  tokens: Record<string, string>;
}

export interface Scene {
  /** Return the tokens that are selected. */
  selection(): Promise<Token[]>;
  /** Return these tokens, as far as they are still there. */
  tokens(ids: readonly string[]): Promise<Token[]>;
  /** Put tokens on squares, by id. */
  move(squares: ReadonlyMap<string, Square>): Promise<void>;
  link(): Promise<Link | null>;
  setLink(link: Link | null): Promise<void>;
  /** Show one sentence for a moment, to this person alone. */
  announce(text: string): Promise<void>;
}
