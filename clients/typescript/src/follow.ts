// The stream: Server-Sent Events over fetch. It resumes at its position, and polls if streaming does not work.
import { type Settings, problem, retryAfter, sleep } from "./http.js";
import { Problem } from "./problem.js";
import type { Board, CommandMessage, Offers, Schemas } from "./shapes.js";

interface Data {
  board: Board;
  command: CommandMessage;
  amended: Schemas["AmendedMessage"];
  progress: Schemas["WalkProgress"];
  offers: Offers;
  erased: Board;
  tokens: Schemas["TokensChanged"];
  presence: Schemas["Presence"];
  closed: Schemas["StreamClosed"];
}

/**
 * One message. `board`: the current board, if the message has it. After `erased`, discard every
 * text of the combat that you have shown. After `amended`, discard everything after `back_to`, and show its board.
 */
export type Message = { [T in keyof Data]: { type: T; data: Data[T]; id: string | null; board: Board | null } }[keyof Data];

export type StreamState = "live" | "polling" | "lost";

export interface FollowOptions {
  /** Id of the last message that you received. You then get the messages after it, and no board first. */
  after?: string;
  /** Whether the newest message of a command has the board. Default: true. */
  full?: boolean;
  /** Whether you also receive the offers that answer your open prompts. Default: false. */
  offers?: boolean;
  /** Called when the connection becomes live, is lost, or is replaced by polling. */
  onState?: (state: StreamState) => void;
  signal?: AbortSignal;
  /** Times in milliseconds. Change them for tests. */
  times?: Partial<typeof TIMES>;
}

const TIMES = {
  /** The first wait before a new attempt. Each further wait is twice as long. */
  again: 300,
  /** The longest wait before a new attempt. */
  longest: 5_000,
  /** The longest wait for the first bytes. After that, a proxy probably buffers the stream. */
  first: 8_000,
  /** The longest wait between two pieces. The service sends one every 15 s. */
  silence: 40_000,
  /** The time between two polls. */
  poll: 2_000,
  /** The time of polling before streaming is tried again. */
  retry: 60_000,
};

const TYPES: readonly string[] = ["board", "command", "amended", "progress", "offers", "erased", "tokens", "presence", "closed"] satisfies (keyof Data)[];

/** The error if no byte arrives: a proxy buffers the stream, or the service does not answer. */
class Silent extends Error {}

/** Follow a stream until its end. Throw `Problem` if the service refuses it. */
export async function* follow(
  settings: Settings,
  url: string,
  token: string,
  options: FollowOptions,
): AsyncGenerator<Message, void> {
  const times = { ...TIMES, ...options.times };
  let last = options.after ?? "";
  let failures = 0;
  let pollUntil = 0;
  let state: StreamState | null = null;
  const tell = (next: StreamState) => {
    if (next !== state) options.onState?.(next);
    state = next;
  };

  while (!options.signal?.aborted) {
    const polling = Date.now() < pollUntil;
    let pause = polling ? times.poll : 0;
    try {
      for await (const frame of connect(settings, url, token, last, polling, options, times)) {
        failures = 0;
        tell(polling ? "polling" : "live");
        if (frame === null) continue;
        last = frame.id ?? last;
        const message = read(frame);
        if (message === null) continue;
        yield message;
        if (message.type === "closed" && message.data.reason !== "stopping") return;
      }
    } catch (thrown) {
      if (options.signal?.aborted) return;
      const refused = thrown instanceof Refused ? thrown : null;
      if (refused?.problem.status === 400 && last !== "") {
        last = ""; // the combat was deleted and imported, or its history differs: begin with the board
        continue;
      }
      if (refused && ![408, 429].includes(refused.problem.status) && refused.problem.status < 500) throw refused.problem;
      failures += 1;
      tell("lost");
      const unstreamed = thrown instanceof Silent || (refused !== null && [429, 503].includes(refused.problem.status));
      // If polling fails too, the network is the cause, so the next attempt is a stream again.
      pollUntil = unstreamed && !polling ? Date.now() + times.retry : 0;
      pause = Math.min(times.again * 2 ** (failures - 1), times.longest) * (0.5 + Math.random() / 2);
      pause = Math.max(pause, refused?.retryAfter_ms ?? 0);
    }
    try {
      await sleep(pause || times.again, options.signal);
    } catch {
      return;
    }
  }
}

class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly retryAfter_ms: number,
  ) {
    super(problem.message);
  }
}

/** Yield the frames of one connection, and null for each comment that keeps it alive. */
async function* connect(
  settings: Settings,
  url: string,
  token: string,
  last: string,
  polling: boolean,
  options: FollowOptions,
  times: typeof TIMES,
): AsyncGenerator<Frame | null, void> {
  const control = new AbortController();
  const abort = () => control.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", abort);
  let watch: ReturnType<typeof setTimeout> | undefined;
  let begun = false;
  let silent = false;
  const within = (ms: number) => {
    clearTimeout(watch);
    watch = setTimeout(() => {
      silent = !begun;
      control.abort();
    }, ms);
  };
  try {
    within(times.first);
    const query = new URLSearchParams({
      board: options.full === false ? "none" : "full",
      ...(options.offers && { offers: "prompted" }),
      ...(polling && { wait: "0" }),
    });
    const answer = await (settings.fetch ?? fetch)(`${url}?${query}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) },
      cache: "no-store",
      credentials: "omit",
      signal: control.signal,
    });
    if (!answer.ok) {
      const refusal = problem({ status: answer.status, text: await answer.text() });
      throw new Refused(refusal, retryAfter(answer.headers));
    }
    const frames = new Frames();
    if (polling || !answer.body) {
      // A platform without readable bodies cannot stream: an endless answer would never be read.
      if (!polling) throw new Silent("no readable body");
      yield* frames.feed(await answer.text());
      yield null;
      return;
    }
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      begun = true;
      clearTimeout(watch); // the pause of a slow reader does not count as silence
      yield null;
      yield* frames.feed(decoder.decode(value, { stream: true }));
      within(times.silence);
    }
  } catch (thrown) {
    throw silent ? new Silent() : thrown;
  } finally {
    clearTimeout(watch);
    options.signal?.removeEventListener("abort", abort);
    control.abort();
  }
}

export interface Frame {
  event: string;
  data: string;
  id: string | null;
}

/** A parser of Server-Sent Events, fed with pieces of any size. */
export class Frames {
  #rest = "";

  feed(piece: string): Frame[] {
    const blocks = (this.#rest + piece).split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? "";
    return blocks.map(frameOf).filter((frame) => frame !== null);
  }
}

function frameOf(block: string): Frame | null {
  const frame: Frame = { event: "message", data: "", id: null };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "event") frame.event = value;
    else if (name === "id") frame.id = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { ...frame, data: data.join("\n") };
}

/** Return the message of a frame, or null for a type that only a newer service has. */
function read(frame: Frame): Message | null {
  if (!TYPES.includes(frame.event)) return null;
  const data = JSON.parse(frame.data);
  const inside = ["command", "amended"].includes(frame.event);
  const board = inside ? (data.board ?? null) : ["board", "erased"].includes(frame.event) ? data : null;
  return { type: frame.event, data, id: frame.id, board } as Message;
}
