// Standing orders: take, pass or ask, for some rounds, against one foe.
import { html, useState } from "../view.js";
import { words } from "../board.js";
import { acting, present, role, ruleset, shown, you } from "../state.js";
import { attempt, say } from "./act.js";

/** @import { Combatant, Prompt, Ruleset } from "../shapes.d.ts" */
/** @import { Fault } from "./act.js" */

/** @typedef {Combatant["standing_orders"][number]} Order */

/** Let a standing order answer such prompts with the default until the round ends. @param {Prompt} prompt @returns {Promise<Fault | null>} */
export function orderForRound(prompt) {
  const board = present.peek();
  const round = board?.round ?? 0;
  const before = board?.combatants.find((combatant) => combatant.id === prompt.who)?.standing_orders ?? [];
  const orders = before.filter((order) => (order.until_round ?? round) >= round); // earlier rounds are over
  const order = { prompt: prompt.name, option: prompt.default, inputs: {}, when: {}, until_round: round, against: null };
  return attempt(`/combatants/${encodeURIComponent(prompt.who ?? "")}/standing-orders`, { orders: [order, ...orders] }, {}, "PUT");
}

/** @param {{ combatant: Combatant }} props */
export function Orders({ combatant }) {
  const all = /** @type {Order[]} */ (combatant.standing_orders ?? []);
  const own = role.value === "gm" || you.value?.combatants.includes(combatant.id) || (you.value?.owner !== null && you.value?.owner === combatant.owner);
  const [wrong, setWrong] = useState("");
  const [adding, setAdding] = useState(false);
  const known = ruleset.value;
  if (known === null || (all.length === 0 && !own)) return null;

  /** @param {Order[]} orders */
  async function set(orders) {
    const fault = await attempt(`/combatants/${encodeURIComponent(combatant.id)}/standing-orders`, { orders }, {}, "PUT");
    setWrong(fault?.text ?? "");
    if (fault !== null) return;
    setAdding(false);
    say(`${combatant.name}'s standing orders are changed.`);
  }

  return html`
    <div class="orders" role="group" aria-label=${`Standing orders of ${combatant.name}`}>
      <span class="label">Standing orders</span>
      <ul>${all.map((order, index) => html`<li key=${index}>${told(order, known)} ${acting.value && own && html`<button type="button" class="quiet" aria-label=${`Remove the order: ${told(order, known)}`} onClick=${() => set(all.filter((_, at) => at !== index))}>✕</button>`}</li>`)}</ul>
      ${acting.value && own && !adding && html`<button type="button" class="add" onClick=${() => setAdding(true)}>Add standing order</button>`}
      ${adding && html`<${Adding} known=${known} add=${(/** @type {Order} */ order) => set([order, ...all])} done=${() => setAdding(false)} />`}
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    </div>
  `;
}

/** @param {{ known: Ruleset, add: (order: Order) => void, done: () => void }} props */
function Adding({ known, add, done }) {
  const questions = known.prompts.filter((prompt) => prompt.asks === "combatant" && prompt.kind !== "roll" && prompt.options.length > 0);
  const [prompt, setPrompt] = useState(questions[0]?.name ?? "");
  const [option, setOption] = useState("ask");
  const [until, setUntil] = useState("");
  const [against, setAgainst] = useState("");
  const options = questions.find((question) => question.name === prompt)?.options ?? [];
  if (questions.length === 0) return html`<p class="hint">This rulebook asks nothing that could be answered in advance.</p>`;
  const send = () => add({ prompt, option, inputs: {}, when: {}, until_round: until === "" ? null : Number(until), against: against || null });
  return html`
    <div class="filling" role="group" aria-label="A standing order">
      <label class="field"><span class="label">Asked</span>
        <select value=${prompt} onChange=${(/** @type {any} */ event) => (setPrompt(event.target.value), setOption("ask"))}>${questions.map((question) => html`<option key=${question.name} value=${question.name}>${lower(question.about)}</option>`)}</select></label>
      <label class="field"><span class="label">Answers</span>
        <select value=${option} onChange=${(/** @type {any} */ event) => setOption(event.target.value)}><option value="ask">ask me after all</option>${options.map((option) => html`<option key=${option.id} value=${option.id}>${option.label}</option>`)}</select></label>
      <label class="field"><span class="label">About</span>
        <select value=${against} onChange=${(/** @type {any} */ event) => setAgainst(event.target.value)}><option value="">anybody</option>${shown.value?.combatants.map((combatant) => html`<option key=${combatant.id} value=${combatant.id}>${combatant.name}</option>`)}</select></label>
      <label class="field"><span class="label">Until round</span><input type="number" min="1" placeholder="for good" value=${until} onInput=${(/** @type {any} */ event) => setUntil(event.target.value)} /></label>
      <div class="send"><button type="button" class="primary" onClick=${send}>Give the order</button><button type="button" class="quiet" onClick=${done}>Not now</button></div>
    </div>
  `;
}

/** @param {Order} order @param {Ruleset} known */
function told(order, known) {
  const question = known.prompts.find((prompt) => prompt.name === order.prompt);
  const answer = order.option === "ask" ? "ask" : (question?.options.find((option) => option.id === order.option)?.label ?? words(order.option));
  const foe = shown.value?.combatants.find((combatant) => combatant.id === order.against)?.name ?? order.against;
  const scope = `${foe ? `, about ${foe}` : ""}${order.until_round ? `, until round ${order.until_round}` : ""}`;
  return `${question ? lower(question.about) : words(order.prompt)}: ${answer}${scope}`;
}

/** @param {string} text */
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
