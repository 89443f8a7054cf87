// The code of docs/how-to/three-d-dice.md fits the client's types, and works with a box that returns dice in another order.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Combat, Prompt } from "@affray/client";

const page = readFileSync("../../docs/how-to/three-d-dice.md", "utf8").replace(/^ {3}/gm, "");
const piece = (words: string) => new RegExp(`(?<=^\`\`\`${words}\n).*?(?=^\`\`\`$)`, "ms").exec(page)?.[0] ?? "";

const project = mkdtempSync(join(tmpdir(), "affray-dice-"));
after(() => rmSync(project, { recursive: true }));

/** What `roll` of the real box resolves to, but the last die first. */
const BOX = `export default class DiceBox {
  async init() { return this; }
  async roll(dice) { return dice.map(({ sides, data }, place) => ({ sides, data, value: place + 1 })).reverse(); }
}`;

test("3-D dice are sent as faces, in the order of the prompt", async () => {
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@3d-dice/dice-box"), { recursive: true });
  mkdirSync(join(modules, "@affray"));
  symlinkSync(process.cwd(), join(modules, "@affray/client"));
  writeFileSync(join(modules, "@3d-dice/dice-box/package.json"), '{"name": "@3d-dice/dice-box", "type": "module", "main": "index.js"}');
  writeFileSync(join(modules, "@3d-dice/dice-box/index.js"), BOX);
  writeFileSync(join(project, "package.json"), '{"type": "module"}');
  writeFileSync(join(project, "dice-box.d.ts"), piece("ts types"));
  writeFileSync(join(project, "roll.ts"), piece("ts"));
  const compiler = join(process.cwd(), "node_modules/typescript/bin/tsc");
  const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
  execFileSync("node", [compiler, ...options, "roll.ts", "dice-box.d.ts"], { cwd: project, stdio: ["ignore", "inherit", "inherit"] });

  const { roll } = await import(join(project, "roll.js"));
  const faces = { prefixItems: [{ minimum: 1, maximum: 20 }, { minimum: 1, maximum: 6 }, { minimum: 1, maximum: 6 }] };
  const sent: unknown[] = [];
  const combat = { roll: async (...given: unknown[]) => void sent.push(given) } as unknown as Combat;
  await roll(combat, { id: "Lin:2", data: { faces } } as unknown as Prompt);
  assert.deepEqual(sent, [["Lin:2", [1, 2, 3]]]);
});
