// The layout of the table: all parts at once on a wide screen, one part at a time on a phone.
import { html, useState } from "../view.js";
import { acting, eyes, learning, past, present, role, shown } from "../state.js";
import { sending } from "../play/act.js";
import { Cards } from "../play/cards.js";
import { Requests } from "../play/requests.js";
import { Result } from "../play/result.js";
import { Order } from "../play/order.js";
import { MapView } from "../map/view.js";
import { Log } from "../audit/log.js";
import { WhyWindow } from "../audit/why.js";
import { AmendWindow } from "../amend/window.js";
import { Banner } from "../time/past.js";
import { Ribbon } from "../time/ribbon.js";
import { Note } from "../rule/note.js";
import { Hands } from "../rule/hands.js";
import { Rulings } from "../rule/rulings.js";
import { Tools } from "../rule/tools.js";
import { Header } from "./header.js";
import { Spoken } from "./spoken.js";

const PARTS = ["act", "order", "map", "log"];
const NAMES = /** @type {Record<string, string>} */ ({ act: "Act", order: "Fight", map: "Map", log: "Log" });

export function Table() {
  const [part, setPart] = useState("act");
  const board = shown.value;
  const away = past.value !== null || eyes.value !== null;
  return html`
    <div class=${away ? "table away" : "table"} data-part=${part} data-version=${present.value?.version} aria-busy=${learning.value || sending.value !== null}>
      <${Header} />
      <main>
        ${board === null ? html`<p class="calm">…</p>` : null}
        <div class="column left"><${Order} /><div class="hands"><${Hands} /><${Rulings} /><${Tools} /></div></div>
        <div class="column middle"><${MapView} /><${Result} /><${Banner} />${role.value === "gm" && html`<${Requests} />`}<${Cards} /></div>
        <div class="column right"><${Log} /><${Note} /></div>
      </main>
      <${Ribbon} />
      <nav class="tabs" aria-label="Parts">
        ${PARTS.map((text) => html`<button type="button" key=${text} aria-current=${text === part ? "page" : undefined} onClick=${() => setPart(text)}>${NAMES[text]}${text === "act" && asked() > 0 ? html` <span class="count">${asked()}</span>` : ""}</button>`)}
      </nav>
      <${WhyWindow} />
      <${AmendWindow} />
      <${Spoken} />
    </div>
  `;
}

const asked = () => (acting.value ? (present.value?.prompts.filter((prompt) => prompt.answer === null && !prompt.suspended).length ?? 0) : 0);
