// Who else may sit at the table: links that are shown once, and taken back by name.
import { SCREEN } from "../layouts/seats.js";
import { html, useEffect, useState } from "../view.js";
import { ask, lookAs, tell } from "../commands.js";
import { present, seat, you } from "../state.js";
import { copied } from "../audit/markdown.js";
import { fault } from "../play/act.js";
import { Code } from "./code.js";
import { Confirm } from "../confirm.js";
import * as session from "../session.js";

/** @import { Issued, TokenLine } from "../shapes.d.ts" */

/** @param {{ close: () => void }} props */
export function Links({ close }) {
  const [tokens, setTokens] = useState(/** @type {TokenLine[]} */ ([]));
  const [fresh, setFresh] = useState(/** @type {{ label: string, url: string } | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [revoking, setRevoking] = useState(/** @type {TokenLine | null} */ (null));
  const learn = () => ask("/tokens").then((found) => setTokens(found.tokens));
  useEffect(() => void learn(), []);

  /** @param {() => Promise<void>} doing */
  async function trying(doing) {
    setWrong("");
    try {
      await doing();
      await learn();
    } catch (failed) {
      setWrong(fault(failed).text);
    }
  }
  const issue = (/** @type {{ role: string, label: string, combatants?: readonly string[] }} */ body, screen = false) =>
    trying(async () => {
      const issued = /** @type {Issued} */ (await tell("POST", "/tokens", body));
      setFresh({ label: body.label, url: session.link(seat.peek()?.combat ?? "", issued.token, screen) });
    });
  const heroes = players().flatMap((one) => one.combatants);
  const revoke = (/** @type {TokenLine} */ one) => trying(() => tell("DELETE", `/tokens/${one.id}`));

  return html`
    <h3>A new link</h3>
    <div class="options">
      ${players().map(({ label, combatants }) => html`<button type="button" class="option" key=${label} onClick=${() => issue({ role: "player", label, combatants })}><span><bdi>${label}</bdi></span><small>plays ${names(combatants)}</small></button>`)}
      <button type="button" class="option" onClick=${() => issue({ role: "spectator", label: "Screen" }, true)}><span>A screen for everyone</span><small>large type, nothing to click</small></button>
      ${heroes.length > 0 && html`<button type="button" class="option" onClick=${() => issue({ role: "player", label: SCREEN, combatants: heroes }, true)}><span>A screen with the players' numbers</span><small>its link can also play for them</small></button>`}
      <button type="button" class="option" onClick=${() => issue({ role: "spectator", label: "Spectator" })}><span>A spectator</span></button>
      <button type="button" class="option" onClick=${() => issue({ role: "gm", label: "Second GM" })}><span>A second GM</span></button>
    </div>
    <${Own} issue=${issue} />
    ${fresh !== null && html`<${Fresh} ...${fresh} key=${fresh.url} />`}
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    <h3>In force</h3>
    <ul class="tokens">
      ${tokens.map(
        (one) => html`<li key=${one.id}>
          <span><b><bdi>${one.label || one.role}</bdi></b> <small>${one.role === "gm" ? "GM" : one.role}${one.combatants.length > 0 ? `: ${names(one.combatants)}` : ""}${one.id === you.value?.id ? ", you" : ""}</small></span>
          ${one.id !== you.value?.id && html`<button type="button" class="quiet" aria-label=${`Look as ${one.label || one.role}`} onClick=${() => (lookAs(one), close())}>Look as</button>`}
          <button type="button" class="quiet" aria-label=${`Revoke ${one.label || one.role}`} onClick=${() => setRevoking(one)}>Revoke</button>
        </li>`,
      )}
    </ul>
    <${Keep} />
    ${revoking !== null &&
    html`<${Confirm}
      title="Revoke this link?"
      verb=${`Revoke ${revoking.label || revoking.role}`}
      what=${revoking.id === you.value?.id ? "This is your own link: you lose your place at this fight." : "The person who uses it loses the place at this fight at once. You can make a new link."}
      agreed=${() => revoke(revoking)}
      close=${() => setRevoking(null)}
    />`}
  `;
}

/** @param {readonly string[]} ids */
const names = (ids) => ids.map((id) => present.value?.combatants.find((one) => one.id === id)?.name ?? id).join(", ");

/** Those for whom sheets were written. */
function players() {
  const owners = new Map();
  for (const one of present.value?.combatants ?? []) {
    if (one.owner && one.owner !== "GM") owners.set(one.owner, [...(owners.get(one.owner) ?? []), one.id]);
  }
  return [...owners].map(([label, combatants]) => ({ label, combatants }));
}

/** A link for whoever plays these. @param {{ issue: (body: { role: string, label: string, combatants: readonly string[] }) => void }} props */
function Own({ issue }) {
  const [label, setLabel] = useState("");
  const [chosen, setChosen] = useState(/** @type {readonly string[]} */ ([]));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    issue({ role: "player", label, combatants: chosen });
  };
  const toggle = (/** @type {string} */ id) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return html`
    <details><summary>For somebody else</summary>
      <form onSubmit=${send}>
        <div class="chips" role="group" aria-label="Plays">${present.value?.combatants.map((one) => html`<button type="button" class="chip" key=${one.id} aria-pressed=${chosen.includes(one.id)} onClick=${() => toggle(one.id)}><bdi>${one.name}</bdi></button>`)}</div>
        <div class="row"><input type="text" aria-label="Name of the player" placeholder="name" required maxlength="64" value=${label} onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} /><button type="submit" disabled=${chosen.length === 0}>Make the link</button></div>
      </form>
    </details>
  `;
}

/** Shown once. @param {{ label: string, url: string }} props */
function Fresh({ label, url }) {
  const [state, setState] = useState("Copy");
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return html`
    <div class="fresh" role="status">
      <p><b><bdi>${label}</bdi></b>: this link is shown this once. Treat it as a key.</p>
      <${Code} text=${url} label=${`Code for a camera: the link for ${label}`} />
      ${local && html`<p class="hint">This address works on this machine only. For phones, start the service with <code>affray serve --host 0.0.0.0</code> and open this page at the address that it prints.</p>`}
      <div class="row"><input type="text" class="code" readonly aria-label=${`Link for ${label}`} value=${url} onFocus=${(/** @type {any} */ event) => event.target.select()} />
        <button type="button" onClick=${async () => setState((await copied(url)) ? "Copied" : "Select and copy")}>${state}</button></div>
    </div>
  `;
}

/** The device keeps the place unless somebody says no. */
function Keep() {
  const place = seat.value ?? { combat: "", token: "" };
  const [kept, setKept] = useState(() => session.find(place) !== undefined);
  function set(/** @type {boolean} */ on) {
    const board = present.peek();
    if (on) session.keep({ ...place, name: board?.name, role: board?.you.role, round: board?.round, status: board?.status, label: you.peek()?.label, seen: Date.now() });
    else session.forget(place);
    setKept(on);
  }
  return html`<label class="keep"><input type="checkbox" checked=${kept} onChange=${(/** @type {any} */ event) => set(event.target.checked)} /> Keep my place on this device; otherwise it is lost with this tab</label>`;
}
