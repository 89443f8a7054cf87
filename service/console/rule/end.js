// The confirmation of the end of a fight.
import { html, useState } from "../view.js";
import { Chips } from "../schema/chips.js";
import { attempt } from "../play/act.js";
import { present } from "../state.js";

/** @param {{ done: () => void, winners?: readonly string[] }} props */
export function End({ done, winners: likely = [] }) {
  const [winners, setWinners] = useState(likely);
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const toggle = (/** @type {string} */ side) => setWinners(winners.includes(side) ? winners.filter((winner) => winner !== side) : [...winners, side]);
  async function end(/** @type {Event} */ event) {
    event.preventDefault();
    const fault = await attempt("/end", { winners: winners.length > 0 ? winners : null, reason });
    if (fault === null) done();
    else setWrong(fault.text);
  }
  return html`
    <form onSubmit=${end}>
      <p>Everybody can then check the dice under Dice proof. You can take back the end, and go on with the fight.</p>
      <div class="field" role="group" aria-label="Winners"><span class="label">Winners</span><${Chips} label="Winners" several picks=${present.value?.sides ?? []} chosen=${winners} pick=${toggle} refers="side" /></div>
      <div class="field"><span class="label">Reason</span><input type="text" aria-label="Reason" maxlength="500" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></div>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      <button type="submit" class="danger">End the fight</button>
    </form>
  `;
}
