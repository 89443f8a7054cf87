// Server-Sent Events over fetch, because an EventSource sends no token. The stream reconnects and
// resumes where it stopped. A hidden tab polls instead, because a browser has only six connections
// to a service.

/** @import { Message } from "./shapes.d.ts" */

/**
 * @typedef {object} Listener
 * @property {(message: Message) => void} told
 * @property {(state: "live" | "lost") => void} link
 * @property {(why: string) => void} closed
 */

const SILENCE_MS = 40_000; // the service sends something at least every 15 s
const UNSEEN_MS = 15_000;

/**
 * Follow a combat until the returned function is called.
 * @param {string} combat @param {string} token @param {Listener} listener
 */
export function follow(combat, token, listener) {
  let last = "";
  let over = false;
  /** @type {AbortController} */
  let current = new AbortController();
  let wake = () => {};
  const turned = () => {
    if (document.hidden) current.abort();
    else wake();
  };
  document.addEventListener("visibilitychange", turned);

  async function listen() {
    for (let wait = 300; !over; wait = Math.min(wait * 1.6, 4000)) {
      current = new AbortController();
      const unseen = document.hidden;
      let fine = false;
      try {
        fine = await once(current, unseen);
      } catch {
        fine = document.hidden && !unseen; // the page itself closed the connection of a hidden tab: this is no fault
      }
      if (over) return;
      if (fine) wait = 300;
      else listener.link("lost");
      await new Promise((then) => {
        wake = () => then(null);
        setTimeout(then, fine && document.hidden ? UNSEEN_MS : wait);
      });
    }
  }

  /** Open one connection. Return true if a message arrived. `brief` reads only the current messages. @param {AbortController} control @param {boolean} brief */
  async function once(control, brief) {
    const headers = { authorization: `Bearer ${token}`, ...(last && { "last-event-id": last }) };
    const answer = await fetch(`/v1/combats/${combat}/stream?board=full&presence=seats${brief ? "&wait=0" : ""}`, {
      headers,
      signal: control.signal,
      cache: "no-store",
    });
    if ([401, 403, 404].includes(answer.status)) end(answer.status === 404 ? "deleted" : "revoked");
    if (!answer.ok || answer.body === null) return false;
    listener.link("live");
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const silence = setTimeout(() => control.abort(), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return true;
      const pieces = (rest + value).split("\n\n");
      rest = pieces.pop() ?? "";
      pieces.forEach(take);
    }
  }

  /** @param {string} piece */
  function take(piece) {
    const fields = Object.fromEntries(
      piece.split("\n").map((part) => {
        const colon = part.indexOf(":");
        return [part.slice(0, colon), part.slice(colon + 1).trimStart()];
      }),
    );
    if (fields.data === undefined || fields.event === undefined) return;
    if (fields.id !== undefined) last = fields.id;
    const message = /** @type {Message} */ ({ event: fields.event, data: JSON.parse(fields.data) });
    if (message.event !== "closed") listener.told(message);
    else if (message.data.reason !== "stopping") end(message.data.reason);
  }

  /** @param {string} why */
  function end(why) {
    leave();
    listener.closed(why);
  }

  function leave() {
    over = true;
    document.removeEventListener("visibilitychange", turned);
    current.abort();
    wake();
  }

  void listen();
  return leave;
}
