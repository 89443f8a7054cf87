// The panel in a DOM shows prompts, forms and refusals, and a click sends the entered inputs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Board, Combat, Offers, Prompt } from "@affray/client";
import { Window } from "happy-dom";
import { promptsView } from "../src/view.js";

const window = new Window();
const { document, HTMLInputElement, HTMLSelectElement } = window;
Object.assign(globalThis, { document, HTMLInputElement, HTMLSelectElement });

const offers: Offers = JSON.parse(readFileSync("../../openapi/examples/readOptions.json", "utf8")).response;
const board = { combatants: [{ id: "Troll", name: "Old Troll" }] } as unknown as Board;

/** A combat that records the sent requests. */
function noted(): { combat: Combat; sent: unknown[][] } {
  const sent: unknown[][] = [];
  const note = (...given: unknown[]) => Promise.resolve(void sent.push(given));
  return { combat: { options: () => Promise.resolve(offers), send: note, roll: note } as unknown as Combat, sent };
}

const submit = (form: Element | null | undefined) => form?.dispatchEvent(new window.Event("submit", { cancelable: true }) as unknown as Event);

test("each offer of a prompt is a form whose button says what it does", async () => {
  const { combat, sent } = noted();
  const prompt = { id: "Lin:1", kind: "turn", text: "It is Lin's turn" } as Prompt;
  const [section] = await promptsView(combat, { board, prompts: [prompt] });
  assert.equal(section?.querySelector("h2")?.textContent, "It is Lin's turn");
  const forms = [...(section?.querySelectorAll("form") ?? [])];
  const attack = forms.find((form) => form.querySelector("button")?.textContent === "Strike Troll with the sword");
  assert.match(attack?.innerHTML ?? "", /Old Troll/);
  const aim = [...(attack?.querySelectorAll("label") ?? [])].find((label) => label.textContent?.startsWith("Aim"))?.querySelector("select");
  assert.ok(aim);
  aim.value = "head";
  submit(attack);
  const [offer, inputs, options] = sent[0] ?? [];
  assert.equal((offer as { id: string }).id, "attack");
  assert.deepEqual(inputs, { target: "Troll", weapon: "sword", aim: "head", from_behind: false });
  assert.deepEqual(options, { ifMatch: offers });
});

test("a roll by hand asks for each die and says what is added", async () => {
  const { combat, sent } = noted();
  const faces = { minItems: 2, maxItems: 2, items: { type: "integer", minimum: 1, maximum: 6 } };
  const data = { formula: "2d6", faces, terms: [["strength", 3, "FH-DMG-02"]], target: 9 };
  const [form] = await promptsView(combat, { board, prompts: [{ id: "Lin:2", kind: "roll", text: "Lin rolls", data } as unknown as Prompt] });
  assert.equal(form?.querySelector("p")?.textContent, "2d6 + 3 strength against 9");
  const inputs = [...(form?.querySelectorAll("input") ?? [])];
  assert.deepEqual(inputs.map((input) => [input.min, input.max]), [["1", "6"], ["1", "6"]]);
  inputs.forEach((input, index) => (input.value = String(index + 4)));
  submit(form);
  assert.deepEqual(sent, [["Lin:2", [4, 5]]]);
});
