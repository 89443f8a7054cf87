// Every command as a tick, rounds as blocks; undone ones below. Dragging looks at a moment.
import { html } from "../view.js";
import { entries, lookAt, past, present, role } from "../store.js";
import { short } from "../audit/log.js";
import { Verbs } from "./verbs.js";

/** @import { Entry } from "../shapes.d.ts" */

export function Ribbon() {
  if (role.value !== "gm" || present.value === null) return null;
  const all = [...entries.value].reverse();
  if (all.length === 0) return null;
  const now = present.value.version;
  const at = past.value?.version ?? now;
  const index = Math.max(0, all.findLastIndex((one) => one.last <= at));
  const move = (/** @type {number} */ to) => {
    const one = all[Math.max(0, Math.min(all.length - 1, to))];
    if (one !== undefined) void lookAt(to >= all.length - 1 ? null : one.last);
  };
  return html`
    <section class="ribbon" aria-label="Time">
      <${Verbs} />
      <div class="track">
        <div class="ticks" aria-hidden="true">
          ${all.map(
            (one, number) => html`<i
              key=${one.first}
              class=${["tick", one.undone && "undone", number === index && "at", (number === 0 || all[number - 1]?.round !== one.round) && "first"].filter(Boolean).join(" ")}
              data-round=${number === 0 || all[number - 1]?.round !== one.round ? `R${one.round}` : undefined}
              title=${told(one)}
              onClick=${() => move(number)}
            ></i>`,
          )}
        </div>
        <input type="range" id="moment" min="0" max=${all.length - 1} value=${index} aria-label="Moment" aria-valuetext=${all[index] && told(/** @type {Entry} */ (all[index]))} onInput=${(/** @type {any} */ event) => move(Number(event.target.value))} />
      </div>
      <output class="here">${past.value === null ? "now" : all[index] && told(/** @type {Entry} */ (all[index]))}</output>
    </section>
  `;
}

/** @param {Entry} entry */
const told = (entry) => `${entry.round > 0 ? `R${entry.round} ` : ""}${short(entry.lines?.[0]?.text ?? "")}${entry.undone ? " (taken back)" : ""}`;
