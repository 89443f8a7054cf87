// One request: its headers, its retries, and whether a retry is safe.
import { Problem, Unreachable } from "./problem.js";

/** The settings of a client for one service. */
export interface Settings {
  /** The address of the service, such as `http://127.0.0.1:8000`. */
  url: string;
  /** The service key, if the service has one. You need it to open, import, fork and list combats. */
  serviceKey?: string;
  /** Seconds for which the client repeats a request without an answer. Default: 20. */
  patience_s?: number;
  /** Called before each repetition, with the reason. Use it to show that the service does not answer. */
  onWait?: (why: Problem | Unreachable) => void;
  /** Seconds that one attempt may take. Default: 30. */
  timeout_s?: number;
  /** Another `fetch`, for tests or proxies. */
  fetch?: typeof fetch;
}

/** A request ready to be sent. */
export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether a retry is safe even if the service has carried out an earlier attempt. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}

/** A complete answer. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Types of problems after which nothing was stored, so any request may be repeated. */
const NOTHING_DONE = ["too-many-requests", "too-many-listeners", "unavailable", "full"];

/** Send a request, with retries until an answer. Throw `Problem` or `Unreachable`. */
export async function request(settings: Settings, sent: Sent): Promise<Answered> {
  const until = Date.now() + (settings.patience_s ?? 20) * 1000;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    let failure: Problem | Unreachable;
    let pause = wait * (0.5 + Math.random() / 2);
    try {
      const answer = await attempt(settings, sent);
      if (answer.status < 400) return answer;
      failure = problem(answer);
      if (![429, 502, 503, 504].includes(answer.status)) throw failure;
      pause = Math.max(pause, retryAfter(answer.headers));
      if (!sent.repeatable && !NOTHING_DONE.includes((failure as Problem).kind)) throw failure;
    } catch (thrown) {
      if (thrown instanceof Problem || sent.signal?.aborted) throw thrown;
      failure = new Unreachable(`${sent.method} ${sent.url}: no answer (${reasonOf(thrown)})`, { cause: thrown });
      if (!sent.repeatable) throw failure;
    }
    if (Date.now() + pause > until) throw failure;
    settings.onWait?.(failure);
    await sleep(pause, sent.signal);
  }
}

async function attempt(settings: Settings, sent: Sent): Promise<Answered> {
  const control = new AbortController();
  const abort = () => control.abort(sent.signal?.reason);
  if (sent.signal?.aborted) abort();
  sent.signal?.addEventListener("abort", abort);
  const timer = setTimeout(abort, (settings.timeout_s ?? 30) * 1000);
  try {
    const { method, url, headers, body } = sent;
    const answer = await (settings.fetch ?? fetch)(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      cache: "no-store",
      credentials: "omit",
      signal: control.signal,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } finally {
    clearTimeout(timer);
    sent.signal?.removeEventListener("abort", abort);
  }
}

/** Return the reason of a failed fetch. Node.js gives it in the cause, and browsers give none. */
function reasonOf(thrown: unknown): string {
  const { message = String(thrown), cause } = thrown as { message?: string; cause?: { code?: string } };
  return cause?.code === undefined ? message : `${message}: ${cause.code}`;
}

/** Return the problem in an answer. A proxy's error page becomes a problem without a type. */
export function problem({ status, text }: { status: number; text: string }): Problem {
  try {
    return new Problem(status, JSON.parse(text));
  } catch {
    return new Problem(status, {});
  }
}

/** Return the milliseconds of `Retry-After`, which is a number or a date. Without it, return 0. */
export function retryAfter(headers: Headers): number {
  const text = headers.get("retry-after");
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Wait. An abort ends the wait with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((over, fail) => {
    const abort = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      over();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Return a key for one request that nobody can guess. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
