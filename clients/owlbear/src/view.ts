// The panel: prompts as buttons and forms, and the log below. It uses plain DOM, and makes every form from a schema.
import { type Combat, type Field, type Form, type Offer, type Prompt, Problem, diceOf, formOf, inputsOf } from "@affray/client";
import type { Seat } from "./fight.js";

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** Make an element. */
export function element(name: string, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Return the prompts of the seat as elements. */
export async function promptsView(combat: Combat, { board, prompts }: Seat): Promise<HTMLElement[]> {
  const rolls = prompts.filter((prompt) => prompt.kind === "roll").map((prompt) => rollView(combat, prompt));
  const others = prompts.filter((prompt) => prompt.kind !== "roll");
  if (others.length === 0) return rolls;
  const offers = await combat.options();
  const cards = others.map((prompt) => {
    const own = offers.options.filter((offer) => offer.prompt === prompt.id);
    const forms = own.map((offer) => offerView(combat, offer, formOf(offer, offers.schemas, board), offers));
    return element("section", {}, element("h2", {}, prompt.text), ...forms);
  });
  return [...rolls, ...cards];
}

function rollView(combat: Combat, prompt: Prompt): HTMLElement {
  const { dice, formula, terms, target } = diceOf(prompt);
  const more = [...terms.map(({ source, value }) => `${value < 0 ? "−" : "+"} ${Math.abs(value)} ${source}`), target === null ? "" : `against ${target}`];
  const inputs = dice.map(({ minimum, maximum }) => element("input", { type: "number", required: true, min: `${minimum}`, max: `${maximum}` }) as HTMLInputElement);
  return sendable(
    [element("h2", {}, prompt.text), element("p", {}, [formula, ...more].join(" ")), ...inputs, element("button", {}, "Roll")],
    () => combat.roll(prompt.id, inputs.map((input) => Number(input.value))),
  );
}

function offerView(combat: Combat, offer: Offer, form: Form, offers: object): HTMLElement {
  const [shown, folded] = [form.fields.filter((field) => field.essential), form.fields.filter((field) => !field.essential)];
  const rows = new Map(form.fields.map((field) => [field.name, control(field)]));
  const parts = (fields: readonly Field[]) => fields.map((field) => element("label", { title: field.about }, field.label, rows.get(field.name) ?? ""));
  const more = folded.length > 0 ? [element("details", {}, element("summary", {}, "more"), ...parts(folded))] : [];
  return sendable([...parts(shown), ...more, element("button", {}, form.headline)], () => {
    const entered = Object.fromEntries([...rows].map(([name, input]) => [name, valueOf(input, form.fields.find((field) => field.name === name))]));
    const { inputs, faults } = inputsOf(form.fields, entered);
    if (faults.length > 0) throw new Error(faults.map((fault) => fault.message).join("; "));
    return combat.send(offer, inputs, { ifMatch: offers });
  });
}

/** Return the element for a field. If no simple element fits, people enter JSON. */
function control(field: Field): HTMLElement {
  const begins = field.value === undefined ? "" : typeof field.value === "string" ? field.value : JSON.stringify(field.value);
  if (field.choices.length > 0) {
    const empty = field.required ? [] : [element("option", { value: "" }, "")];
    const options = field.choices.map(({ key, label }) => element("option", { value: key, selected: key === begins }, label));
    return element("select", { multiple: field.kind === "several" }, ...empty, ...options);
  }
  if (field.kind === "switch") return element("input", { type: "checkbox", checked: field.value === true });
  return element("input", { type: field.kind === "number" ? "number" : "text", value: begins });
}

function valueOf(input: HTMLElement, field: Field | undefined): unknown {
  if (input instanceof HTMLSelectElement && input.multiple) return Array.from(input.selectedOptions, (option) => option.value);
  if (input instanceof HTMLSelectElement) return input.value;
  if (!(input instanceof HTMLInputElement)) return undefined;
  if (input.type === "checkbox") return input.checked;
  const simple = field === undefined || ["text", "number", "square"].includes(field.kind) || input.value === "";
  return simple && !input.value.startsWith("[") ? input.value : JSON.parse(input.value);
}

/** A form that shows the reason of a refusal. */
function sendable(children: HTMLElement[], send: () => Promise<unknown>): HTMLElement {
  const fault = element("p", { role: "alert" });
  const submit = async (event: Event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      await send();
    } catch (thrown) {
      const stale = thrown instanceof Problem && thrown.isStale;
      fault.textContent = stale ? "Something has changed: look again." : String((thrown as Error).message);
    }
  };
  return element("form", { submit: (event) => void submit(event) }, ...children, fault);
}
