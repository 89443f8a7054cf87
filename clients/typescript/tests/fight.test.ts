// The packed client in an empty project plays the README's example and further fights against a real service.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { Affray, CONTRACT, type Field, Problem, type Schemas, formOf, inputsOf } from "@affray/client";
import { Project, SERVICE, skip } from "./project.js";

const url = SERVICE ?? "";
const [EXAMPLE = ""] = /(?<=^```js\n).*?(?=^```$)/ms.exec(readFileSync("README.md", "utf8")) ?? [];
let project: Project;
before(() => {
  project = new Project();
  project.write("fight.mjs", EXAMPLE);
});

test("the package is made from the published contract, and has its version", () => {
  const text = readFileSync("../../openapi/openapi.json", "utf8");
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.deepEqual(CONTRACT, { version, sha256: createHash("sha256").update(text).digest("hex") });
  assert.equal(version, JSON.parse(text).info.version);
});

test("the package is built from a copied contract alone, and holds the licence", () => {
  const folder = mkdtempSync(join(tmpdir(), "affray-alone-"));
  try {
    for (const name of ["LICENSE", "README.md", "package.json", "scripts", "tsconfig.json"]) cpSync(name, join(folder, name), { recursive: true });
    cpSync("src", join(folder, "src"), { recursive: true, filter: (path) => !/(made|contract\.d)\.ts$/.test(path) });
    cpSync("../../openapi/openapi.json", join(folder, "openapi.json"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--silent"], { cwd: folder, encoding: "utf8" }));
    const names: string[] = packed.files.map((file: { path: string }) => file.path);
    for (const name of ["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/contract.d.ts"]) assert.ok(names.includes(name), name);
    assert.equal(readFileSync("LICENSE", "utf8"), readFileSync("../../LICENSE", "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("it has no dependency", () => {
  const listed = JSON.parse(project.run("npm", "ls", "--all", "--json"));
  assert.deepEqual(Object.keys(listed.dependencies), ["@affray/client"]);
  assert.equal(listed.dependencies["@affray/client"].dependencies, undefined);
});

test("the example has fewer than 60 lines and the types of the package", () => {
  assert.ok(EXAMPLE.split("\n").length < 60);
  project.compile("fight.mjs");
});

test("the example plays a fight of two players and a GM to its end, with dice by hand", { skip }, () => {
  const timeline = 'console.log(JSON.stringify((await gm.call("readTimeline", { query: { limit: 500 } })).entries));\n';
  project.write("told.mjs", EXAMPLE + timeline);
  const told = project.run("node", "--import", "./dice.mjs", "told.mjs");
  assert.match(told, /# The bridge/);
  assert.match(told, /Lin (hits|misses) Troll: \d+ \(1d20\) \+ 3 Accuracy/);
  const entries: Schemas["Timeline"]["entries"] = JSON.parse(told.trim().split("\n").at(-1) ?? "");
  const lines = entries.flatMap(({ by, lines: [first] }) => (first ? [`${by}: ${first.text}`] : []));
  const attackers = new Set(lines.flatMap((line) => /^.*(?= attacks )/.exec(line) ?? []));
  assert.deepEqual(attackers, new Set(["player: Lin", "player: Bo", "gm: Troll"])); // each seat plays only its own
  assert.match(entries.at(-1)?.lines.map((line) => line.text).join(" ") ?? "", /The fight ends; the (heroes|monsters) won/);
});

test("the service has the contract of the client", { skip }, async () => {
  const { relation, service } = await new Affray(url).compatibility();
  assert.deepEqual([relation, service], ["same", CONTRACT.version]);
});

test("a late command is stale, a repeated one is done once, and a preview stores nothing", { skip }, async () => {
  const party = (await new Affray(url).ruleset("free-hit")).parties[0];
  assert.ok(party);
  const { combat: gm } = await new Affray(url).open("free-hit", { combatants: party.sheets.map((sheet) => ({ sheet })), options: party.options, map: party.map });
  await gm.begin();
  const offers = await gm.options();
  const offer = offers.options.find((candidate) => candidate.category === "end" && candidate.prompt !== null);
  assert.ok(offer);
  const { events } = await gm.preview(offer);
  assert.ok(events.length > 0);
  const first = await gm.send(offer, {}, { ifMatch: offers, key: "the-same-key" });
  assert.deepEqual(await gm.send(offer, {}, { ifMatch: offers, key: "the-same-key" }), first);
  await assert.rejects(gm.send(offer, {}, { ifMatch: offers }), (problem) => problem instanceof Problem && problem.isStale);
  await gm.undo("too early");
  assert.match(await gm.log(), /too early/);
  const ruled = (await gm.options()).options.find((candidate) => candidate.kind === "ruling" && candidate.examples.length > 0);
  assert.ok(ruled);
  await gm.send(ruled, ruled.examples[0], { reason: "because" });
});

test("a ready fight of a rulebook that the contract knows fits an opening", { skip }, async () => {
  const affray = new Affray(url);
  const known = await affray.ruleset("sovereign");
  const { name, sheets, options } = known.parties[0] ?? assert.fail("no ready fight");
  const { board } = await affray.open("sovereign", { name, options: { ...options, rulings: "ask" }, combatants: sheets.map((sheet) => ({ sheet })) });
  assert.equal(board.combatants.length, sheets.length);
  // @ts-expect-error: a sheet of another rulebook
  const wrong = () => affray.open("free-hit", { combatants: sheets.map((sheet) => ({ sheet })) });
  await assert.rejects(wrong);
});

test("every form of every rulebook begins with inputs that fit it, and the rules accept them", { skip, timeout: 120_000 }, async () => {
  const affray = new Affray(url);
  const { rulesets } = await affray.call("listRulesets", {});
  assert.ok(rulesets.length >= 5);
  const wrong: string[] = [];
  for (const { id } of rulesets) {
    const party = (await affray.ruleset(id)).parties[0];
    assert.ok(party, id);
    const { combat: gm } = await affray.open(id, { combatants: party.sheets.map((sheet) => ({ sheet })), options: party.options, map: party.map });
    await gm.begin();
    const { options, schemas } = await gm.options();
    for (const offer of options.filter((candidate) => candidate.examples.length > 0)) {
      const { fields } = formOf(offer, schemas);
      const shown = Object.fromEntries(fields.map((field) => [field.name, shownAs(field)]));
      const { inputs, faults } = inputsOf(fields, shown);
      wrong.push(...faults.map((fault) => `${id} ${offer.id}: ${fault.message}`));
      if (faults.length > 0) continue;
      await gm.preview(offer, inputs).catch((problem: Problem) => wrong.push(`${id} ${offer.id}: ${problem.detail}`));
    }
  }
  assert.deepEqual(wrong, []);
});

test("the README's form is drawn and sent", { skip }, async () => {
  const [, , form = ""] = readFileSync("README.md", "utf8").split("```js\n").map((piece) => piece.split("```")[0]);
  project.write(
    "form.mjs",
    `import { Affray } from "@affray/client";
const weapons = [{ id: "sword", name: "sword", damage: "1d8" }];
const sheet = (name, side, at, agility) => ({ sheet: { name, side, at, agility, accuracy: 3, max_hp: 18, weapons } });
const opened = await new Affray(process.env.AFFRAY_URL).open("free-hit", { combatants: [sheet("Lin", "a", [0, 0], 4), sheet("Troll", "b", [1, 0], 1)] });
const { combat } = opened;
await combat.begin();
${form}
console.log(await combat.log());`,
  );
  const told = project.run("node", "form.mjs");
  assert.match(told, /Aim choice .*'head'/s);
  assert.match(told, /Lin attacks Troll with the sword, aiming at its head|Lin attacks Troll.*head/);
});

/** Return the entry that a page holds for a value: a text if possible. */
function shownAs({ value, choices, kind }: Field): unknown {
  if (choices.length > 0 && kind !== "several") return choices.find((choice) => JSON.stringify(choice.value) === JSON.stringify(value))?.key ?? value;
  return typeof value === "number" ? String(value) : value;
}
