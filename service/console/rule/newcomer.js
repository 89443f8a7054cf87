// Somebody joins the fight: a sheet to begin from, changed as it should be, as often as it comes.
import { html, useState } from "../view.js";
import { useInView } from "../focus.js";
import { useDraft } from "../draft.js";
import { Sheet } from "../begin/sheet.js";
import { apart } from "../map/apart.js";
import { bodies, ground } from "../map/shapes.js";
import { models } from "../begin/models.js";
import { attempt, say, sending } from "../play/act.js";
import { ruleset, shown } from "../state.js";
import { takeBack } from "../time/verbs.js";

/** @import { Inputs, Ruleset } from "../shapes.d.ts" */
/** @import { Entrant } from "../begin/setup.js" */
/** @import { Fault } from "../play/act.js" */

/** @param {{ done: () => void }} props */
export function Newcomer({ done }) {
  const known = /** @type {Ruleset} */ (ruleset.value);
  const [choices] = useState(() => modelsOf(known));
  const [entrant, setEntrant, drop] = useDraft("newcomer", /** @type {Entrant} */ ({ sheet: choices[0]?.sheet ?? {}, copies: 1, key: 0 }));
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
      const wrong = await attempt("/combatants", { sheet, hidden });
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
      <label><input type="checkbox" checked=${hidden} onChange=${(/** @type {any} */ event) => setHidden(event.target.checked)} /> hidden: only the GM and its own player know of it</label>
      ${fault && html`<p class="fault" role="alert">${fault.text}</p>`}
      <div class="send">
        <button type="submit" class="primary" aria-disabled=${sending.value !== null}>Join</button>
        <button type="button" class="quiet" onClick=${() => (drop(), done())}>Not now</button>
      </div>
    </form>
  `;
}

/** Where nobody else can stand. */
function occupied() {
  const board = shown.peek();
  if (board === null) return [];
  const walls = ground(board.map ?? {}).filter((one) => one.kind !== "difficult");
  return [...bodies(board), ...walls.map((one) => ({ x: one.x, y: one.y, size: Math.max(one.width, one.height) }))];
}

/** @param {Ruleset} known */
function modelsOf(known) {
  const here = shown.peek()?.combatants.filter((combatant) => combatant.sheet) ?? [];
  const sheets = here.map(({ name, side, position, sheet }) => ({ label: `${name} (in this fight)`, sheet: { .../** @type {Inputs} */ (sheet), name: name.replace(/ \d+$/, ""), side, at: position } }));
  return models(known, sheets, shown.peek()?.sides[0] ?? "heroes");
}
