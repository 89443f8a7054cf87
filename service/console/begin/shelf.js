// The fights on this device. Each opens with one click. A forgotten fight can be restored until the
// page closes.
import { html, useEffect, useState } from "../view.js";
import { Confirm } from "../confirm.js";
import { send } from "../http.js";
import { fault } from "../play/act.js";
import * as session from "../session.js";

/** @import { Place } from "../session.js" */
/** @import { Opened } from "../shapes.d.ts" */

const GONE = ["revoked", "deleted"];
const COPY = " (copy)";
const LONGEST_NAME = 120;

const ROLES = /** @type {Record<string, string>} */ ({ gm: "GM", player: "player", spectator: "spectator" });
const STATES = /** @type {Record<string, string>} */ ({ opening: "not begun", ended: "over", revoked: "link revoked", deleted: "deleted" });

/** @param {Place} place */
const title = (place) => place.name ?? "A fight";

/** @param {Place} place */
const state = (place) => (place.status === "running" ? `round ${place.round}` : (STATES[place.status ?? ""] ?? ""));

export function Shelf() {
  const [kept, setKept] = useState(session.places);
  const [forgotten, setForgotten] = useState(/** @type {readonly Place[]} */ ([]));
  const [asking, setAsking] = useState(/** @type {Place | null} */ (null));
  useEffect(() => {
    const renew = () => setKept(session.places());
    addEventListener("storage", renew); // another tab has opened or removed a fight
    return () => removeEventListener("storage", renew);
  }, []);
  const [copying, setCopying] = useState(false);
  const [wrong, setWrong] = useState("");
  if (kept.length === 0 && forgotten.length === 0) return null;
  const forget = (/** @type {Place} */ place) => {
    session.leave(place);
    setForgotten([place, ...forgotten]);
    setKept(session.places());
  };
  const restore = (/** @type {Place} */ place) => {
    session.keep(place);
    setForgotten(forgotten.filter((other) => other !== place));
    setKept(session.places());
  };
  async function copy(/** @type {Place} */ place) {
    if (copying) return;
    setCopying(true);
    setWrong("");
    const name = [...title(place)].slice(0, LONGEST_NAME - COPY.length).join("") + COPY;
    try {
      session.sit(/** @type {Opened} */ (await send("POST", `/v1/combats/${place.combat}/fork`, { name }, { token: place.token })));
    } catch (failed) {
      setWrong(fault(failed).text);
    }
    setCopying(false);
  }
  return html`
    <section aria-labelledby="shelf">
      <h2 id="shelf">Your fights on this device</h2>
      <ul class="shelf">
        ${kept.map(
          (place) => html`<li key=${`${place.combat} ${place.token}`}>
            <button type="button" onClick=${() => session.sit(place)}><b><bdi>${title(place)}</bdi></b> <small>${facts(place)}</small></button>
            ${place.role === "gm" &&
            !GONE.includes(place.status ?? "") &&
            html`<button type="button" class="quiet" aria-label=${`Copy ${title(place)}`} aria-disabled=${copying} onClick=${() => copy(place)}>Copy</button>`}
            <button type="button" class="quiet" aria-label=${`Forget ${title(place)}`} onClick=${() => setAsking(place)}>Forget</button>
          </li>`,
        )}
        ${forgotten.map(
          (place) => html`<li key=${`forgotten ${place.combat} ${place.token}`} class="forgotten">
            <span role="status"><bdi>${title(place)}</bdi> is forgotten.</span>
            <button type="button" aria-label=${`Undo: keep ${title(place)}`} onClick=${() => restore(place)}>Undo</button>
          </li>`,
        )}
      </ul>
      ${wrong && html`<p class="fault" role="alert">${wrong}</p>`}
      ${asking !== null &&
      html`<${Confirm}
        title="Forget this fight?"
        verb=${`Forget ${title(asking)}`}
        what="This device then has no access to it. The fight itself stays; without another link nobody reaches it."
        agreed=${() => forget(asking)}
        close=${() => setAsking(null)}
      />`}
    </section>
  `;
}

/** Return the date, the state and the owner of a seat. @param {Place} place */
function facts(place) {
  const whose = place.label && place.label !== "GM" ? place.label : (ROLES[place.role ?? ""] ?? "");
  const date = place.seen === undefined ? "" : new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(place.seen);
  return [date, state(place), whose].filter(Boolean).join(" · ");
}
