// Set-up of a fight: its combatants, in forms from the rulebook's schemas.
import { html, useState } from "../view.js";
import { setDraft, useDraft } from "../draft.js";
import { Form, wrongIn } from "../schema/form.js";
import { Chips } from "../schema/chips.js";
import { fields } from "../schema/read.js";
import { openFight } from "./open.js";
import { identified } from "../schema/values.js";
import { apart, placed } from "../map/apart.js";
import { walls } from "../map/shapes.js";
import { place } from "../map/wanted.js";
import { modelled, models } from "./models.js";
import { Sheet } from "./sheet.js";
import { Sides } from "./side.js";

/** @import { Inputs, Party, Ruleset } from "../shapes.d.ts" */
/** @import { Fault } from "../play/act.js" */

/** @typedef {{ sheet: Inputs, copies: number, key: number, hidden?: boolean }} Entrant */
/** @typedef {{ name: string, all: readonly Entrant[], options: Inputs, hand: { gm: string, players: string }, mapped?: boolean }} Begun */

const DICE = { server: "Rolled by the service", manual: "Rolled by hand" };
const MAPS = { yes: "On a map", no: "Without a map" };

/** @param {{ ruleset: Ruleset, party: Party, back: () => void }} props */
export function Setup({ ruleset, party, back }) {
  const begun = `set-up ${ruleset.id} ${party.id}`;
  const [{ name, all, options, hand, mapped = true }, set, drop] = useDraft(begun, () => /** @type {Begun} */ ({ name: party.name || "A fight of our own", all: gathered(party), options: { ...party.options }, hand: { gm: "server", players: "server" } }));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const copies = all.flatMap((entrant, index) => Array.from({ length: entrant.copies }, () => ({ sheet: mapped ? entrant.sheet : without(entrant.sheet), hidden: entrant.hidden === true, index })));
  const whole = mapped ? placed(copies, walls(party.map ?? {}), party.sheets.length > 0 ? 0 : undefined) : apart(copies);
  const sheets = copies.map(({ sheet }) => sheet);
  const sides = [...new Set(sheets.map(({ side }) => String(side ?? "")))].filter(Boolean);

  /** @param {Partial<Begun>} more */
  const keep = (more) => set({ name, all, options, hand, mapped, ...more });
  const setName = (/** @type {string} */ text) => keep({ name: text });
  const setAll = (/** @type {readonly Entrant[]} */ others) => keep({ all: others });
  const setOptions = (/** @type {Inputs} */ others) => keep({ options: others });
  const setHand = (/** @type {Begun["hand"]} */ others) => keep({ hand: others });
  const giveUp = () => {
    drop();
    back();
  };
  /** @param {number} key @param {Partial<Entrant>} more */
  const change = (key, more) => setAll(all.map((entrant) => (entrant.key === key ? { ...entrant, ...more } : entrant)));
  const [choices] = useState(() => models(ruleset));
  const [like, setLike] = useState(party.sheets.length === 0 ? 0 : choices.length - 1);
  const add = () => setAll([...all, { sheet: modelled(ruleset, choices[like], sheets), copies: 1, key: Math.max(0, ...all.map(({ key }) => key)) + 1 }]);

  /** Move all combatants of one side to another. @param {string} from @param {string} to */
  const unite = (from, to) => setAll(all.map((entrant) => (entrant.sheet.side === from ? { ...entrant, sheet: { ...entrant.sheet, side: to } } : entrant)));

  /** @param {SubmitEvent} event */
  async function open(event) {
    event.preventDefault();
    const combatants = whole.map(({ sheet, hidden }) => ({ sheet: identified(sheet, ruleset.sheet), hidden }));
    const begin = /** @type {any} */ (event.submitter)?.value !== "later";
    if (begin && combatants.length === 0) return setFault({ text: "Nobody fights yet. Add somebody first.", pointer: null, rule: null, allowed: [] });
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
        ${all.map((entrant, index) => html`<${Sheet} key=${entrant.key} ruleset=${ruleset} entrant=${entrant} sides=${sides} square=${mapped ? place(/** @type {number[]} */ (whole.find((other) => other.index === index)?.sheet.at ?? [])) : null} change=${(/** @type {Partial<Entrant>} */ more) => change(entrant.key, more)} remove=${() => setAll(all.filter((other) => other.key !== entrant.key))} fault=${index === wrongOne ? fault : null} />`)}
        <div class="field"><button type="button" onClick=${add}>Add somebody</button>
          <select aria-label="Like" value=${like} onChange=${(/** @type {any} */ event) => setLike(Number(event.target.value))}>${choices.map(({ label }, index) => html`<option key=${index} value=${index}>like ${label}</option>`)}</select>
        </div>
        <${Sides} sheets=${sheets} unite=${unite} />
        <div class="field"><span class="label">Map</span><${Chips} label="Map" picks=${["yes", "no"]} titles=${MAPS} chosen=${[mapped ? "yes" : "no"]} pick=${(/** @type {any} */ yes) => keep({ mapped: yes === "yes" })} /></div>
        <h2>Dice</h2>
        ${["gm", "players"].map((whose) => html`<div class="field" key=${whose}><span class="label">${whose === "gm" ? "The GM's" : "The players'"}</span><${Chips} label=${whose === "gm" ? "The GM's dice" : "The players' dice"} picks=${["server", "manual"]} titles=${DICE} chosen=${[/** @type {any} */ (hand)[whose]]} pick=${(/** @type {any} */ mode) => setHand({ ...hand, [whose]: mode })} /></div>`)}
        ${fields(ruleset.options).length > 0 &&
        html`<details class="tableoptions"><summary>The table's options</summary>
          <${Form} schema=${ruleset.options} value=${options} set=${(/** @type {string} */ field, /** @type {unknown} */ value) => setOptions({ ...options, [field]: value })} wrong=${where === "options" ? wrongIn(fault, ruleset.options) : null} ruleset=${ruleset} explain />
        </details>`}
        ${fault && html`<p class="fault" role="alert">${wrongOne === undefined ? "" : `${whole[Number(which)]?.sheet.name}: `}${fault.text}</p>`}
        <div class="send">
          <button type="submit" class="primary large">Begin</button>
          <button type="submit" class="large" value="later">Open the table first</button>
          <span class="hint">Open it first, and the players can come before the fight begins.</span>
        </div>
      </form>
    </main>
  `;
}

/** Return a sheet without its square. @param {Inputs} sheet @returns {Inputs} */
function without({ at, ...others }) {
  return others;
}

/** Return the sheets of a party. Sheets that differ only in their squares become one with a number of copies. @param {Party} party @returns {Entrant[]} */
function gathered(party) {
  return party.sheets.map((sheet, index) => ({ sheet, copies: 1, key: index }));
}
