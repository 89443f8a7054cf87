// The packed client in an empty project: the README's example, and promises that only a service can keep.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { Affray, CONTRACT, Problem, type Schemas } from "@affray/client";
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
  assert.match(told, /\(rolled by hand\)/);
  const entries: Schemas["Timeline"]["entries"] = JSON.parse(told.trim().split("\n").at(-1) ?? "");
  const lines = entries.flatMap(({ by, lines: [first] }) => (first ? [`${by}: ${first.text}`] : []));
  const attackers = new Set(lines.flatMap((line) => /^.*(?= attacks )/.exec(line) ?? []));
  assert.deepEqual(attackers, new Set(["player: Lin", "player: Bo", "gm: Troll"])); // each seat for itself
  assert.match(entries.at(-1)?.lines.map((line) => line.text).join(" ") ?? "", /The fight ends; (heroes|monsters) won/);
});

test("the service has the contract of the client", { skip }, async () => {
  const { relation, service } = await new Affray(url).compatibility();
  assert.deepEqual([relation, service], ["same", CONTRACT.version]);
});

test("a late command is stale, a repeated one is done once, and a preview stores nothing", { skip }, async () => {
  const party = (await new Affray(url).ruleset("free-hit")).parties[0];
  assert.ok(party);
  const ruleset: string = "free-hit";
  const { combat: gm } = await new Affray(url).open(ruleset, { combatants: party.sheets.map((sheet) => ({ sheet })), options: party.options, map: party.map });
  await gm.begin();
  const offers = await gm.options();
  const offer = offers.options.find((one) => one.category === "end" && one.prompt !== null);
  assert.ok(offer);
  const { events } = await gm.preview(offer);
  assert.ok(events.length > 0);
  const first = await gm.send(offer, {}, { ifMatch: offers, key: "the-same-key" });
  assert.deepEqual(await gm.send(offer, {}, { ifMatch: offers, key: "the-same-key" }), first);
  await assert.rejects(gm.send(offer, {}, { ifMatch: offers }), (problem) => problem instanceof Problem && problem.isStale);
  await gm.undo("too early");
  assert.match(await gm.log(), /too early/);
  const ruled = (await gm.options()).options.find((one) => one.kind === "ruling" && one.examples.length > 0);
  assert.ok(ruled);
  await gm.send(ruled, ruled.examples[0], { reason: "because" });
});
