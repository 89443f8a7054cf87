// A new combatant: a sheet to start from, changes to it, and the number of copies.
import { html, useEffect, useState } from "../view.js";
import { useInView } from "../focus.js";
import { useDraft } from "../draft.js";
import { Sheet } from "../begin/sheet.js";
import { apart, free } from "../map/apart.js";
import { bodies, walls } from "../map/shapes.js";
import { place } from "../map/wanted.js";
import { modelled, models } from "../begin/models.js";
import { Sides } from "../begin/side.js";
import { identified } from "../schema/values.js";
import { attempt, say, sending } from "../play/act.js";
import { ruleset, shown, wanted } from "../state.js";
import { takeBack } from "../time/verbs.js";

/** @import { Inputs, Ruleset, Square } from "../shapes.d.ts" */
/** @import { Entrant } from "../begin/setup.js" */
/** @import { Fault } from "../play/act.js" */

/** @param {{ done: () => void }} props */
export function Newcomer({ done }) {
  const known = /** @type {Ruleset} */ (ruleset.value);
  const [choices] = useState(() => modelsOf(known));
  const [entrant, setEntrant, drop] = useDraft("newcomer", /** @type {Entrant} */ ({ sheet: choices[0]?.sheet ?? {}, copies: 1, key: 0 }));
  const setSheet = (/** @type {Inputs} */ more) => setEntrant({ ...entrant, sheet: { ...entrant.sheet, ...more } });
  /** Change a mistyped side to the existing one. @param {string} from @param {string} to */
  function unite(from, to) {
    const side = shown.peek()?.sides.includes(from) ? from : to;
    setSheet({ side, at: beside(side) });
  }
  const [hidden, setHidden] = useState(false);
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const choose = (/** @type {number} */ at) => {
    setFault(null);
    setEntrant({ sheet: choices[at]?.sheet ?? {}, copies: 1, key: entrant.key + 1 });
  };

  async function join(/** @type {Event} */ event) {
    event.preventDefault();
    const all = apart(Array.from({ length: entrant.copies }, () => ({ sheet: entrant.sheet })), occupied());
    for (const [index, { sheet }] of all.entries()) {
      const wrong = await attempt("/combatants", { sheet: identified(sheet, known.sheet), hidden });
      setFault(wrong);
      if (wrong !== null) return setEntrant({ ...entrant, copies: all.length - index });
    }
    say(`${entrant.sheet.name} ${entrant.copies > 1 ? `(${entrant.copies} of them) join` : "joins"}.`, entrant.copies > 1 ? undefined : takeBack);
    drop();
    done();
  }

  const form = useInView();
  return html`
    <form class="filling" ref=${form} aria-label="Somebody joins" onSubmit=${join}>
      <div class="field"><span class="label">Like</span>
        <select aria-label="Like" onChange=${(/** @type {any} */ event) => choose(Number(event.target.value))}>
          ${choices.map(({ label }, index) => html`<option key=${index} value=${index}>${label}</option>`)}
        </select>
      </div>
      <${Sheet} key=${entrant.key} ruleset=${known} entrant=${entrant} change=${(/** @type {Partial<Entrant>} */ more) => setEntrant({ ...entrant, ...more })} fault=${fault} />
      <${Side} side=${String(entrant.sheet.side ?? "")} set=${(/** @type {string} */ side) => setSheet({ side, at: beside(side) })} />
      ${!shown.value?.sides.includes(String(entrant.sheet.side ?? "")) && html`<${Sides} sheets=${[...fighters(), entrant.sheet]} unite=${unite} />`}
      <${Stand} at=${/** @type {Square | undefined} */ (entrant.sheet.at ?? undefined)} set=${(/** @type {Square | undefined} */ at) => setSheet({ at })} />
      <label><input type="checkbox" checked=${hidden} onChange=${(/** @type {any} */ event) => setHidden(event.target.checked)} /> hidden: only the GM and its own player know of it</label>
      ${fault && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>Join</button>
        <button type="button" class="quiet" onClick=${() => (drop(), done())}>Not now</button>
      </div>
    </form>
  `;
}

/** The side of the new combatant: an existing one or another. @param {{ side: string, set: (side: string) => void }} props */
function Side({ side, set }) {
  const sides = shown.value?.sides ?? [];
  const [another, setAnother] = useState(!sides.includes(side));
  return html`
    <div class="field" role="group" aria-label="Fights for">
      <span class="label">Fights for</span>
      <div class="chips">
        ${sides.map((text) => html`<button type="button" class="chip" key=${text} aria-pressed=${!another && text === side} onClick=${() => (setAnother(false), set(text))}><bdi>${text}</bdi></button>`)}
        <button type="button" class="chip" aria-pressed=${another} onClick=${() => setAnother(true)}>another side</button>
        ${another && html`<input type="text" aria-label="Name of the other side" required value=${sides.includes(side) ? "" : side} onInput=${(/** @type {any} */ event) => set(event.target.value)} />`}
      </div>
    </div>
  `;
}

const OWNER = "somebody joins";

/** The position of the new combatant: beside its side, or on a tapped square. @param {{ at: Square | undefined, set: (at: Square | undefined) => void }} props */
function Stand({ at, set }) {
  const taking = wanted.value?.owner === OWNER;
  const stop = () => taking && (wanted.value = null);
  useEffect(() => () => void (wanted.peek()?.owner === OWNER && (wanted.value = null)), []);
  const choose = (/** @type {Square} */ square) => {
    wanted.value = null;
    set(square);
  };
  const take = () => (wanted.value = { owner: OWNER, who: null, path: false, from: null, squares: at ? [at] : [], goals: [], choose, back: () => void (wanted.value = null) });
  return html`
    <div class="field" role="group" aria-label="Stands at">
      <span class="label">Stands at</span>
      <div class="chips">
        <output>${at ? place(at) : "no square yet"}</output>
        <button type="button" aria-pressed=${taking} onClick=${() => (taking ? stop() : take())}>${taking ? "Tap a square on the map" : "Choose on the map"}</button>
        ${at && html`<button type="button" class="quiet" onClick=${() => (stop(), set(undefined))}>No square yet</button>`}
      </div>
    </div>
  `;
}

/** Return a free square next to a combatant of the side, or null. @param {string} side @returns {Square | undefined} */
function beside(side) {
  const standing = shown.peek()?.combatants.filter((combatant) => combatant.in_fight && combatant.position !== null) ?? [];
  const near = standing.find((combatant) => combatant.side === side) ?? standing[0];
  return near?.position ? free(near.position, occupied()) : undefined;
}

/** Return the occupied squares. */
function occupied() {
  const board = shown.peek();
  if (board === null) return [];
  return [...bodies(board), ...walls(board.map ?? {})];
}

/** Return the combatants of this fight as sheets. @returns {Inputs[]} */
const fighters = () => (shown.peek()?.combatants ?? []).map(({ name, side, owner }) => ({ name, side, owner }));

/** Return the side of the GM's combatants, or else the last side. */
const foes = () => shown.peek()?.combatants.find((combatant) => combatant.in_fight && !combatant.owner)?.side ?? shown.peek()?.sides.at(-1) ?? "foes";

/** Return the sheets to start from, beginning with the GM's combatants. Each has an existing side. @param {Ruleset} known */
function modelsOf(known) {
  const board = shown.peek();
  const here = [...(board?.combatants.filter((combatant) => combatant.sheet) ?? [])].sort((a, b) => Number(Boolean(a.owner)) - Number(Boolean(b.owner)));
  const sheets = here.map(({ name, side, sheet }) => {
    const kind = name.replace(/ \d+$/, "");
    return { label: `Another ${kind}`, sheet: { .../** @type {Inputs} */ (sheet), name: kind, side, ...(board?.combatants.some((combatant) => combatant.name === name && combatant.owner) ? { owner: undefined } : {}) } };
  });
  return models(known, sheets).map((model) => {
    const wanted = String(modelled(known, model, fighters(), true).side);
    const side = board?.sides.includes(wanted) ? wanted : foes();
    return { label: model.label, sheet: { ...model.sheet, side, at: beside(side) } };
  });
}
