// Forms of the published examples, and the inputs that people's entries become.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Board, type Offer, type Offers, diceOf, fieldAt, fieldsOf, formOf, inputsOf, polarityOf, promptsOf } from "@affray/client";

const example = (operation: string) => JSON.parse(readFileSync(`../../openapi/examples/${operation}.json`, "utf8")).response;
const { options, schemas } = example("readOptions") as Offers;
const attack = options.find((offer) => offer.id === "attack") as Offer;

test("an offer is a form: labels, kinds, legal values, the first example", () => {
  const form = formOf(attack, schemas, { combatants: [{ id: "Troll", name: "Old Troll" }] } as unknown as Board);
  assert.equal(form.headline, "Strike Troll with the sword");
  assert.deepEqual(
    form.fields.map(({ name, label, kind, required, nullable, closed, value }) => ({ name, label, kind, required, nullable, closed, value })),
    [
      { name: "target", label: "Target", kind: "choice", required: true, nullable: false, closed: false, value: "Troll" },
      { name: "weapon", label: "Weapon", kind: "choice", required: false, nullable: true, closed: false, value: "sword" },
      { name: "aim", label: "Aim", kind: "choice", required: false, nullable: true, closed: false, value: null },
      { name: "from_behind", label: "From behind", kind: "switch", required: false, nullable: false, closed: false, value: false },
      { name: "pay_with", label: "Pay with", kind: "choice", required: false, nullable: false, closed: true, value: undefined },
    ],
  );
  assert.deepEqual(form.fields[0]?.choices, [{ value: "Troll", key: "Troll", label: "Old Troll" }]);
  assert.deepEqual(form.fields[2]?.choices[0], { value: null, key: "null", label: "No aim" });
  assert.deepEqual(form.fields[4]?.choices.map((choice) => choice.key), ["aa"]);
  assert.equal(form.fields[0]?.refers, "combatant");
});

test("text of a page becomes inputs", () => {
  const { fields } = formOf(attack, schemas);
  const entered = { target: "Troll", weapon: "", aim: "null", from_behind: "on", pay_with: "aa" };
  assert.deepEqual(inputsOf(fields, entered), { inputs: { target: "Troll", aim: null, from_behind: true, pay_with: "aa" }, faults: [] });
});

test("what a form begins with is legal as it stands", () => {
  const { fields } = formOf(attack, schemas);
  const { inputs, faults } = inputsOf(fields, Object.fromEntries(fields.map((field) => [field.name, field.value])));
  assert.deepEqual(inputs, attack.examples[0]);
  assert.deepEqual(faults, []);
});

test("faults name the field before anything is sent", () => {
  const { fields } = formOf(attack, schemas);
  const { faults } = inputsOf(fields, { pay_with: "gold" });
  assert.deepEqual(faults.map((fault) => fault.pointer), ["/inputs/target", "/inputs/pay_with"]);
  assert.equal(fieldAt(fields, "/inputs/pay_with")?.name, "pay_with");
  assert.equal(fieldAt(fields, "/combatant"), null);
});

test("choices have labels for people", () => {
  const candidates = { way: [[[-1, 0, 0], [-2, 0, 0]]], square: [[-1, 2]], count: [-3], word: ["center-mass"], object: [{ object: "the door" }] };
  const properties = Object.fromEntries(Object.keys(candidates).map((name) => [name, { description: name }]));
  const { fields } = formOf({ ...attack, inputs: "X", candidates } as Offer, { X: { type: "object", properties } });
  assert.deepEqual(fields.flatMap((field) => field.choices.map((choice) => choice.label)), [
    "(-1, 0, 0) → (-2, 0, 0)", "(-1, 2)", "-3", "center mass", "the door",
  ]);
});

test("the faces of two equal dice are a list, and a pair of coordinates is a square", () => {
  const pair = (item: object) => ({ type: "array", minItems: 2, maxItems: 2, items: { type: "integer", ...item } });
  const fields = fieldsOf({ properties: { faces: pair({ minimum: 1, maximum: 10 }), facing: pair({}) } });
  assert.deepEqual(fields.map((field) => field.kind), ["list", "square"]);
});

const SHEET = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 60 },
    level: { type: "integer", minimum: 1, maximum: 20, default: 1 },
    at: { anyOf: [{ type: "array", items: { type: "integer" }, minItems: 2, maxItems: 3 }, { type: "null" }], "x-refers-to": "square" },
    way: { type: "array", items: { type: "array", items: { type: "integer" } }, "x-refers-to": "path" },
    tags: { type: "array", items: { enum: ["big", "slow"], "x-titles": { big: "Very big" } } },
    weapons: { type: "array", items: { $ref: "#/$defs/Weapon" }, description: "What it carries" },
    numbers: { type: "object", additionalProperties: { type: "integer" } },
    damage: { anyOf: [{ type: "integer" }, { $ref: "#/$defs/Dice" }] },
  },
  required: ["name"],
  $defs: {
    Weapon: { type: "object", properties: { id: { type: "string" }, reach_ft: { type: "integer", default: 5 }, made: { $ref: "#/$defs/Dice" } }, required: ["id"] },
    Dice: { title: "DiceFormula", type: "object", properties: { count: { type: "integer", minimum: 1 } }, required: ["count"] },
  },
};

test("sheets have every kind of field", () => {
  const fields = fieldsOf(SHEET);
  const kinds = ["text", "number", "square", "path", "several", "list", "table", "either"];
  assert.deepEqual(fields.map((field) => field.kind), kinds);
  assert.deepEqual(fields[4]?.choices.map((choice) => choice.label), ["Very big", "slow"]);
  const weapon = fields[5]?.item;
  assert.equal(weapon?.kind, "group");
  assert.deepEqual(weapon?.fields.map((field) => [field.name, field.kind, field.value]), [["id", "text", undefined], ["reach_ft", "number", 5], ["made", "group", undefined]]);
  assert.deepEqual(fields[7]?.shapes.map((shape) => [shape.label, shape.kind]), [["Integer", "number"], ["Dice formula", "group"]]);
});

test("null, short words and objects have labels for people", () => {
  const pay = { anyOf: [{ enum: ["move", "standard"] }, { type: "null" }], description: "Payment. `null`: its own cost", "x-null": "Its own cost" };
  const offer = { candidates: { action: [{ action: "attack", inputs: { target: "Hag", path: [] }, attacks: 2 }] }, essential: [], examples: [], inputs: "Held" };
  const schema = { properties: { pay, aim: { anyOf: [{ enum: ["head"] }, { type: "null" }] }, gm_modifier: { type: "integer" }, dc: { type: "integer" }, action: {} } };
  const { fields } = formOf(offer as unknown as Offer, { Held: schema });
  assert.deepEqual(fields.map((field) => field.label), ["Pay", "Aim", "GM modifier", "DC", "Action"]);
  const labels = fields.map((field) => field.choices.map((choice) => choice.label));
  assert.deepEqual(labels, [["Its own cost", "move", "standard"], ["none", "head"], [], [], ["attack, Hag, attacks 2"]]);
});

test("nested values are read, and faults point to their place", () => {
  const entered = {
    name: "Lin",
    level: "21",
    at: "3, 4",
    tags: ["slow"],
    weapons: [{ id: "bow", reach_ft: "10" }, { id: "club", made: { count: "0" } }],
    numbers: { fire: "2" },
  };
  const { inputs, faults } = inputsOf(fieldsOf(SHEET), entered);
  assert.deepEqual(inputs["at"], [3, 4]);
  assert.deepEqual(inputs["weapons"], [{ id: "bow", reach_ft: 10 }, { id: "club", made: { count: 0 } }]);
  assert.deepEqual(inputs["numbers"], { fire: 2 });
  assert.deepEqual(faults, [
    { pointer: "/level", message: "Level: at most 20" },
    { pointer: "/weapons/1/made/count", message: "Count: at least 1" },
  ]);
});

test("every schema of the published rulebook has fields of a known kind", () => {
  const ruleset = example("readRuleset");
  const forms = [ruleset.sheet, ruleset.options, ruleset.map, ...[...ruleset.actions, ...ruleset.rulings].map((action) => action.inputs ?? action.schema)];
  const fields = forms.filter((schema) => typeof schema === "object" && schema !== null).flatMap((schema) => fieldsOf(schema));
  assert.ok(fields.length > 40);
  for (const field of fields) assert.notEqual(`${field.name}: ${field.kind}`, `${field.name}: json`);
});

test("the polarity follows the field that decides it", () => {
  const offer = { ...attack, polarity: "either", polarity_by: { field: "spell", values: { fire: "harm", heal: "help" } } } as Offer;
  assert.deepEqual([{ spell: "fire" }, { spell: { id: "heal" } }, {}].map((inputs) => polarityOf(offer, inputs)), ["harm", "help", "either"]);
});

test("a roll says how many dice, their ranges and what is added", () => {
  const alike = { minItems: 2, maxItems: 2, items: { type: "integer", minimum: 1, maximum: 6 } };
  const mixed = { prefixItems: [{ type: "integer", minimum: 1, maximum: 8 }, { type: "integer", minimum: 1, maximum: 4 }] };
  const data = { purpose: "damage", formula: "2d6+3", faces: alike, terms: [["strength", 3, "FH-DMG-02"]], against: "Troll" };
  assert.deepEqual(diceOf({ data }), {
    purpose: "damage",
    formula: "2d6+3",
    dice: [{ minimum: 1, maximum: 6 }, { minimum: 1, maximum: 6 }],
    terms: [{ source: "strength", value: 3, rule: "FH-DMG-02" }],
    against: "Troll",
    target: null,
  });
  assert.deepEqual(diceOf({ data: { faces: mixed } }).dice, [{ minimum: 1, maximum: 8 }, { minimum: 1, maximum: 4 }]);
});

test("a GM leaves prompts of players to them", () => {
  const prompt = (id: string, who: string | null, more = {}) => ({ id, who, answer: null, suspended: false, ...more });
  const board = {
    you: { role: "gm" },
    combatants: [{ id: "Lin", owner: "lina" }, { id: "Troll", owner: null }],
    prompts: [prompt("a", "Lin"), prompt("b", "Troll"), prompt("c", null), prompt("d", "Troll", { suspended: true }), prompt("e", "Troll", { answer: "x" })],
  } as unknown as Board;
  assert.deepEqual(promptsOf(board).map(({ id }) => id), ["b", "c"]);
  const player = { ...board, you: { role: "player" }, prompts: board.prompts.slice(0, 1) } as Board;
  assert.deepEqual(promptsOf(player).map(({ id }) => id), ["a"]);
});
