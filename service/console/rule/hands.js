// Quick changes to the selected combatants: hit points, conditions, visibility.
import { html, useState } from "../view.js";
import { pools } from "../board.js";
import { adding, picked, present, ruleset, ruling, shown } from "../state.js";
import { attempt, say, sending } from "../play/act.js";
import { takeBack } from "../time/verbs.js";
import { why } from "../audit/why.js";
import { Stats } from "../audit/sheet.js";

/** @import { Combatant } from "../shapes.d.ts" */

/** @typedef {"all" | "half" | "none"} Share */
/** @typedef {{ way: "harm" | "heal" | "set", amount: number }} Change */

const SHARES = /** @type {const} */ (["all", "half", "none"]);
const WAYS = /** @type {Record<string, Change["way"]>} */ ({ "": "harm", "-": "harm", "−": "harm", "+": "heal", "=": "set" });

export function Hands() {
  const all = shown.value?.combatants.filter((combatant) => picked.value.includes(combatant.id)) ?? [];
  if (!ruling.value || all.length === 0 || present.value?.status === "ended") return null;
  return html`
    <section class="quick" aria-label="Picked">
      <h2>
        <span>${all.length > 3 ? `${all.length} picked` : all.map((combatant, index) => html`<bdi key=${combatant.id}>${combatant.name}</bdi>${index < all.length - 1 ? ", " : ""}`)}</span>
        <button type="button" class="quiet" aria-pressed=${adding.value} title="Clicks add to these; so do clicks with Shift" onClick=${() => (adding.value = !adding.value)}>+ more</button>
        <button type="button" class="quiet" aria-label="Pick nobody" onClick=${() => ((picked.value = []), (adding.value = false))}>✕</button>
      </h2>
      <${Points} all=${all} key=${picked.value.join()} />
      <div class="buttons">
        <button type="button" aria-keyshortcuts="V" onClick=${hide}>${all.every((combatant) => combatant.hidden) ? "Reveal" : "Hide"}</button>
      </div>
      <${Conditions} all=${all} />
      ${all.length === 1 && html`<${Stats} combatant=${all[0]} />`}
    </section>
  `;
}

/** Hide all selected combatants, or reveal them if all are hidden. */
export async function hide() {
  const all = shown.peek()?.combatants.filter((combatant) => picked.peek().includes(combatant.id)) ?? [];
  const hidden = !all.every((combatant) => combatant.hidden);
  for (const combatant of all) {
    const wrong = await attempt(`/combatants/${encodeURIComponent(combatant.id)}`, { hidden }, {}, "PATCH");
    if (wrong !== null) return say(wrong.text);
  }
  if (all.length > 0) say(hidden ? "Hidden now." : "Everybody sees that now.", takeBack);
}

/** @param {string} text @returns {Change | null} */
function meant(text) {
  const parts = text.trim().match(/^([-−+]?|=\s*[-−]?)\s*(\d{1,5})$/);
  if (parts === null) return null;
  const [, sign = "", digits] = parts;
  const below = /=.*[-−]/.test(sign);
  return { way: WAYS[sign.charAt(0)] ?? "harm", amount: below ? -Number(digits) : Number(digits) };
}

/** @param {Combatant} combatant */
const health = (combatant) => pools(combatant, ruleset.value).find((pool) => pool.health);

/** @param {number} amount @param {Share | undefined} share */
const part = (amount, share) => (share === "none" ? 0 : share === "half" ? Math.floor(amount / 2) : amount);

/** A field for hit points that changes all selected combatants with one command. @param {{ all: readonly Combatant[] }} props */
function Points({ all }) {
  const [text, setText] = useState("");
  const [shares, setShares] = useState(/** @type {Record<string, Share>} */ ({}));
  const [fault, setFault] = useState("");
  const change = meant(text);
  const rows = all.filter((combatant) => health(combatant) !== undefined);
  if (rows.length === 0) return null;

  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    if (change === null) return setFault("Type a number such as −7, +7 or =7.");
    const body = ruled(rows, change, shares);
    if (body === null) return;
    const wrong = await attempt("/rulings", body);
    setFault(wrong?.text ?? "");
    if (wrong !== null) return;
    setText("");
    setShares({});
  }

  return html`
    <form class="points" onSubmit=${send}>
      <div class="row">
        <label for="quick-hp">${change?.way === "set" || change === null ? health(/** @type {Combatant} */ (rows[0]))?.label : change.way === "harm" ? "Damage" : "Healing"}</label>
        <input id="quick-hp" type="text" inputmode="numeric" autocomplete="off" size="6" placeholder="−7, +7, =7" aria-keyshortcuts="H" value=${text} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => (setText(event.currentTarget.value), setFault(""))} />
        <button type="submit" class=${change === null ? "" : "primary"} aria-disabled=${change === null || sending.value !== null}>${LABELS[change?.way ?? "harm"]}</button>
      </div>
      <ul>
        ${rows.map(
          (combatant) => html`<li key=${combatant.id}>
            <button type="button" class="quiet" onClick=${() => why(combatant, { track: health(combatant)?.id ?? "" })}><span class="unseen">Why: </span><bdi class=${rows.length > 1 ? "" : "unseen"}>${combatant.name}</bdi> <b>${health(combatant)?.value}</b>${change && html` → <b>${after(combatant, change, shares[combatant.id])}</b>`}${change !== null && beyond(combatant, change, shares[combatant.id]) && html` <small>${health(combatant)?.maximum} is the most</small>`}</button>
            ${rows.length > 1 && SHARES.map((share) => html`<button type="button" class="chip" key=${share} aria-pressed=${(shares[combatant.id] ?? "all") === share} aria-label=${`${share} for ${combatant.name}`} onClick=${() => setShares({ ...shares, [combatant.id]: share })}>${share}</button>`)}
          </li>`,
        )}
      </ul>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    </form>
  `;
}

const LABELS = { harm: "Harm", heal: "Heal", set: "Set" };

/** Return the hit points after a change, before the rulebook reduces it. @param {Combatant} combatant @param {Change} change @param {Share | undefined} share */
function after(combatant, { way, amount }, share) {
  const pool = health(combatant);
  const before = pool?.value ?? 0;
  const most = pool?.maximum ?? Infinity;
  if (way === "set") return share === "none" ? before : Math.min(amount, most);
  const by = part(amount, share);
  return way === "harm" ? before - by : Math.min(before + by, most);
}

/** Return true if a change exceeds the maximum. @param {Combatant} combatant @param {Change} change @param {Share | undefined} share */
function beyond(combatant, { way, amount }, share) {
  const pool = health(combatant);
  const wanted = way === "set" ? amount : (pool?.value ?? 0) + part(amount, share);
  return way !== "harm" && share !== "none" && wanted > (pool?.maximum ?? Infinity);
}

/** @typedef {{ ruling: string, combatant: string, inputs: Record<string, unknown> }} Ruled */

/** Return one ruling for all of them, or null if it changes nothing. @param {readonly Combatant[]} all @param {Change} change @param {Record<string, Share>} shares */
function ruled(all, change, shares) {
  const heals = /** @type {{ properties?: object } | undefined} */ (ruleset.peek()?.rulings.find((ruling) => ruling.id === "heal")?.inputs)?.properties ?? {};
  const some = all.filter((combatant) => shares[combatant.id] !== "none");
  const rulingOf = (/** @type {Combatant} */ combatant) => {
    const amount = part(change.amount, shares[combatant.id]);
    const pool = health(combatant)?.id ?? "";
    if (change.way === "harm") return { ruling: "damage", inputs: { amount } };
    if (change.way === "heal" && "amount" in heals) return { ruling: "heal", inputs: { amount } };
    if (change.way === "heal" && pool in heals) return { ruling: "heal", inputs: { [pool]: amount } };
    return { ruling: "set-track", inputs: { track: pool, value: after(combatant, change, shares[combatant.id]) } };
  };
  return together(some.map((combatant) => ({ combatant: combatant.id, ...rulingOf(combatant) })));
}

/** Return the ruling on one combatant, or on several in one command. @param {readonly Ruled[]} targets */
function together(targets) {
  const [first] = targets;
  if (first === undefined) return null;
  if (targets.length === 1) return { ruling: first.ruling, inputs: { ...first.inputs, combatant: first.combatant } };
  return { ruling: "several", inputs: { ruling: first.ruling, inputs: first.inputs, targets: targets.map(({ combatant, inputs }) => ({ combatant, inputs })) } };
}

/** The conditions that one click can set. @param {{ all: readonly Combatant[] }} props */
function Conditions({ all }) {
  const [fault, setFault] = useState("");
  const simple = ruleset.value?.conditions.filter((condition) => /** @type {{ required?: unknown[] }} */ (condition.data)?.required?.length === 0) ?? [];
  const has = (/** @type {Combatant} */ combatant, /** @type {string} */ id) => combatant.conditions.find((held) => held.id === id);

  /** @param {string} condition */
  async function toggle(condition) {
    const every = all.every((combatant) => has(combatant, condition));
    const targets = all.flatMap((combatant) => {
      const held = has(combatant, condition);
      if (every && held) return [{ ruling: "end-condition", combatant: combatant.id, inputs: { condition, key: held.key } }];
      return held ? [] : [{ ruling: "set-condition", combatant: combatant.id, inputs: { condition } }];
    });
    setFault((await attempt("/rulings", together(targets)))?.text ?? "");
  }

  return html`
    <div class="chips" role="group" aria-label="Conditions">
      ${simple.map((condition) => html`<button type="button" class="chip" key=${condition.id} title=${condition.effect} aria-pressed=${all.every((who) => has(who, condition.id))} onClick=${() => toggle(condition.id)}>${condition.label}</button>`)}
    </div>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  `;
}
