// The extension: find the person's seat, and show its panel.
import { Affray, Problem } from "@affray/client";
import OBR from "@owlbear-rodeo/sdk";
import { type Cast, type Seat, begin, castOf, follow, sheetsOf } from "./fight.js";
import { scene } from "./owlbear.js";
import type { Link } from "./port.js";
import { element, promptsView } from "./view.js";

const panel = document.body.appendChild(element("main"));
const log = document.body.appendChild(element("ol"));

/** Tokens stay in this browser, because everybody can read the scene's data. */
const keyOf = (combat: string) => `affray:${combat}`;

async function start(): Promise<void> {
  const link = await scene.link();
  const token = link && localStorage.getItem(keyOf(link.combat));
  if (link && token) await sit(link, token);
  else if (link) panel.replaceChildren(enter(link));
  else if ((await OBR.player.getRole()) === "GM") panel.replaceChildren(opening());
  else panel.replaceChildren("There is no fight yet. The GM opens one.");
}

async function sit(link: Link, token: string): Promise<void> {
  const combat = new Affray(link.url).combat(link.combat, token);
  const tools = element("nav");
  const asked = element("div");
  panel.replaceChildren(asked, tools);
  if ((await combat.call("readYou", {})).role === "gm") tools.append(...gmTools(link, token));
  let latest: Seat | null = null;
  const show = (seat: Seat, sentences: readonly string[]) => {
    latest = seat;
    log.prepend(...sentences.filter(Boolean).map((sentence) => element("li", {}, sentence)));
    void promptsView(combat, seat).then((views) => {
      if (latest === seat) asked.replaceChildren(...views);
    }, report);
  };
  await follow(scene, combat, link, show);
}

function gmTools(link: Link, token: string): HTMLElement[] {
  const gm = new Affray(link.url).combat(link.combat, token);
  const owner = element("input", { placeholder: "owner", "aria-label": "Owner" }) as HTMLInputElement;
  const issued = element("output");
  const issue = async () => {
    issued.textContent = (await gm.issue({ role: "player", owner: owner.value, label: owner.value })).token;
  };
  const leave = async () => {
    await scene.setLink(null);
    location.reload();
  };
  return [
    owner,
    element("button", { click: () => void issue().catch(report) }, "Token for this player"),
    issued,
    element("button", { click: () => void gm.undo().catch(report) }, "Undo"),
    element("button", { click: () => void leave().catch(report) }, "Leave the fight"),
  ];
}

function enter(link: Link): HTMLElement {
  const token = element("input", { required: true, placeholder: "token from the GM", "aria-label": "Token" }) as HTMLInputElement;
  const submit = (event: Event) => {
    event.preventDefault();
    localStorage.setItem(keyOf(link.combat), token.value.trim());
    void start().catch(report);
  };
  return element("form", { submit }, token, element("button", {}, "Join"));
}

function opening(): HTMLElement {
  const url = element("input", { required: true, value: "http://127.0.0.1:8000", "aria-label": "Service" }) as HTMLInputElement;
  const key = element("input", { type: "password", placeholder: "service key, if any", "aria-label": "Service key" }) as HTMLInputElement;
  const rulesets = element("select", { "aria-label": "Rulebook" }) as HTMLSelectElement;
  const rows = element("div");
  const service = () => new Affray({ url: url.value, ...(key.value && { serviceKey: key.value }) });
  let cast: Cast[] = [];

  const connect = async () => {
    const list = await service().call("listRulesets", {});
    rulesets.replaceChildren(...list.rulesets.map(({ id, title }) => element("option", { value: id }, title)));
  };
  const take = async () => {
    const ruleset = await service().ruleset(rulesets.value);
    cast = castOf(await scene.selection(), ruleset);
    const sheets = sheetsOf(ruleset);
    rows.replaceChildren(...cast.map((member) => castView(member, sheets)));
  };
  const open = async () => {
    const combat = await begin(scene, service(), rulesets.value, cast);
    localStorage.setItem(keyOf(combat.id), combat.token);
    await start();
  };
  return element(
    "div", {}, url, key,
    element("button", { click: () => void connect().catch(report) }, "Connect"), rulesets,
    element("button", { click: () => void take().catch(report) }, "Take the selected tokens"), rows,
    element("button", { click: () => void open().catch(report) }, "Begin"),
  );
}

function castView(cast: Cast, sheets: ReadonlyMap<string, Record<string, unknown>>): HTMLElement {
  const options = [...sheets].map(([label, sheet]) => element("option", { selected: sheet === cast.sheet }, label));
  const change = (event: Event) => (cast.sheet = sheets.get((event.target as HTMLSelectElement).value) ?? cast.sheet);
  const text = (name: "side" | "owner") =>
    element("input", { value: cast[name], "aria-label": name, placeholder: name, input: (event) => (cast[name] = (event.target as HTMLInputElement).value) });
  return element("p", {}, cast.token.name, element("select", { change }, ...options), text("side"), text("owner"));
}

function report(thrown: unknown): void {
  const text = thrown instanceof Problem ? thrown.detail : String((thrown as Error).message);
  void scene.announce(text);
}

OBR.onReady(() => {
  const whenReady = (ready: boolean) => ready && void start().catch(report);
  OBR.scene.onReadyChange(whenReady);
  void OBR.scene.isReady().then(whenReady);
});
