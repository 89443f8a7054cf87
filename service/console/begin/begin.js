// The first page: begin a fight, go on with one, or bring one along.
import { html, signal, useEffect, useState } from "../view.js";
import { read } from "../http.js";
import { fault } from "../play/act.js";
import * as session from "../session.js";
import { openFight } from "./open.js";
import { Setup } from "./setup.js";
import { Drop } from "./drop.js";
import { ServiceKey } from "./key.js";

/** @import { Party, Ruleset, RulesetLine } from "../shapes.d.ts" */

const lines = signal(/** @type {RulesetLine[]} */ ([]));
const rulebooks = new Map(/** @type {[string, Ruleset][]} */ ([]));

export function Begin() {
  const [setup, setSetup] = useState(/** @type {{ ruleset: Ruleset, party: Party } | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => void learn().catch((failed) => setWrong(fault(failed).text)), []);
  useEffect(() => void (document.title = "Affray"), []);

  /** The rulebook is read whole when one of its fights is chosen. @param {string} id @param {string} fight @param {(ruleset: Ruleset, party: Party) => unknown} then */
  async function choose(id, fight, then) {
    if (busy) return;
    setBusy(true);
    try {
      const ruleset = rulebooks.get(id) ?? /** @type {Ruleset} */ (await read(`/v1/rulesets/${id}`));
      rulebooks.set(id, ruleset);
      const party = ruleset.parties.find((one) => one.id === fight);
      if (party !== undefined) await then(ruleset, party);
    } catch (failed) {
      setWrong(fault(failed).text);
    }
    setBusy(false);
  }

  /** One click: open and begin. @param {Ruleset} ruleset @param {Party} party */
  async function quick(ruleset, party) {
    const { name, options, map, sheets } = party;
    const wrongly = await openFight({ ruleset: ruleset.id, name, options, map, combatants: sheets.map((sheet) => ({ sheet })) }, true);
    setWrong(wrongly?.text ?? "");
  }

  if (setup !== null) return html`<${Setup} ...${setup} back=${() => setSetup(null)} />`;
  return html`
    <main class="begin">
      <header>
        <h1>Affray</h1>
        <p>Knows the rules, asks the right person at the right moment, and remembers why every number is what it is.</p>
      </header>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      <${ServiceKey} />
      <${Shelf} />
      <h2>Try a ready fight</h2>
      <div class="rulebooks">
        ${lines.value.map((one) => html`<${Book} key=${one.id} line=${one} busy=${busy} begin=${(/** @type {string} */ id) => choose(one.id, id, quick)} change=${(/** @type {string} */ id) => choose(one.id, id, (ruleset, party) => setSetup({ ruleset, party }))} />`)}
      </div>
      <${Drop} />
      <footer><a href="/schema">The API, with every operation to try</a></footer>
    </main>
  `;
}

/**
 * One rulebook with its ready fights.
 * @param {{ line: RulesetLine, busy: boolean, begin: (party: string) => void, change: (party: string) => void }} props
 */
function Book({ line, busy, begin, change }) {
  return html`
    <section aria-labelledby=${`book-${line.id}`}>
      <h3 id=${`book-${line.id}`}>${line.title}</h3>
      <p class="hint">${line.summary}</p>
      <ul>
        ${line.parties.map(
          (party) => html`
            <li key=${party.id}>
              <div><b>${party.name}</b><p>${party.about}</p></div>
              <span class="do">
                <button type="button" class="primary" aria-label=${`Begin ${party.name}`} aria-disabled=${busy} onClick=${() => begin(party.id)}>Begin</button>
                <button type="button" class="quiet" aria-label=${`Change it first: ${party.name}`} aria-disabled=${busy} onClick=${() => change(party.id)}>Change it first</button>
              </span>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

async function learn() {
  lines.value = (await read("/v1/rulesets")).rulesets;
}

/** Fights of this tab, and those that this browser keeps. */
function Shelf() {
  const [kept, setKept] = useState(session.shelf);
  if (kept.length === 0) return null;
  const forget = (/** @type {string} */ combat) => {
    session.leave(combat);
    setKept(session.shelf());
  };
  return html`
    <h2>Go on</h2>
    <ul class="shelf">
      ${kept.map(
        (one) => html`<li key=${one.combat}>
          <button type="button" onClick=${() => session.sit(one)}>${one.name} <small>${one.role}</small></button>
          <button type="button" class="quiet" aria-label=${`Forget ${one.name}`} onClick=${() => forget(one.combat)}>Forget</button>
        </li>`,
      )}
    </ul>
  `;
}
