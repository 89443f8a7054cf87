// The banner above a moment of the past, with the actions for it.
import { html, useState } from "../view.js";
import { lookAs, lookAt, tell } from "../commands.js";
import { eyes, past, present, role, entries } from "../state.js";
import { attempt, fault, say, version } from "../play/act.js";
import { between, compared } from "./compare.js";
import { nameOf } from "./names.js";
import { sit } from "../session.js";

export function Banner() {
  if (past.value !== null) return html`<${PastBanner} />`;
  if (eyes.value !== null) return html`<${EyesBanner} />`;
  return null;
}

function PastBanner() {
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const shown = past.value;
  if (shown === null || present.value === null) return null;
  const since = entries.value.filter((entry) => entry.first > shown.version && !entry.undone).length;
  const more = (entries.value.at(-1)?.first ?? 0) > shown.version ? " or more" : "";
  const now = () => {
    compared.value = null; // the comparison was with the moment that the reader leaves
    void lookAt(null);
  };

  async function go() {
    const failed = await attempt("/goto", { version: shown?.version, reason }, version());
    if (failed !== null) return setWrong(failed.text);
    now();
    say("The fight goes on from here. What followed stays in the history.");
  }

  async function fork() {
    try {
      const opened = await tell("POST", "/fork", { version: shown?.version });
      say("A second fight begins here; the first one goes on.");
      sit({ combat: opened.combat, token: opened.token });
    } catch (failed) {
      setWrong(fault(failed).text);
    }
  }

  return html`
    <aside class="banner past" aria-label="The past" role="status">
      <p><b>Not the present.</b> This is ${shown.board.round > 0 ? `round ${shown.board.round}, ` : ""}${nameOf(shown.version)}; ${since}${more} ${since === 1 && !more ? "thing has" : "things have"} happened since.</p>
      <button type="button" class="primary" onClick=${now}>Back to now</button>
      ${role.value === "gm" &&
      html`<input type="text" aria-label="Reason" placeholder="reason" maxlength="500" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} />
        <button type="button" onClick=${go} title="The fight goes on from here; what followed stays in the history">Go on from here</button>
        <button type="button" onClick=${fork} title="A copy of the fight begins here; this one goes on">Copy from here</button>
        <button type="button" onClick=${() => between(shown.version, present.value?.version ?? shown.version)}>Compare with now</button>`}
      ${present.value.prompts.some((prompt) => prompt.answer === null && !prompt.suspended) && html`<span class="tag asked">you are asked, now</span>`}
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    </aside>
  `;
}

function EyesBanner() {
  const token = eyes.value?.token;
  return html`
    <aside class="banner past" aria-label="Other eyes" role="status">
      <p><b>Through the eyes of <bdi>${token?.label || token?.role}</bdi>.</b> Nothing can be done from here.</p>
      <button type="button" class="primary" onClick=${() => lookAs(null)}>Back to your own</button>
    </aside>
  `;
}
