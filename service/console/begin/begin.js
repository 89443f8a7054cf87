// The first page: begin a fight, continue one, or import one.
import { html, signal, useEffect, useState } from "../view.js";
import { read } from "../http.js";
import { fault } from "../play/act.js";
import { draft, setDraft } from "../draft.js";
import { placed } from "../map/apart.js";
import { walls } from "../map/shapes.js";
import { openFight } from "./open.js";
import { Setup } from "./setup.js";
import { Drop } from "./drop.js";
import { ServiceKey } from "./key.js";
import { Shelf } from "./shelf.js";

/** @import { Party, Ruleset, RulesetLine } from "../shapes.d.ts" */

/** @typedef {{ ruleset: Ruleset, party: Party }} Chosen */

const CHOSEN = "chosen";
/** A party for a fight that starts from an empty form. @type {Party} */
const NOTHING = { id: "", name: "", about: "", sheets: [], options: {}, map: null };
const lines = signal(/** @type {RulesetLine[]} */ ([]));
const rulebooks = new Map(/** @type {[string, Ruleset][]} */ ([]));

export function Begin() {
  const [setup, setSetup] = useState(/** @type {Chosen | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => void learn().catch((failed) => setWrong(fault(failed).text)), []);
  useEffect(() => void (document.title = "Affray"), []);
  useEffect(() => {
    const open = /** @type {[string, string] | undefined} */ (draft(CHOSEN));
    if (open !== undefined) void choose(...open, change);
  }, []);

  /** Open the forms of a party. A reload restores them. @param {Ruleset} ruleset @param {Party} party */
  function change(ruleset, party) {
    setDraft(CHOSEN, [ruleset.id, party.id]);
    setSetup({ ruleset, party });
  }
  function back() {
    setDraft(CHOSEN, undefined);
    setSetup(null);
  }

  /** Load the rulebook of the chosen fight. @param {string} id @param {string} fight @param {(ruleset: Ruleset, party: Party) => unknown} then */
  async function choose(id, fight, then) {
    if (busy) return;
    setBusy(true);
    try {
      const ruleset = rulebooks.get(id) ?? /** @type {Ruleset} */ (await read(`/v1/rulesets/${id}`));
      rulebooks.set(id, ruleset);
      const party = fight === NOTHING.id ? NOTHING : ruleset.parties.find(({ id }) => id === fight);
      if (party !== undefined) await then(ruleset, party);
    } catch (failed) {
      setWrong(fault(failed).text);
    }
    setBusy(false);
  }

  /** Open and begin a fight with one click. @param {Ruleset} ruleset @param {Party} party */
  async function quick(ruleset, party) {
    const { name, options, map, sheets } = party;
    const combatants = placed(sheets.map((sheet) => ({ sheet })), walls(map ?? {}), 0);
    const wrongly = await openFight({ ruleset: ruleset.id, name, options, map, combatants }, true);
    setWrong(wrongly?.text ?? "");
  }

  if (setup !== null) return html`<${Setup} ...${setup} back=${back} />`;
  return html`
    <main class="begin">
      <header>
        <h1>Affray</h1>
        <p>Knows the rules, asks the right person at the right moment, and remembers why every number is what it is.</p>
      </header>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      <${ServiceKey} />
      <${Shelf} />
      <h2>A new fight</h2>
      <p>Begin a ready fight at once, change it first, or put together a fight of your own.</p>
      <div class="rulebooks">
        ${lines.value.map((line) => html`<${Book} key=${line.id} line=${line} busy=${busy} begin=${(/** @type {string} */ id) => choose(line.id, id, quick)} change=${(/** @type {string} */ id) => choose(line.id, id, change)} />`)}
      </div>
      <${Drop} />
      <footer><a href="/docs/">Documentation</a> · <a href="/schema">The API, with every operation to try</a></footer>
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
        <li>
          <div><b>Your own</b><p>From nothing, or with sheets of the fights above</p></div>
          <span class="do"><button type="button" class="quiet" aria-label=${`Put it together: ${line.title}`} aria-disabled=${busy} onClick=${() => change(NOTHING.id)}>Put it together</button></span>
        </li>
      </ul>
    </section>
  `;
}

async function learn() {
  lines.value = (await read("/v1/rulesets")).rulesets;
}
