// Rulings: each ruling of the rulebook as a form, for one or several combatants, with a reason.
import { html, useState } from "../view.js";
import { useDraft } from "../draft.js";
import { picked, ruleset, ruling, shown } from "../state.js";
import { lineup } from "../board.js";
import { fields, sendable } from "../schema/read.js";
import { Form, wrongIn } from "../schema/form.js";
import { Chips } from "../schema/chips.js";
import { attempt, say, sending } from "../play/act.js";
import { Preview } from "../play/preview.js";
import { useInView } from "../focus.js";
import { takeBack } from "../time/verbs.js";
import { hide } from "./hands.js";

/** @typedef {import("../shapes.d.ts").Ruleset["rulings"][number]} RulingInfo */
/** @import { Inputs, Schema } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */

const FIRST = ["damage", "heal", "set-track", "condition", "set-condition", "set-marker"];

/** Other words for which a GM may search. */
const CALLED = /** @type {Record<string, string>} */ ({
  damage: "harm hurt wound lose hit points hp",
  heal: "cure restore hit points hp",
  "set-track": "hit points hp pool points change",
  condition: "status effect add remove",
  "set-condition": "status effect add",
  "end-condition": "status effect remove",
  "set-marker": "note label tag",
  move: "position square teleport place token",
  place: "position square teleport move token",
  "set-budget": "actions left action points",
  "set-order": "initiative order turn",
  "force-roll": "dice fudge die result",
  override: "dice fudge die result",
  join: "add reinforcements newcomer",
  leave: "remove flee out",
});
const HIDING = "hide reveal show secret invisible";

export function Rulings() {
  const all = (ruleset.value?.rulings ?? []).filter((ruling) => ruling.id !== "several");
  const [chosen, setChosen] = useDraft("ruling", "");
  const [sought, setSought] = useState("");
  if (!ruling.value || all.length === 0) return null;
  const own = all.some((offer) => offer.id === "condition"); // the rulebook has its own ruling for conditions
  const first = all.filter((offer) => FIRST.includes(offer.id) && !(own && offer.id === "set-condition"));
  const offer = all.find((offer) => offer.id === chosen);
  const text = sought.trim().toLowerCase();
  const meant = (/** @type {string} */ names) => text !== "" && text.split(/\s+/).every((word) => names.toLowerCase().includes(word));
  const others = all.filter((offer) => !first.includes(offer) && meant(`${offer.label} ${CALLED[offer.id] ?? ""}`));
  const near = text === "" ? first : [...first.filter((offer) => meant(`${named(offer)} ${CALLED[offer.id] ?? ""}`)), ...others];
  const hides = text === "" || meant(HIDING);
  const more = new Map(all.filter((offer) => !first.includes(offer)).map((offer) => [offer.label, offer])); // of two rulings with the same label, keep that of the rulebook
  return html`
    <section class="rulings" aria-label="Rule">
      <h2>Rule ${picked.value.length > 0 && html`<small>${picked.value.length} picked</small>`}</h2>
      <div class="options">
        <input type="search" aria-label="Find a ruling" placeholder="find a ruling" value=${sought} onInput=${(/** @type {any} */ event) => setSought(event.target.value)} />
        ${near.map((offer) => html`<button type="button" class="option" key=${offer.id} aria-expanded=${offer.id === chosen} onClick=${() => setChosen(offer.id === chosen ? "" : offer.id)}>${named(offer)}</button>`)}
        ${hides && html`<button type="button" class="option" onClick=${() => (picked.peek().length > 0 ? void hide() : say("Pick somebody in the list or on the map first."))}>Hide or reveal</button>`}
        ${near.length === 0 && !hides && html`<p class="calm">No ruling is called so.</p>`}
        <select aria-label="Another ruling" value=${offer === undefined || first.includes(offer) ? "" : chosen} onChange=${(/** @type {any} */ event) => setChosen(event.target.value)}>
          <option value="">more …</option>
          ${[...more.values()].map((offer) => html`<option key=${offer.id} value=${offer.id} >${offer.label}</option>`)}
        </select>
      </div>
      ${offer && html`<${Ruling} key=${offer.id} offer=${offer} done=${() => setChosen("")} />`}
    </section>
  `;
}

/** Return the label of a ruling. @param {RulingInfo} ruling */
function named({ id, label }) {
  const health = ruleset.value?.tracks.find((track) => track.role === "health");
  return id === "set-track" && health !== undefined ? `Set ${health.label}, or another pool` : label;
}

/** Return the field that names the affected combatant. @param {Schema} schema */
function whose(schema) {
  return fields(schema).find((field) => field.required && field.refers === "combatant" && field.schema.type === "string")?.name;
}

/** @param {{ offer: RulingInfo, done: () => void }} props */
function Ruling({ offer, done }) {
  const schema = /** @type {Schema} */ (offer.inputs);
  const who = whose(schema);
  const [inputs, setInputs, dropInputs] = useDraft(`ruling ${offer.id}`, /** @type {Inputs} */ ({}));
  const [reason, setReason, dropReason] = useDraft(`reason ${offer.id}`, "");
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const board = shown.value;
  const targets = picked.value;
  const body = { ...worded(offer.id, sendable(inputs, schema), who, targets), reason };
  const rest = who === undefined ? schema : without(schema, who);
  const toggle = (/** @type {string} */ id) => (picked.value = targets.includes(id) ? targets.filter((target) => target !== id) : [...targets, id]);

  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    const wrong = await attempt("/rulings", body);
    setFault(wrong);
    if (wrong !== null) return;
    say(`Ruled: ${offer.label}.`, takeBack);
    picked.value = [];
    dropInputs();
    dropReason();
    done();
  }

  const form = useInView();
  return html`
    <form class="filling" ref=${form} aria-label=${`Ruling: ${offer.label}`} onSubmit=${send}>
      ${who !== undefined && board !== null && html`<div class="field" role="group" aria-label="Targets"><span class="label">Whom</span><${Chips} label="Targets" several picks=${lineup(board, ruleset.value).map((combatant) => combatant.id)} chosen=${targets} pick=${toggle} refers="combatant" /></div>`}
      <${Form} schema=${rest} value=${inputs} set=${(/** @type {string} */ name, /** @type {unknown} */ value) => setInputs({ ...inputs, [name]: value })} wrong=${wrongIn(fault, rest)} who=${targets[0] ?? null} explain />
      <div class="field"><span class="label">Reason</span><input type="text" aria-label="Reason" maxlength="500" placeholder="for the log" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></div>
      ${fault && wrongIn(fault, rest) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>Rule</button>
        <${Preview} key=${JSON.stringify(body)} body=${{ command: "rule", ruling: body.ruling, inputs: body.inputs }} />
      </div>
    </form>
  `;
}

/** Return the command for one ruling, on one or several combatants. @param {string} id @param {Inputs} inputs @param {string | undefined} who @param {readonly string[]} targets */
export function worded(id, inputs, who, targets) {
  if (who === undefined) return { ruling: id, inputs };
  if (targets.length === 1) return { ruling: id, inputs: { ...inputs, [who]: targets[0] } };
  if (targets.length === 0) return { ruling: id, inputs };
  return { ruling: "several", inputs: { ruling: id, inputs, targets: targets.map((combatant) => ({ combatant })) } };
}

/** @param {Schema} schema @param {string} name @returns {Schema} */
function without(schema, name) {
  const { [name]: gone, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
