// Every number of a combatant with its terms and the modifiers that do not count.
import { html, useEffect, useState } from "../view.js";
import { askSeen } from "../commands.js";
import { eyes, past, present } from "../state.js";
import { meaning, words } from "../board.js";
import { Formula } from "./formula.js";

/** @import { Combatant, Explanation } from "../shapes.d.ts" */

/** @param {{ combatant: Combatant }} props */
export function Numbers({ combatant }) {
  const [all, setAll] = useState(/** @type {readonly Explanation[]} */ ([]));
  const at = past.value?.version;
  const version = present.value?.version;
  const through = eyes.value?.token.id;
  useEffect(() => {
    const query = at === undefined ? "" : `?at=${at}`;
    void askSeen(`/combatants/${encodeURIComponent(combatant.id)}/explain${query}`).then(
      (answer) => setAll(answer.numbers),
      () => setAll([]),
    );
  }, [combatant.id, at, version, through]);
  const told = all.filter((number) => (number.parts.length > 0 || number.value !== 0) && !(number.name in combatant.tracks) && !(number.name in combatant.budget));
  const label = (/** @type {Explanation} */ number) => {
    const about = meaning(number.about);
    return told.some((other) => other !== number && other.about === number.about) ? words(number.name.replace(/^.*\./, "")) : about;
  };
  return html`<div class="explained">${told.map((number) => html`<${Explained} key=${number.name} number=${number} label=${label(number)} />`)}</div>`;
}

/** @param {{ number: Explanation, label: string }} props */
function Explained({ number, label }) {
  const [open, setOpen] = useState(false);
  return html`
    <div>
      <button type="button" class="number" aria-expanded=${open} onClick=${() => setOpen(!open)}><span>${label}</span> <b>${number.value}</b></button>
      ${open && html`<${Formula} number=${number} />`}
    </div>
  `;
}
