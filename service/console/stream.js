// What happens, as it happens: Server-Sent Events over fetch, because an EventSource sends no
// token. Comes back by itself, from where it was.

/**
 * @typedef {object} Listener
 * @property {(type: string, data: any) => void} told
 * @property {(state: "live" | "lost") => void} link
 * @property {(why: string) => void} closed
 */

const SILENCE_MS = 40_000; // the service says something every 15 s

/**
 * Follows a combat until the returned function is called.
 * @param {string} combat @param {string} token @param {Listener} listener
 */
export function follow(combat, token, listener) {
  let last = "";
  let over = false;
  /** @type {AbortController} */
  let current = new AbortController();

  async function listen() {
    for (let wait = 300; !over; wait = Math.min(wait * 1.6, 4000)) {
      current = new AbortController();
      try {
        if (await once(current)) wait = 300;
      } catch {
        /* the way is broken: come back */
      }
      if (over) return;
      listener.link("lost");
      await new Promise((then) => setTimeout(then, wait));
    }
  }

  /** One connection; whether anything came. @param {AbortController} control */
  async function once(control) {
    const headers = { authorization: `Bearer ${token}`, ...(last && { "last-event-id": last }) };
    const answer = await fetch(`/v1/combats/${combat}/stream?board=full`, {
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
      piece.split("\n").map((one) => {
        const colon = one.indexOf(":");
        return [one.slice(0, colon), one.slice(colon + 1).trimStart()];
      }),
    );
    if (fields.data === undefined || fields.event === undefined) return;
    if (fields.id !== undefined) last = fields.id;
    const data = JSON.parse(fields.data);
    if (fields.event !== "closed") listener.told(fields.event, data);
    else if (data.reason !== "stopping") end(data.reason);
  }

  /** @param {string} why */
  function end(why) {
    over = true;
    current.abort();
    listener.closed(why);
  }

  void listen();
  return () => {
    over = true;
    current.abort();
  };
}
