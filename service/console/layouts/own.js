// What a player reads while others act: the sheets of the player's combatants, and a plan.
import { html } from "../view.js";
import { useDraft } from "../draft.js";
import { present, ruleset, shown } from "../state.js";
import { called, pools } from "../board.js";
import { Stats } from "../audit/sheet.js";

export function Own() {
  const combatants = shown.value?.combatants.filter((combatant) => present.value?.you.combatants.includes(combatant.id)) ?? [];
  const [plan, setPlan] = useDraft("plan", "");
  return html`
    <label class="plan"><span class="label">Your plan, seen by nobody else</span>
      <textarea rows="2" maxlength="500" value=${plan} onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => setPlan(event.currentTarget.value)}></textarea></label>
    ${combatants.map(
      (combatant) => html`<section key=${combatant.id} class="own">
        <h3><bdi>${combatant.name}</bdi> <small>${[combatant.wound, ...pools(combatant, ruleset.value).map((pool) => `${pool.label} ${pool.value}${pool.maximum === null ? "" : ` of ${pool.maximum}`}`)].join(" · ")}</small></h3>
        ${combatant.conditions.length > 0 && html`<ul class="conditions">${combatant.conditions.map((held) => html`<li key=${held.key + held.id}><b>${called("condition", held.id, ruleset.value)}</b> ${ruleset.value?.conditions.find((known) => known.id === held.id)?.effect}</li>`)}</ul>`}
        <${Stats} combatant=${combatant} />
      </section>`,
    )}
  `;
}
