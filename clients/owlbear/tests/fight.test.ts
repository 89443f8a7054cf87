// The extension without Owlbear: a scene in memory, and a real service (AFFRAY_URL).
import assert from "node:assert/strict";
import { test } from "node:test";
import { Affray, type Board, type Ruleset } from "@affray/client";
import { type Seat, begin, castOf, follow, idsOf, place } from "../src/fight.js";
import type { Link, Scene, Square, Token } from "../src/port.js";

const url = process.env["AFFRAY_URL"];
const skip = url === undefined && "AFFRAY_URL names no service";

/** A scene in memory; every token is selected. */
class Memory implements Scene {
  readonly squares: Map<string, Square>;
  readonly moves: string[][] = [];
  readonly said: string[] = [];
  held: Link | null = null;

  constructor(readonly all: readonly Token[]) {
    this.squares = new Map(all.map((token) => [token.id, token.square]));
  }
  selection = () => this.tokens(this.all.map((token) => token.id));
  tokens = async (ids: readonly string[]) =>
    this.all.filter((token) => ids.includes(token.id)).map((token) => ({ ...token, square: this.squares.get(token.id) ?? token.square }));
  move = async (squares: ReadonlyMap<string, Square>) => {
    this.moves.push([...squares.keys()]);
    for (const [id, square] of squares) this.squares.set(id, square);
  };
  link = async () => this.held;
  setLink = async (link: Link | null) => void (this.held = link);
  announce = async (text: string) => void this.said.push(text);
}

const TOKENS: Token[] = [
  { id: "t1", name: "Lin", square: [4, 4] },
  { id: "t2", name: "Troll", square: [5, 4] },
  { id: "t3", name: "Troll", square: [9, 9] },
];

test("ids are what the contract takes, each once", () => {
  assert.deepEqual(idsOf(["Troll", "Troll", "Große Kröte!", "✨", "Troll", "-x"]), ["Troll", "Troll-2", "Gro-e-Krote", "token", "Troll-3", "x"]);
});

test("a token gets the ready sheet of its name, or the first one", () => {
  const parties = [{ name: "A", sheets: [{ name: "Lin", side: "heroes", owner: "lina" }, { name: "Troll", side: "foes" }] }];
  const cast = castOf([{ id: "a", name: "Troll", square: [0, 0] }, { id: "b", name: "Elf", square: [1, 1] }], { parties } as unknown as Ruleset);
  assert.deepEqual(cast.map(({ sheet, side, owner }) => [sheet["name"], side, owner]), [["Troll", "foes", ""], ["Lin", "heroes", "lina"]]);
});

test("only tokens that stand elsewhere are moved", async () => {
  const scene = new Memory(TOKENS);
  const combatants = [{ id: "Lin", position: [4, 4, 0] }, { id: "Troll", position: [6, 5, 0] }, { id: "Ghost", position: [1, 1, 0] }, { id: "Away", position: null }];
  await place(scene, { combatants } as unknown as Board, { url: "", combat: "", tokens: { Lin: "t1", Troll: "t2", Away: "t3" } });
  assert.deepEqual(scene.moves, [["t2"]]);
  assert.deepEqual(scene.squares.get("t2"), [6, 5]);
});

test("a fight begins from tokens, prompts the player, and moves tokens", { skip, timeout: 60_000 }, async () => {
  const affray = new Affray(url ?? "");
  const scene = new Memory(TOKENS);
  const cast = castOf(await scene.selection(), await affray.ruleset("free-hit"));
  assert.deepEqual(cast.map(({ sheet }) => sheet["name"]), ["Lin", "Troll", "Troll"]);
  const [lin] = cast;
  assert.ok(lin);
  lin.owner = "lina";
  const gm = await begin(scene, affray, "free-hit", cast);
  assert.ok(scene.held);
  assert.deepEqual(scene.held.tokens, { Lin: "t1", Troll: "t2", "Troll-2": "t3" });
  assert.doesNotMatch(JSON.stringify(scene.held), /affray_/); // everybody can read it

  const { token } = await gm.issue({ role: "player", owner: "lina" });
  const lina = affray.combat(gm.id, token);
  const quiet = new Memory(TOKENS);
  const control = new AbortController();
  const seen: { gm: Seat[]; lina: Seat[]; log: string[] } = { gm: [], lina: [], log: [] };
  const both = Promise.all([
    follow(scene, gm, scene.held, (seat, sentences) => (seen.gm.push(seat), seen.log.push(...sentences)), control.signal),
    follow(quiet, lina, scene.held, (seat) => seen.lina.push(seat), control.signal),
  ]);
  const until = async (ready: () => boolean) => {
    while (!ready()) await new Promise((over) => setTimeout(over, 50));
  };
  await until(() => seen.gm.length > 0 && seen.lina.length > 0);
  assert.equal(seen.lina[0]?.prompts[0]?.who, "Lin");
  assert.deepEqual(seen.gm[0]?.prompts.filter(({ who }) => who === "Lin"), []);

  const attack = (await lina.options()).options.find((offer) => offer.category === "attack" && offer.prompt !== null && offer.examples.length > 0);
  assert.ok(attack);
  await lina.send(attack, attack.examples[0]);
  await until(() => seen.lina.at(-1)?.prompts[0]?.kind === "roll"); // a player rolls by hand
  await gm.call("makeRuling", { body: { ruling: "move", inputs: { combatant: "Troll-2", to: [7, 8] } } });
  await until(() => scene.squares.get("t3")?.join() === "7,8");
  control.abort();
  await both;
  assert.deepEqual(scene.moves, [["t3"]]);
  assert.deepEqual(quiet.moves, []); // one seat moves the tokens
  assert.match(seen.log.join(" "), /Lin attacks Troll/);
  assert.ok(scene.said.length > 0);
});
