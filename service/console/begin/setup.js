// A fight before it is opened: who takes part, in forms made from the rulebook's schemas.
import { html, useState } from "../view.js";
import { setDraft, useDraft } from "../draft.js";
import { Form, wrongIn } from "../schema/form.js";
import { Chips } from "../schema/chips.js";
import { fields } from "../schema/read.js";
import { openFight } from "./open.js";
import { apart } from "../map/apart.js";
import { models } from "./models.js";
import { Sheet } from "./sheet.js";

/** @import { Inputs, Party, Ruleset } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */

/** @typedef {{ sheet: Inputs, copies: number, key: number, hidden?: boolean }} Entrant */
/** @typedef {{ name: string, all: readonly Entrant[], options: Inputs, hand: { gm: string, players: string } }} Begun */

/** @param {{ ruleset: Ruleset, party: Party, back: () => void }} props */
export function Setup({ ruleset, party, back }) {
  const begun = `set-up ${ruleset.id} ${party.id}`;
  const [{ name, all, options, hand }, set, drop] = useDraft(begun, () => /** @type {Begun} */ ({ name: party.name, all: gathered(party), options: { ...party.options }, hand: { gm: "server", players: "server" } }));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const whole = apart(all.flatMap((one, index) => Array.from({ length: one.copies }, () => ({ sheet: one.sheet, hidden: one.hidden === true, index }))));

  /** @param {Partial<Begun>} more */
  const keep = (more) => set({ name, all, options, hand, ...more });
  const setName = (/** @type {string} */ text) => keep({ name: text });
  const setAll = (/** @type {readonly Entrant[]} */ others) => keep({ all: others });
  const setOptions = (/** @type {Inputs} */ others) => keep({ options: others });
  const setHand = (/** @type {Begun["hand"]} */ others) => keep({ hand: others });
  const giveUp = () => {
    drop();
    back();
  };
  /** @param {number} key @param {Partial<Entrant>} more */
  const change = (key, more) => setAll(all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const [choices] = useState(() => models(ruleset, [], "heroes"));
  const [like, setLike] = useState(party.sheets.length === 0 ? 0 : choices.length - 1);
  const add = () => setAll([...all, { sheet: { ...choices[like]?.sheet }, copies: 1, key: Math.max(0, ...all.map(({ key }) => key)) + 1 }]);

  /** @param {SubmitEvent} event */
  async function open(event) {
    event.preventDefault();
    const combatants = whole.map(({ sheet, hidden }) => ({ sheet, hidden }));
    const begin = /** @type {any} */ (event.submitter)?.value !== "later";
    const wrong = await openFight({ ruleset: ruleset.id, name, options, map: party.map, dice: hand, combatants }, begin, () => (drop(), setDraft("chosen", undefined)));
    setFault(wrong);
  }

  const [, where = "", which = ""] = fault?.pointer?.split("/") ?? [];
  const wrongOne = where === "combatants" ? whole[Number(which)]?.index : undefined;
  return html`
    <main class="begin setup">
      <form onSubmit=${open}>
        <header><button type="button" class="quiet" onClick=${giveUp}>← Back</button><h1>${ruleset.title}</h1></header>
        <label class="field"><span class="label">Name</span><input type="text" required maxlength="120" value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label>
        <h2>Who fights <small>${whole.length}</small></h2>
        ${all.map((one, index) => html`<${Sheet} key=${one.key} ruleset=${ruleset} entrant=${one} change=${(/** @type {Partial<Entrant>} */ more) => change(one.key, more)} remove=${() => setAll(all.filter((other) => other.key !== one.key))} fault=${index === wrongOne ? fault : null} />`)}
        <div class="field"><button type="button" onClick=${add}>Add somebody</button>
          <select aria-label="Like" value=${like} onChange=${(/** @type {any} */ event) => setLike(Number(event.target.value))}>${choices.map(({ label }, index) => html`<option key=${index} value=${index}>like ${label}</option>`)}</select>
        </div>
        <h2>Dice</h2>
        ${["gm", "players"].map((whose) => html`<div class="field" key=${whose}><span class="label">${whose === "gm" ? "The GM's" : "The players'"}</span><${Chips} label=${whose === "gm" ? "The GM's dice" : "The players' dice"} picks=${["server", "manual"]} chosen=${[/** @type {any} */ (hand)[whose]]} pick=${(/** @type {any} */ mode) => setHand({ ...hand, [whose]: mode })} /></div>`)}
        ${fields(ruleset.options).length > 0 &&
        html`<details class="tableoptions"><summary>The table's options</summary>
          <${Form} schema=${ruleset.options} value=${options} set=${(/** @type {string} */ field, /** @type {unknown} */ value) => setOptions({ ...options, [field]: value })} wrong=${where === "options" ? wrongIn(fault, ruleset.options) : null} ruleset=${ruleset} explain />
        </details>`}
        ${fault && html`<p class="fault" role="alert">${wrongOne === undefined ? "" : `${whole[Number(which)]?.sheet.name}: `}${fault.text}</p>`}
        <div class="send">
          <button type="submit" class="primary large">Begin</button>
          <button type="submit" class="large" value="later">Open the table first</button>
          <span class="hint">Open it first, and the others can come and mix a text of theirs into the dice before they fall.</span>
        </div>
      </form>
    </main>
  `;
}

/** The party's sheets, equal ones but for their places with a number. @param {Party} party @returns {Entrant[]} */
function gathered(party) {
  return party.sheets.map((sheet, index) => ({ sheet, copies: 1, key: index }));
}
