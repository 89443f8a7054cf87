// Entry point. The address decides between the first page, the table and the television.
import { effect, html, render, signal } from "./view.js";
import { address, enter } from "./session.js";
import { lookAt } from "./commands.js";
import { present, seat } from "./state.js";
import { close, open } from "./stream.js";
import { Begin } from "./begin/begin.js";
import { Table } from "./layouts/table.js";
import { Screen } from "./layouts/screen.js";
import { press } from "./layouts/keys.js";
import { keepFocus } from "./focus.js";
import { Toast } from "./toast.js";

const view = signal(/** @type {"begin" | "table" | "screen" | "stranger"} */ ("begin"));

function go() {
  const session = enter();
  if (address().combat === null) {
    close();
    view.value = "begin";
  } else if (session === null) {
    close();
    view.value = "stranger";
  } else {
    if (seat.peek()?.combat !== session.combat || seat.peek()?.token !== session.token) void open(session);
    view.value = address().screen ? "screen" : "table";
  }
}

/** Show the moment of the address as soon as the page has the current board. */
function lookWhereTheAddressPoints() {
  const at = address().at;
  if (at === null) return;
  const stop = effect(() => {
    if (present.value === null) return;
    queueMicrotask(() => stop());
    void lookAt(at);
  });
}

const Stranger = () => html`
  <main class="begin"><h1>Affray</h1>
    <p>This tab has no place at that fight. Open the link that you were given once more, or <a href="#">begin a fight</a>.</p>
  </main>
`;

const PAGES = { begin: Begin, table: Table, screen: Screen, stranger: Stranger };
const Page = () => html`<${PAGES[view.value]} /><${Toast} />`;

go();
lookWhereTheAddressPoints();
addEventListener("hashchange", go);
addEventListener("keydown", press);
const root = document.getElementById("page");
root?.replaceChildren();
if (root !== null) {
  keepFocus(root);
  render(html`<${Page} />`, root);
}
