// What the GM can change about a combatant: sheet, name, visibility, removal.
import { html, useState } from "../view.js";
import { Form, wrongIn } from "../schema/form.js";
import { Picture } from "../schema/picture.js";
import { attempt, say, sending } from "../play/act.js";
import { ruleset, shown } from "../state.js";
import { readySheets } from "../begin/models.js";
import { Side } from "../begin/side.js";
import { identified } from "../schema/values.js";
import { Confirm } from "../confirm.js";
import { takeBack } from "../time/verbs.js";

/** @import { Combatant, Inputs, Ruleset, Schema } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */

/** Fields that a sheet's form leaves out, because the combatant has them. */
const OWN = ["name", "side", "owner", "at", "picture"];

/** @param {{ combatant: Combatant }} props */
export function Change({ combatant }) {
  const [open, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const path = `/combatants/${encodeURIComponent(combatant.id)}`;

  /** @param {unknown} body @param {string} text @param {"PATCH" | "DELETE"} [method] */
  async function tell(body, text, method = "PATCH") {
    const wrong = await attempt(path, body, {}, method);
    setFault(wrong);
    if (wrong !== null) return;
    setOpen(false);
    say(text, takeBack);
  }

  return html`
    <div class="change" role="group" aria-label=${`Change ${combatant.name}`}>
      <button type="button" class="add" aria-expanded=${open} onClick=${() => setOpen(!open)}>Change the sheet</button>
      <button type="button" class="add" onClick=${() => tell({ hidden: !combatant.hidden }, combatant.hidden ? `Everybody sees ${combatant.name} now.` : `${combatant.name} is hidden now.`)}>${combatant.hidden ? "Show to everybody" : "Hide"}</button>
      <button type="button" class="add" onClick=${() => setLeaving(true)}>Take out of the fight…</button>
      ${leaving && html`<${Confirm} title="Take out of the fight?" verb=${`Take ${combatant.name} out`} what="It leaves the fight with all that it has declared. You can take this back." agreed=${() => tell(undefined, `${combatant.name} has left.`, "DELETE")} close=${() => setLeaving(false)} />`}
      ${fault && !open && html`<p class="fault" role="alert">${fault.text}</p>`}
      ${open && html`<${SheetOf} combatant=${combatant} fault=${fault} send=${(/** @type {unknown} */ body) => tell(body, `${combatant.name} is changed.`)} />`}
    </div>
  `;
}

/** @param {{ combatant: Combatant, fault: Fault | null, send: (body: unknown) => void }} props */
function SheetOf({ combatant, fault, send }) {
  const known = /** @type {Ruleset} */ (ruleset.value);
  const before = /** @type {Inputs} */ (combatant.sheet ?? {});
  const [sheet, setSheet] = useState(before);
  const [head, setHead] = useState({ name: combatant.name, side: combatant.side, owner: combatant.owner ?? "" });
  const changed = Object.fromEntries(Object.entries(/** @type {Inputs} */ (identified(sheet, known.sheet))).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
  const body = {
    ...(head.name !== combatant.name && { name: head.name }),
    ...(head.side !== combatant.side && { side: head.side }),
    ...(head.owner !== (combatant.owner ?? "") && { owner: head.owner || "GM" }),
    ...(Object.keys(changed).length > 0 && { sheet: changed }),
  };
  const line = (/** @type {"name" | "owner"} */ field, /** @type {string} */ label) => html`
    <label class="field"><span class="label">${label}</span><input type="text" value=${head[field]} onInput=${(/** @type {any} */ event) => setHead({ ...head, [field]: event.target.value })} /></label>
  `;
  return html`
    <form class="filling" aria-label=${`Sheet of ${combatant.name}`} onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), send(body))}>
      ${line("name", "Name")} <div class="field"><span class="label">Side</span><${Side} name=${combatant.name} value=${head.side} sides=${shown.value?.sides ?? []} set=${(/** @type {string} */ side) => setHead({ ...head, side })} /></div> ${line("owner", "Player")}
      <${Picture} label=${`Picture of ${combatant.name}`} value=${sheet.picture} set=${(/** @type {unknown} */ picture) => setSheet({ ...sheet, picture })} />
      <${Form} schema=${without(known.sheet)} value=${sheet} set=${(/** @type {string} */ name, /** @type {unknown} */ value) => setSheet({ ...sheet, [name]: value })} wrong=${wrongIn(fault, known.sheet)} who=${combatant.id} like=${readySheets(known)} explain />
      ${fault && wrongIn(fault, known.sheet) === null && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send"><button type="submit" class="primary" aria-disabled=${sending.value !== null}>Set</button></div>
    </form>
  `;
}

/** @param {Schema} schema @returns {Schema} */
function without(schema) {
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !OWN.includes(name)));
  return { ...schema, properties };
}
