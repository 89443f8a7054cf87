// The sources of one event: each number with its terms, unused modifiers, and the causes.
import { html, useState } from "../view.js";
import { askSeen } from "../commands.js";
import { words } from "../board.js";
import { fault } from "../play/act.js";
import { Look } from "../time/moment.js";
import { Window } from "../window.js";
import { short } from "./lines.js";
import { RuleName } from "./rules.js";
import { signed } from "./sums.js";

/** @import { Derivation, SumView } from "../shapes.d.ts" */

/** @param {{ version: number }} props */
export function WhyEvent({ version }) {
  const [derivation, setFound] = useState(/** @type {Derivation | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const look = () => {
    setOpen(true);
    void askSeen(`/events/${version}/why`).then(setFound, (failed) => setWrong(fault(failed).text));
  };
  return html`
    <button type="button" class="quiet" onClick=${look}>Why?</button>
    ${open &&
    html`<${Window} title=${`Why? ${short(derivation?.text ?? "")}`} close=${close}>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      ${derivation === null && !wrong && html`<p>…</p>`}
      ${derivation !== null && html`<${Sources} of=${derivation} close=${close} />`}
    </${Window}>`}
  `;
}

/** @param {{ of: Derivation, close: () => void }} props */
function Sources({ of, close }) {
  const rules = explained(of);
  return html`
    ${of.sum && html`<section aria-label="The number"><h3>${of.formula ? html`Rolled ${of.sum.total} <small>${of.formula}</small>` : of.sum.total}</h3><${Parts} sum=${of.sum} faces=${of.faces} /></section>`}
    ${of.target && html`<section aria-label="The target number"><h3>The number to compare with: ${of.target.total}</h3><${Parts} sum=${of.target} faces=${null} /></section>`}
    ${rules.length > 0 && html`<section aria-label="Rules"><h3>Rules</h3><ul>${rules.map((rule) => html`<li key=${rule.id}><${RuleName} id=${rule.id} /> ${rule.says}${rule.parts.length > 0 && html` <small>for ${rule.parts.join(", ")}</small>`}</li>`)}</ul></section>`}
    ${of.causes.length > 0 &&
    html`<section aria-label="What led to it"><h3>What led to it</h3>
      <ol class="why">${of.causes.map((cause) => html`<li key=${cause.version}><div>${short(cause.text)} <span class="rules">${cause.rules.map((rule) => html`<${RuleName} id=${rule} key=${rule} />`)}</span> <${Look} version=${cause.version} label="Look" after=${close} /></div></li>`)}</ol>
    </section>`}
    ${of.replays && html`<p class="hint">The GM changed the past: this was decided again.</p>`}
  `;
}

/** Return each rule of an event and of its numbers once, with the parts that it explains. @param {Derivation} of */
export function explained(of) {
  /** @type {Map<string, { id: string, says: string, parts: string[] }>} */
  const all = new Map(of.rules.map(({ id, says }) => [id, { id, says, parts: [] }]));
  for (const { source, value, rule, says } of [...(of.sum?.terms ?? []), ...(of.target?.terms ?? [])]) {
    if (rule === "") continue;
    const known = all.get(rule) ?? { id: rule, says, parts: [] };
    all.set(rule, { ...known, parts: [...known.parts, `${signed(value)} ${words(source).toLowerCase()}`] });
  }
  return [...all.values()];
}

/** @param {{ sum: SumView, faces: readonly number[] | null | undefined }} props */
function Parts({ sum, faces }) {
  return html`
    <table class="sum"><tbody>
      ${faces && html`<tr><td class="n">${faces.join(", ")}</td><td>dice</td><td></td></tr>`}
      ${sum.terms.map((term, index) => html`<tr key=${index}><td class="n">${index === 0 && !faces ? term.value : signed(term.value)}</td><td>${words(term.source)}</td><td>${term.rule && html`<${RuleName} id=${term.rule} />`}</td></tr>`)}
      <tr class="total"><td class="n">${sum.total}</td><td></td><td></td></tr>
      ${sum.absent.map((part, index) => html`<tr class="absent" key=${`not ${index}`}><td class="n">${part.value !== null && html`<s>${part.value}</s>`}</td><td>${part.label}: <span class="hint">${part.why}</span></td><td>${part.rule && html`<${RuleName} id=${part.rule} />`}</td></tr>`)}
    </tbody></table>
  `;
}
