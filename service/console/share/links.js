// Links for other people. They are listed by name and can be revoked.
import { SCREEN } from "../layouts/seats.js";
import { html, signal, useEffect, useState } from "../view.js";
import { ask, lookAs, tell } from "../commands.js";
import { present, seat, you } from "../state.js";
import { copied } from "../audit/markdown.js";
import { attempt, fault } from "../play/act.js";
import { Code } from "./code.js";
import { Confirm } from "../confirm.js";
import * as session from "../session.js";

/** @import { Issued, TokenLine } from "../shapes.d.ts" */

/** @typedef {{ combat: string, id: string, label: string, url: string }} Made */

/** The links that this page has made, latest first. They stay visible until the page closes. */
const made = signal(/** @type {readonly Made[]} */ ([]));

/** @param {{ close: () => void }} props */
export function Links({ close }) {
  const [tokens, setTokens] = useState(/** @type {TokenLine[]} */ ([]));
  const [wrong, setWrong] = useState("");
  const [revoking, setRevoking] = useState(/** @type {TokenLine | null} */ (null));
  const learn = () => ask("/tokens").then((answer) => setTokens(answer.tokens));
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
  const combat = seat.value?.combat ?? "";
  const issue = (/** @type {{ role: string, label: string, combatants?: readonly string[] }} */ body, screen = false) =>
    trying(async () => {
      const issued = /** @type {Issued} */ (await tell("POST", "/tokens", body));
      made.value = [{ combat, id: issued.id, label: body.label, url: session.link(combat, issued.token, screen) }, ...made.peek()];
    });
  /** Create a player's link. Combatants without an owner get that player as the owner, with the player's dice. @param {string} label @param {readonly string[]} combatants */
  async function invite(label, combatants) {
    for (const combatant of present.peek()?.combatants ?? []) {
      if (!combatants.includes(combatant.id) || !isGms(combatant) || present.peek()?.status === "ended") continue;
      const wrongly = await attempt(`/combatants/${encodeURIComponent(combatant.id)}`, { owner: label }, {}, "PATCH");
      if (wrongly !== null) return setWrong(wrongly.text);
    }
    await issue({ role: "player", label, combatants });
  }
  const fresh = made.value.filter((link) => link.combat === combat && (tokens.length === 0 || tokens.some(({ id }) => id === link.id)));
  const heroes = players().flatMap((player) => player.combatants);
  const revoke = (/** @type {TokenLine} */ link) => trying(() => tell("DELETE", `/tokens/${link.id}`));

  return html`
    <h3>A new link</h3>
    <div class="options">
      ${players().map(({ label, combatants }) => html`<button type="button" class="option" key=${label} onClick=${() => invite(label, combatants)}><span><bdi>${label}</bdi></span><small>plays ${names(combatants)}</small></button>`)}
      <button type="button" class="option" onClick=${() => issue({ role: "spectator", label: "Screen" }, true)}><span>A screen for everyone</span><small>large type, nothing to click</small></button>
      ${heroes.length > 0 && html`<button type="button" class="option" onClick=${() => issue({ role: "player", label: SCREEN, combatants: heroes }, true)}><span>A screen with the players' numbers</span><small>its link can also play for them</small></button>`}
      <button type="button" class="option" onClick=${() => issue({ role: "spectator", label: "Spectator" })}><span>A spectator</span></button>
      <button type="button" class="option" onClick=${() => issue({ role: "gm", label: "Second GM" })}><span>A second GM</span></button>
    </div>
    <${Own} invite=${invite} />
    ${fresh.length > 0 && html`<p class="hint">Each link stays here until you leave this page. Treat it as a key.</p>`}
    ${fresh.map((link) => html`<${Fresh} ...${link} key=${link.url} />`)}
    ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
    <h3>In force</h3>
    <ul class="tokens">
      ${tokens.map(
        (token) => html`<li key=${token.id}>
          <span><b><bdi>${token.label || token.role}</bdi></b> <small>${token.role === "gm" ? "GM" : token.role}${token.combatants.length > 0 ? `: ${names(token.combatants)}` : ""}${token.id === you.value?.id ? ", you" : ""}</small></span>
          ${token.id !== you.value?.id && html`<button type="button" class="quiet" aria-label=${`Look as ${token.label || token.role}`} onClick=${() => (lookAs(token), close())}>Look as</button>`}
          <button type="button" class="quiet" aria-label=${`Revoke ${token.label || token.role}`} onClick=${() => setRevoking(token)}>Revoke</button>
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
const names = (ids) => ids.map((id) => present.value?.combatants.find((combatant) => combatant.id === id)?.name ?? id).join(", ");

/** Return true if only the GM plays a combatant. @param {{ owner: string | null }} one */
const isGms = ({ owner }) => !owner || owner === "GM";

/** Return the players that the sheets name, and a player for each further character on their side. */
function players() {
  const board = present.value;
  const all = board?.combatants ?? [];
  const owners = new Map();
  for (const combatant of all) if (!isGms(combatant)) owners.set(combatant.owner, [...(owners.get(combatant.owner) ?? []), combatant.id]);
  const side = all.find((combatant) => !isGms(combatant))?.side ?? board?.sides[0];
  for (const combatant of all) if (isGms(combatant) && combatant.side === side && combatant.in_fight) owners.set(`${combatant.name}'s player`, [combatant.id]);
  return [...owners].map(([label, combatants]) => ({ label, combatants }));
}

/** A link for the player of the chosen combatants. @param {{ invite: (label: string, combatants: readonly string[]) => void }} props */
function Own({ invite }) {
  const [label, setLabel] = useState("");
  const [chosen, setChosen] = useState(/** @type {readonly string[]} */ ([]));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    invite(label, chosen);
    setLabel("");
    setChosen([]);
  };
  const toggle = (/** @type {string} */ id) => setChosen(chosen.includes(id) ? chosen.filter((text) => text !== id) : [...chosen, id]);
  return html`
    <details><summary>For somebody else</summary>
      <form onSubmit=${send}>
        <div class="chips" role="group" aria-label="Plays">${present.value?.combatants.map((combatant) => html`<button type="button" class="chip" key=${combatant.id} aria-pressed=${chosen.includes(combatant.id)} onClick=${() => toggle(combatant.id)}><bdi>${combatant.name}</bdi></button>`)}</div>
        <div class="row"><input type="text" aria-label="Name of the player" placeholder="name" required maxlength="64" value=${label} onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} /><button type="submit" disabled=${chosen.length === 0}>Make the link</button></div>
      </form>
    </details>
  `;
}

/** @param {{ label: string, url: string }} props */
function Fresh({ label, url }) {
  const [state, setState] = useState("Copy");
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return html`
    <div class="fresh" role="status">
      <p><b><bdi>${label}</bdi></b></p>
      <${Code} text=${url} label=${`Code for a camera: the link for ${label}`} />
      ${local && html`<p class="hint">This address works on this machine only. For phones, start the service with <code>affray serve --host 0.0.0.0</code> and open this page at the address that it prints.</p>`}
      <div class="row"><input type="text" class="code" readonly aria-label=${`Link for ${label}`} value=${url} onFocus=${(/** @type {any} */ event) => event.target.select()} />
        <button type="button" onClick=${async () => setState((await copied(url)) ? "Copied" : "Select and copy")}>${state}</button></div>
    </div>
  `;
}

/** The choice whether the device keeps the seat. */
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
