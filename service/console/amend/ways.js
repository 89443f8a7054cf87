// The four ways to change a command: other faces, another answer, no command, or a new command
// before it.
import { html, useState } from "../view.js";
import { ruleset, shown } from "../state.js";
import { words } from "../board.js";
import { Chips } from "../schema/chips.js";
import { Form } from "../schema/form.js";
import { Chooser } from "./chooser.js";
import { Faces, fit } from "./faces.js";

/** @import { Combatant, Inputs, Schema } from "../shapes.d.ts" */
/** @import { Original } from "./original.js" */
/** @import { Amendment } from "./walk.js" */

/** @typedef {Amendment["changes"]} Changes */
/** @typedef {{ at: number, of: Original, set: (changes: Changes) => void }} WayProps */

const WAYS = /** @type {[string, string, (of: Original) => boolean, import("../view.d.ts").Component<WayProps>][]} */ ([
  ["faces", "Other dice", (of) => of.rolls.length > 0, OtherFaces],
  ["answer", "Something else", (of) => of.offers.length > 0, Instead],
  ["drop", "Not at all", () => true, Drop],
  ["ruling", "A ruling before it", (of) => of.rulings.length > 0, Before],
  ["sheet", "Other numbers on a sheet before it", () => true, Sheet],
]);

/** @param {WayProps} props */
export function Ways({ at, of, set }) {
  const ways = WAYS.filter(([, , fits]) => fits(of));
  const [way, setWay] = useState("");
  const chosen = ways.find(([id]) => id === way);
  const choose = (/** @type {string} */ id) => {
    set(id === "drop" ? [{ kind: "drop", at }] : []);
    setWay(id);
  };
  return html`
    <div class="options" role="group" aria-label="What should have been">
      ${ways.map(([id, label]) => html`<button type="button" class="option" key=${id} aria-pressed=${id === way} onClick=${() => choose(id)}>${label}</button>`)}
    </div>
    ${chosen && html`<div class="filling"><${chosen[3]} key=${way} at=${at} of=${of} set=${set} /></div>`}
  `;
}

/** @param {WayProps} props */
function OtherFaces({ of, set }) {
  const [faces, setFaces] = useState(/** @type {Record<number, (number | null)[]>} */ ({}));
  /** @param {number} version @param {(number | null)[]} next */
  function put(version, next) {
    const all = { ...faces, [version]: next };
    setFaces(all);
    const changed = of.rolls.filter((roll) => all[roll.version] !== undefined && String(all[roll.version]) !== String(roll.faces));
    const whole = changed.every((roll) => fit(roll.formula, all[roll.version] ?? []));
    set(whole ? changed.map((roll) => ({ kind: "set-faces", roll: roll.version, faces: /** @type {number[]} */ (all[roll.version]) })) : []);
  }
  const name = (/** @type {string} */ who) => shown.value?.combatants.find((combatant) => combatant.id === who)?.name ?? who;
  return html`${of.rolls.map((roll) => html`<${Faces} key=${roll.version} label=${`${name(roll.who)}: ${words(roll.purpose).toLowerCase()}`} formula=${roll.formula} faces=${faces[roll.version] ?? roll.faces} set=${(/** @type {(number | null)[]} */ next) => put(roll.version, next)} />`)}`;
}

/** @param {WayProps} props */
function Instead({ at, of, set }) {
  return html`<${Chooser}
    label="Instead"
    offers=${of.offers}
    schemas=${of.schemas}
    first=${of}
    set=${(/** @type {import("./chooser.js").Chosen} */ { offer, inputs }) =>
      set([of.kind === "rule" ? { kind: "replace", at, command: { type: "rule", ruling: offer.id, inputs } } : { kind: "set-answer", at, option: offer.id, inputs }])}
  />`;
}

function Drop() {
  return html`<p class="hint">This did not happen. Whoever was asked is asked anew.</p>`;
}

/** @param {WayProps} props */
function Before({ at, of, set }) {
  return html`<${Chooser}
    label="Ruling"
    offers=${of.rulings}
    schemas=${of.schemas}
    set=${(/** @type {import("./chooser.js").Chosen} */ { offer, inputs }) => set([{ kind: "insert", at, command: { type: "rule", ruling: offer.id, inputs } }])}
  />`;
}

/** Fields of a combatant that are not part of its sheet. */
const OWN = ["name", "side", "owner", "at", "picture"];

/** @param {WayProps} props */
function Sheet({ at, set }) {
  const [who, setWho] = useState(/** @type {string | null} */ (null));
  const [sheet, setSheet] = useState(/** @type {Inputs} */ ({}));
  const all = /** @type {Combatant[]} */ (shown.value?.combatants ?? []);
  const combatant = all.find((other) => other.id === who);
  const schema = /** @type {Schema} */ (ruleset.value?.sheet ?? {});
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !OWN.includes(name)));
  const choose = (/** @type {unknown} */ id) => {
    setWho(String(id));
    setSheet({});
    set([]);
  };
  const fill = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    const next = { ...sheet, [name]: value };
    setSheet(next);
    set([{ kind: "insert", at, command: { type: "change", who: String(who), sheet: next } }]);
  };
  return html`
    <p class="hint">Numbers that count from this moment on.</p>
    <${Chips} label="Whose sheet" picks=${all.map((other) => other.id)} chosen=${[who]} pick=${choose} refers="combatant" />
    ${combatant && html`<${Form} key=${who} schema=${{ ...schema, properties }} value=${{ .../** @type {Inputs} */ (combatant.sheet ?? {}), ...sheet }} set=${fill} who=${who} explain />`}
  `;
}
