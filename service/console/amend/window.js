// The window in which a GM changes a past command: edit it, read the report, apply it.
import { html, useEffect, useRef, useState } from "../view.js";
import { acting, present, progress, role } from "../state.js";
import { fault, say } from "../play/act.js";
import { short } from "../audit/lines.js";
import { takeBack } from "../time/verbs.js";
import { Window } from "../window.js";
import { asked } from "./open.js";
import { original } from "./original.js";
import { Report } from "./report.js";
import { apply, dryRun, NOTHING, Stale } from "./walk.js";
import { Ways } from "./ways.js";

/** @import { AmendmentReport } from "../shapes.d.ts" */
/** @import { Asked } from "./open.js" */
/** @import { Original } from "./original.js" */
/** @import { Amendment } from "./walk.js" */

export function AmendWindow() {
  const command = asked.value;
  if (command === null || role.value !== "gm") return null;
  const title = `${command.real ? "Change this" : "What if"}: ${short(command.title)}`;
  return html`<${Window} title=${title} close=${() => (asked.value = null)}><${Amending} key=${command.first} command=${command} /></${Window}>`;
}

/** @param {{ command: Asked }} props */
function Amending({ command }) {
  const [of, setOf] = useState(/** @type {Original | null} */ (null));
  const [amendment, setAmendment] = useState(NOTHING);
  const [report, setReport] = useState(/** @type {AmendmentReport | null} */ (null));
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState("");
  const walking = useRef(/** @type {AbortController | null} */ (null));
  const [waits, setWaits] = useState("");
  useEffect(() => {
    void original(command).then(setOf, (failed) => setWrong(fault(failed).text));
    return () => walking.current?.abort();
  }, [command.first]);

  /** Run one request. Cancel and closing the window abort it. @param {string} label @param {(signal: AbortSignal) => Promise<void>} work */
  async function run(label, work) {
    walking.current?.abort();
    const control = (walking.current = new AbortController());
    setWrong("");
    setWaits(label);
    try {
      await work(control.signal);
    } catch (failed) {
      if (control.signal.aborted) return;
      setWrong(failed instanceof Stale ? failed.message : fault(failed).text);
    } finally {
      if (walking.current === control) setWaits("");
    }
  }

  const look = (/** @type {Amendment} */ next) =>
    run("Deciding again", async (signal) => {
      setAmendment(next);
      setReport(await dryRun(next, "", signal));
    });

  const go = () =>
    run("Applying", async (signal) => {
      if (report === null) return;
      try {
        await apply(amendment, reason, report, signal);
      } catch (failed) {
        if (failed instanceof Stale) setReport(await dryRun(amendment, "", signal));
        throw failed;
      }
      asked.value = null;
      say("The past is changed.", takeBack);
    });

  /** Change the amendment. The report asks again for decisions about later commands. @param {Amendment["changes"]} changes */
  function change(changes) {
    walking.current?.abort();
    setAmendment({ ...NOTHING, dice: amendment.dice, changes });
    setReport(null);
    setWrong("");
  }

  const ready = amendment.changes.length > 0;
  const open = report?.ended != null && !report.ended.decided;
  return html`
    ${of === null && !wrong && html`<p>…</p>`}
    ${of !== null && html`<${Ways} at=${command.first} of=${of} set=${change} />`}
    <div class="send">
      <button type="button" class=${report === null ? "primary" : ""} aria-disabled=${!ready || waits !== ""} onClick=${() => ready && waits === "" && look(amendment)}>What would have happened?</button>
      <label>New dice <select value=${amendment.dice} onChange=${(/** @type {any} */ event) => setAmendment({ ...amendment, dice: event.target.value })}><option value="server">are rolled</option><option value="ask">I say what falls</option></select></label>
    </div>
    ${waits && html`<${Waiting} label=${waits} cancel=${() => (walking.current?.abort(), setWaits(""))} />`}
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    <div role="status">${report !== null && html`<${Report} report=${report} amendment=${amendment} more=${(/** @type {Partial<Amendment>} */ more) => look({ ...amendment, ...more })} />`}</div>
    ${report !== null && command.real && acting.value &&
    html`<form class="filling" aria-label="Apply" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), !open && waits === "" && go())}>
      <label class="field"><span class="label">Reason</span><input type="text" placeholder="optional" maxlength="500" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
      <p class="hint">${open ? "First decide what is asked above." : "Players see what happens now instead. They see neither this comparison nor the reason. “Take back” once undoes it."}</p>
      <div class="send"><button type="submit" class="primary" aria-disabled=${open || waits !== ""}>Apply</button></div>
    </form>`}
    ${report !== null && !command.real && acting.value && html`<button type="button" onClick=${() => (asked.value = { ...command, real: true })}>Make it so…</button>`}
  `;
}

/** @param {{ label: string, cancel: () => void }} props */
function Waiting({ label, cancel }) {
  const far = progress.value;
  const counted = far === null || present.value === null ? "" : `: ${far.done} of ${far.total}`;
  return html`
    <p role="status" class="walking">
      ${label}${counted} <progress max=${far?.total ?? 1} value=${far === null ? undefined : far.done} aria-label=${label}></progress>
      <button type="button" class="quiet" onClick=${cancel}>Cancel</button>
    </p>
  `;
}
