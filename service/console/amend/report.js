// The report on an amendment: what becomes of each later command, and which decisions are missing.
import { html, useState } from "../view.js";
import { shown } from "../state.js";
import { words } from "../board.js";
import { RuleName } from "../audit/rules.js";
import { short } from "../audit/lines.js";
import { gathered } from "../audit/outcome.js";
import { Faces, fit } from "./faces.js";

/** @import { AmendedLine, AmendmentReport, Prompt, Result } from "../shapes.d.ts" */
/** @import { Amendment } from "./walk.js" */

/** @typedef {(more: Partial<Amendment>) => void} More changes the amendment, and requests a new report */
/** @typedef {{ report: AmendmentReport, amendment: Amendment, more: More }} ReportProps */

/** @param {ReportProps} props */
export function Report({ report, amendment, more }) {
  const lines = merged(report.lines);
  return html`
    <section class="report" aria-label="What would be">
      <ol>${lines.map((line, index) => html`<${Line} key=${`${line.at} ${index}`} line=${line} />`)}</ol>
      ${lines.length === 0 && !report.ended && html`<p>Nothing else happens.</p>`}
      ${report.ended && html`<${Needed} report=${report} amendment=${amendment} more=${more} />`}
      <h3>${report.ended ? "Different then" : "Different in the end"}</h3>
      ${report.end.text.length > 0 ? html`<ul class="difference">${report.end.text.map((text, index) => html`<li key=${index}>${text}</li>`)}</ul>` : html`<p>${SAME}</p>`}
      <p class="hint">${counted(report)}</p>
    </section>
  `;
}

/** @param {AmendmentReport} report */
function counted({ kept, fresh, chance }) {
  const rolls = kept > 0 ? `${kept} ${kept === 1 ? "roll falls" : "rolls fall"} as before. ` : "";
  const others = fresh > 0 ? `${fresh} ${fresh === 1 ? "roll is" : "rolls are"} new. ` : "";
  return rolls + others + (chance ? "Lines “by chance” follow new dice. These dice are only a trial: when you apply the change, others may fall." : "");
}

/** A comparison without a line. */
export const SAME = "Nothing else: all have the same hit points, conditions and squares.";

/** Return the lines with adjacent lines of the same story merged. @param {readonly AmendedLine[]} lines */
function merged(lines) {
  /** @type {AmendedLine[]} */
  const all = [];
  for (const line of lines) {
    const { before, after, asked = [], commands = 1 } = line;
    const same = line.verdict === "different" && asked.length === 0 && !line.changed && before && after && said(before) === said(after);
    const next = same ? { ...line, verdict: /** @type {const} */ ("same"), before: null, after: null } : line;
    const last = all.at(-1);
    if (last?.verdict === "same" && next.verdict === "same" && !last.asked?.length && !next.asked?.length) all[all.length - 1] = { ...last, commands: (last.commands ?? 1) + commands };
    else all.push(next);
  }
  return all;
}

const SIGNS = /** @type {Record<string, string>} */ ({ same: "=", different: "≠", impossible: "✕", "not-asked": "–", dropped: "–", added: "+", open: "?" });
const SAYS = /** @type {Record<string, string>} */ ({ different: "Different", impossible: "Impossible", "not-asked": "Not asked", dropped: "Not given", added: "New", open: "It stops here" });

/** @param {{ line: AmendedLine }} props */
function Line({ line }) {
  const { verdict, commands = 1, before, after, rule, detail, chance, asked = [] } = line;
  const told = verdict === "same" ? `${commands === 1 ? "1 deed stays" : `${commands} deeds stay`} as before` : SAYS[verdict];
  return html`
    <li class=${`amended ${verdict}`}>
      <span aria-hidden="true">${SIGNS[verdict]}</span>
      <div>
        <b>${told}</b>${chance && html` <span class="tag">by chance</span>`}
        ${before && html`<p class=${verdict === "different" ? "before" : ""}>${said(before)}</p>`}
        ${after && html`<p class="after">${verdict === "different" ? "now: " : ""}${said(after)}</p>`}
        ${detail && html`<p class="hint">${detail} ${rule && html`<${RuleName} brief id=${rule} />`}</p>`}
        ${asked.length > 0 && html`<p class="hint">${asked.length === 1 ? "A new question is" : `${asked.length} new questions are`} answered before it.</p>`}
      </div>
    </li>
  `;
}

/** @param {Result} result */
function said({ sentence, sum, changes }) {
  return [short(sentence), sum, ...gathered(changes)].filter(Boolean).join(" · ") || "nothing to see";
}

/** Why the replay stopped, and the GM's decision about it. @param {ReportProps} props */
function Needed({ report, amendment, more }) {
  const ended = report.ended;
  if (ended === null) return null;
  if (ended.why === "impossible") {
    return html`
      <div class="needed" role="group" aria-label="An impossible deed">
        <p>This deed is impossible now. What becomes of it?</p>
        <div class="send">
          <button type="button" onClick=${() => more({ changes: [...amendment.changes, { kind: "drop", at: ended.at }] })}>Leave it out</button>
          <button type="button" onClick=${() => more({ impossible: "skip" })}>Leave out all such</button>
          ${!ended.decided && html`<button type="button" onClick=${() => more({ impossible: "stop" })}>End there</button>`}
        </div>
      </div>
    `;
  }
  if (ended.why === "roll" && ended.roll !== null) {
    const { who, purpose, formula } = ended.roll;
    return html`<${NewRoll} key=${`${who} ${purpose} ${amendment.faces.length}`} who=${who} purpose=${purpose} formula=${formula} give=${(/** @type {number[]} */ faces) => more({ faces: [...amendment.faces, { faces, who, purpose }] })} server=${() => more({ dice: "server" })} />`;
  }
  return html`
    <div class="needed" role="group" aria-label="New questions">
      ${ended.prompts.map((prompt) => html`<${NewPrompt} key=${`${prompt.id} ${amendment.answers.length}`} prompt=${prompt} at=${ended.at} amendment=${amendment} more=${more} />`)}
      ${amendment.prompts === "ask" && html`<button type="button" onClick=${() => more({ prompts: "default" })}>Give all new questions their usual answer</button>`}
    </div>
  `;
}

/** @param {{ prompt: Prompt, at: number, amendment: Amendment, more: More }} props */
function NewPrompt({ prompt, at, amendment, more }) {
  if (prompt.kind === "roll") {
    const formula = String(prompt.data.formula ?? "");
    return html`<${NewRoll} who=${prompt.who ?? ""} purpose=${prompt.name} formula=${formula} text=${prompt.text} give=${(/** @type {number[]} */ faces) => more({ faces: [...amendment.faces, { faces, who: prompt.who, purpose: prompt.name }] })} />`;
  }
  const answer = (/** @type {string} */ option) => more({ answers: [...amendment.answers, { at, who: prompt.who, name: prompt.name, option }] });
  return html`
    <div role="group" aria-label=${prompt.text}>
      <p><span class="tag asked">new</span> ${prompt.text}</p>
      <div class="options">${prompt.options.map((option) => html`<button type="button" class="option" key=${option} onClick=${() => answer(option)}>${words(option)}${option === prompt.default && html` <small>usual</small>`}</button>`)}</div>
    </div>
  `;
}

/** @param {{ who: string, purpose: string, formula: string, text?: string, give: (faces: number[]) => void, server?: () => void }} props */
function NewRoll({ who, purpose, formula, text, give, server }) {
  const [faces, setFaces] = useState(/** @type {(number | null)[]} */ ([]));
  const name = shown.value?.combatants.find((combatant) => combatant.id === who)?.name ?? who;
  const label = `${name}: ${words(purpose).toLowerCase()}`;
  return html`
    <form class="filling" aria-label=${`New roll, ${label}`} onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), fit(formula, faces) && give(faces))}>
      <p><span class="tag asked">new</span> ${text ?? `${name} rolls ${formula} for ${words(purpose).toLowerCase()}.`}</p>
      <${Faces} label=${label} formula=${formula} faces=${faces} set=${setFaces} />
      <div class="send"><button type="submit" class="primary" aria-disabled=${!fit(formula, faces)}>These faces</button>
        ${server && html`<button type="button" onClick=${server}>Roll it</button>`}</div>
    </form>
  `;
}
