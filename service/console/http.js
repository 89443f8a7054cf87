// The client of the service. It adds the token and idempotency keys, reads problem documents, and
// refuses commands while the page shows the past.

/** @import { Problem } from "./shapes.d.ts" */

/** The service refused a request. */
export class Refused extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, problem) {
    super(problem.detail || problem.title);
    this.status = status;
    this.problem = problem;
  }
}

/** Nobody answered. */
export class Unreachable extends Error {}

/** Requests that are allowed while the page shows the past. They return to this past, or change nothing in the combat. */
const HARMLESS = /\/(goto|fork|tickets|what-if)$/;
const PATIENCE_MS = 60_000;

/** @type {{ token: string | null, locked: () => boolean, waiting: (is: boolean) => void }} */
export const line = { token: null, locked: () => false, waiting: () => {} };

/**
 * Read JSON or text. Return `undefined` for 304.
 * @param {string} path
 * @param {{ accept?: string, signal?: AbortSignal }} [more]
 */
export async function read(path, more = {}) {
  const answer = await reach(path, { headers: headers({ accept: more.accept }), signal: more.signal });
  return more.accept && more.accept !== "application/json" ? answer.text() : answer.json();
}

/** Read a file. The browser caches it as long as the service allows. @param {string} path */
export async function readFile(path) {
  return (await reach(path, { headers: headers({}), cache: "default" })).blob();
}

/**
 * Send a command. If the service does not answer, send it again with the same key, so that it
 * takes effect once.
 * @param {string} method @param {string} path @param {unknown} body
 * @param {{ version?: number, type?: string, signal?: AbortSignal, token?: string }} [more] `version`: the service refuses the command if the combat has another version.
 * `token`: the first page sends this token, and the service key in a separate header
 */
export async function send(method, path, body, more = {}) {
  if (line.locked() && !HARMLESS.test(path)) throw new Error("the page shows the past");
  const type = more.type ?? "application/json";
  const request = {
    method,
    signal: more.signal,
    headers: headers({
      "content-type": body === undefined ? undefined : type,
      "idempotency-key": method === "POST" ? key() : undefined,
      "if-match": more.version === undefined ? undefined : `"${more.version}"`,
      authorization: more.token && `Bearer ${more.token}`,
      "affray-service-key": more.token && (line.token ?? undefined),
    }),
    body: body === undefined ? undefined : type === "application/json" ? JSON.stringify(body) : body,
  };
  const until = Date.now() + PATIENCE_MS;
  for (let wait = 250; ; wait = Math.min(wait * 2, 4000)) {
    try {
      const answer = await reach(path, /** @type {RequestInit} */ (request));
      line.waiting(false);
      return answer.status === 204 ? null : answer.json();
    } catch (failed) {
      const again = failed instanceof Unreachable && method !== "DELETE" && Date.now() < until;
      line.waiting(again);
      if (!again) throw failed;
      await new Promise((over) => setTimeout(over, wait));
    }
  }
}

/** @param {Record<string, string | undefined>} more */
function headers(more) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(more)) if (value !== undefined) headers.set(name, value);
  if (line.token && !headers.has("authorization")) headers.set("authorization", `Bearer ${line.token}`);
  return headers;
}

/** @param {string} path @param {RequestInit} request */
async function reach(path, request) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-cache", ...request, credentials: "omit" });
  } catch (failed) {
    if (request.signal?.aborted) throw failed;
    throw new Unreachable("the service does not answer");
  }
  if (answer.ok) return answer;
  if (answer.status === 503 || answer.status === 502) throw new Unreachable("the service is busy");
  throw new Refused(answer.status, await problem(answer));
}

/** @param {Response} answer @returns {Promise<Problem>} */
async function problem(answer) {
  try {
    return await answer.json();
  } catch {
    return /** @type {Problem} */ ({ type: "about:blank", title: answer.statusText, status: answer.status });
  }
}

/** Return a random idempotency key. `randomUUID` does not exist on plain HTTP. */
function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
