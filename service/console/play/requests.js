// Requests to the GM for an undo, a ruling or a pause.
import { html, useEffect, useState } from "../view.js";
import { ask } from "../commands.js";
import { acting, entries, present, role, shown, you } from "../state.js";
import { short } from "../audit/lines.js";
import { open as change } from "../amend/open.js";
import { attempt, say, sending, version } from "./act.js";

/** @import { Request } from "../shapes.d.ts" */

const KINDS = /** @type {Record<string, string>} */ ({ undo: "Undo", ruling: "Ruling", pause: "Pause" });
const WANTS = /** @type {Record<string, string>} */ ({ undo: "asks to take back what was done last", ruling: "asks for a ruling", pause: "asks for a pause" });
const GRANTS = /** @type {Record<string, string>} */ ({ undo: "Take it back", ruling: "I will rule", pause: "Pause" });

export function Requests() {
  const [open, setOpen] = useState(/** @type {readonly Request[]} */ ([]));
  const version = present.value?.version;
  const fits = acting.value && role.value !== "spectator" && present.value?.status !== "ended";
  useEffect(() => {
    if (fits) void ask("/requests").then((answer) => setOpen(answer.requests), () => setOpen([]));
  }, [version, fits]);
  if (!fits) return null;
  if (role.value === "gm") return html`${open.map((request) => html`<${Settle} key=${request.id} request=${request} />`)}`;
  return html`<${Ask} open=${open} />`;
}

/** @param {string} who */
const nameOf = (who) => shown.value?.combatants.find((combatant) => combatant.id === who)?.name ?? who;

/** Return the combatants of the player. */
function own() {
  const seat = you.value;
  return (present.value?.combatants ?? []).filter((combatant) => seat?.combatants.includes(combatant.id) || (seat?.owner != null && seat.owner === combatant.owner));
}

/** @param {{ open: readonly Request[] }} props */
function Ask({ open }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const [unfolded, setUnfolded] = useState(false);
  const who = own()[0]?.id;
  if (who === undefined) return null;

  /** @param {string} kind */
  async function send(kind) {
    const fault = await attempt("/requests", { combatant: who, kind, text });
    setWrong(fault?.text ?? "");
    if (fault !== null) return;
    setText("");
    setUnfolded(false);
    say("The GM is asked. Play goes on meanwhile.");
  }

  return html`
    <section class="requests" aria-label="Ask the GM">
      <details open=${unfolded} onToggle=${(/** @type {any} */ event) => setUnfolded(event.currentTarget.open)}>
      <summary>Ask the GM</summary>
      <div class="row">
        <input type="text" aria-label="Words for the GM" placeholder="why" maxlength="500" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        ${Object.entries(KINDS).map(([kind, label]) => html`<button type="button" key=${kind} aria-disabled=${sending.value !== null} onClick=${() => send(kind)}>${label}</button>`)}
      </div>
      </details>
      ${open.length > 0 && html`<p class="hint" role="status">Waiting for the GM: ${open.map((request) => KINDS[request.kind]?.toLowerCase()).join(", ")}.</p>`}
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    </section>
  `;
}

/** @param {{ request: Request }} props */
function Settle({ request }) {
  const [text, setText] = useState("");
  const [over, setOver] = useState("command");
  const [wrong, setWrong] = useState(/** @type {import("./act.js").Fault | null} */ (null));
  const { deed } = request;
  const entry = entries.value.find((entry) => deed != null && entry.first <= deed && deed <= entry.last);
  const name = nameOf(request.combatant);
  const wait = sending.value !== null;
  const behind = wrong?.reason === "played-since";

  /** @param {boolean} granted */
  async function settle(granted) {
    const body = { granted, text, ...(request.kind === "undo" && granted && { over }) };
    setWrong(await attempt(`/requests/${encodeURIComponent(request.id)}`, body));
  }

  async function takeAllBack() {
    const refused = await attempt("/goto", { version: Number(deed) - 1 }, version());
    if (refused !== null) return setWrong(refused);
    await settle(true);
  }

  return html`
    <article class="card request" aria-label=${`Request of ${name}`}>
      <p><b><bdi>${name}</bdi></b> ${WANTS[request.kind]}${request.text && html`: <q>${request.text}</q>`}</p>
      ${request.kind === "undo" && over === "command" && html`<p class="hint deed">${short(entry?.lines?.at(0)?.text ?? "")}</p>`}
      <div class="row">
        ${request.kind === "undo" && html`<select aria-label="How far back" value=${over} onChange=${(/** @type {any} */ event) => (setOver(event.target.value), setWrong(null))}><option value="command">this deed</option><option value="turn">this turn</option><option value="round">this round</option></select>`}
        <input type="text" aria-label="Answer" placeholder="answer" maxlength="500" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <button type="button" class=${behind ? "" : "primary"} aria-disabled=${wait} onClick=${() => settle(true)}>${GRANTS[request.kind]}</button>
        <button type="button" aria-disabled=${wait} onClick=${() => settle(false)}>Decline</button>
      </div>
      ${behind &&
      html`<p class="fault" role="alert">Others have played since that deed.</p>
        <div class="row">
          <button type="button" class="primary" aria-disabled=${wait} onClick=${takeAllBack}>Take back all since then</button>
          ${entry && html`<button type="button" aria-disabled=${wait} onClick=${() => change(entry, true)}>Change only that deed…</button>`}
        </div>`}
      ${wrong !== null && !behind && html`<p class="fault" role="alert">${wrong.text}</p>`}
    </article>
  `;
}
