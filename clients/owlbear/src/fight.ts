// A fight on a scene: it begins from tokens, moves them, and shows the log. It knows no rulebook.
import { type Affray, type Board, type Combat, type Prompt, type Ruleset, promptsOf } from "@affray/client";
import type { Link, Scene, Square, Token } from "./port.js";

/** The GM's choice for a token. `sheet` is a ready one of the rulebook. If `owner` is "", the GM plays it. */
export interface Cast {
  token: Token;
  sheet: Record<string, unknown>;
  side: string;
  owner: string;
}

/** Return every ready sheet of a rulebook by a label for people. */
export function sheetsOf(ruleset: Ruleset): Map<string, Record<string, unknown>> {
  const all = ruleset.parties.flatMap((party) => party.sheets.map((sheet) => [`${String(sheet["name"])} (${party.name})`, sheet] as const));
  return new Map(all);
}

/** Return the initial choice for each token: the ready sheet of its name, or else the first one. */
export function castOf(tokens: readonly Token[], ruleset: Ruleset): Cast[] {
  const sheets = [...sheetsOf(ruleset).values()];
  return tokens.map((token) => {
    const named = sheets.find((sheet) => sheet["name"] === token.name);
    const sheet = named ?? sheets[0] ?? {};
    return { token, sheet, side: String(sheet["side"] ?? ""), owner: String(sheet["owner"] ?? "") };
  });
}

/** Open a combat from tokens, link the scene to it and begin. Return the GM's combat. */
export async function begin(scene: Scene, affray: Affray, ruleset: string, cast: readonly Cast[]): Promise<Combat> {
  const ids = idsOf(cast.map(({ token }) => token.name));
  const combatants = cast.map(({ token, sheet, side, owner }, index) => ({
    id: ids[index] ?? null,
    sheet: { ...sheet, name: token.name, side, owner: owner || null, at: [...token.square] },
  }));
  const { combat } = await affray.open(ruleset, { name: "Owlbear Rodeo", combatants, dice: { gm: "server", players: "manual" } });
  const tokens = Object.fromEntries(cast.map(({ token }, index) => [ids[index], token.id]));
  await scene.setLink({ url: affray.settings.url, combat: combat.id, tokens });
  await combat.begin();
  return combat;
}

/** Return ids for combatants: valid in the contract, and different from each other. */
export function idsOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = name.normalize("NFD").replace(/\p{M}/gu, "").replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "").slice(0, 56) || "token";
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
    taken.add(id);
    return id;
  });
}

/** The content of the panel. */
export interface Seat {
  board: Board;
  prompts: Prompt[];
}

/** Follow a combat: move tokens, and report the seat and the sentences. It ends with the combat or `signal`. */
export async function follow(
  scene: Scene,
  combat: Combat,
  link: Link,
  show: (seat: Seat, sentences: readonly string[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { type, data, board } of combat.follow(signal ? { signal } : {})) {
    if (type === "command" && data.result.sentence) await scene.announce(data.result.sentence);
    if (board === null) continue;
    // Only one seat moves the tokens. Otherwise each seat would move them again.
    if (board.you.role === "gm") await place(scene, board, link);
    show({ board, prompts: promptsOf(board) }, type === "command" ? data.sentences : []);
  }
}

/** Move tokens to their squares on the board. */
export async function place(scene: Scene, board: Board, link: Link): Promise<void> {
  const squares = new Map<string, Square>();
  for (const { id, position } of board.combatants) {
    const token = link.tokens[id];
    const [x, y] = position ?? [];
    if (token !== undefined && x !== undefined && y !== undefined) squares.set(token, [x, y]);
  }
  for (const { id, square } of await scene.tokens([...squares.keys()])) {
    const [x, y] = squares.get(id) ?? square;
    if (x === square[0] && y === square[1]) squares.delete(id);
  }
  if (squares.size > 0) await scene.move(squares);
}
