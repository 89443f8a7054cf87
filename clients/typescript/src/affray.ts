// A service, and the combats of a token.
import { type FollowOptions, type Message, follow } from "./follow.js";
import { type Answered, type Settings, newKey, request } from "./http.js";
import { CONTRACT, OPERATIONS } from "./made.js";
import type {
  Answer,
  Board,
  Call,
  CallOptions,
  Committed,
  Inputs,
  Issued,
  IssueToken,
  Offer,
  Offers,
  OperationId,
  Opening,
  Preview,
  Prompt,
  Ruleset,
  RulesetOf,
  Schemas,
} from "./shapes.js";

/** A call without its types. */
interface LooseCall extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  accept?: string;
  ifNoneMatch?: string;
}

/** An answer of a read. `ifMatch` uses its ETag. */
const ETAGS = new WeakMap<object, string>();

/** A new combat. Store `token`, the GM's token, because the service shows it only once. */
export interface Opened {
  combat: Combat;
  token: string;
  board: Board;
}

/** The comparison of a service's contract with that of this client. */
export interface Compatibility {
  /** Version of the contract from which this client was made. */
  client: string;
  /** Version of the service, or `null` if it does not report one. */
  service: string | null;
  /**
   * `same`: the versions are equal. `newer`, `older`: the service differs by a patch, so everything that both
   * know works. `other`: names may differ, so use the client of that version.
   */
  relation: "same" | "newer" | "older" | "other";
}

/** A service. */
export class Affray {
  readonly settings: Settings;

  constructor(settings: Settings | string) {
    const given = typeof settings === "string" ? { url: settings } : settings;
    this.settings = { ...given, url: given.url.replace(/\/+$/, "") };
  }

  /** Call an operation of the contract by its id, with the service key. */
  async call<O extends OperationId>(operation: O, call: Call<O>): Promise<Answer<O>> {
    return json(await send(this.settings, this.settings.serviceKey, operation, call as LooseCall)) as Answer<O>;
  }

  /** Open a combat. The returned `combat` is the GM's. */
  async open<const R extends string>(ruleset: R, opening: Opening<R>, options: CallOptions = {}): Promise<Opened> {
    const body = { ruleset, ...opening } as unknown as Schemas["OpenCombat"];
    const { combat, token, board } = await this.call("openCombat", { body, ...options });
    return { combat: this.combat(combat, token), token, board };
  }

  /** Return the combat with this id, as the holder of this token. This sends no request. */
  combat(id: string, token: string): Combat {
    return new Combat(this.settings, id, token);
  }

  /** Read a rulebook: schemas of sheets, options and maps, every action, prompt and ruling, and ready fights. */
  async ruleset<const R extends string>(id: R): Promise<RulesetOf<R>> {
    return (await this.call("readRuleset", { path: { ruleset: id } })) as unknown as RulesetOf<R>;
  }

  /** Compare the service's contract with the one from which this client was made. */
  async compatibility(): Promise<Compatibility> {
    const health: { version?: string } = await this.call("readLiveness", {});
    return compare(CONTRACT.version, health.version ?? null);
  }
}

/** Compare versions by the rules of docs/stability.md. */
export function compare(client: string, service: string | null): Compatibility {
  const [ours, theirs] = [parts(client), parts(service ?? "0.0.0")];
  const named = (version: number[]) => (version[0] === 0 ? version.slice(0, 2) : version.slice(0, 1)).join(".");
  if (service === null || named(ours) !== named(theirs)) return { client, service, relation: "other" };
  const distance = theirs.map((part, index) => part - (ours[index] ?? 0)).find((part) => part !== 0) ?? 0;
  return { client, service, relation: distance === 0 ? "same" : distance > 0 ? "newer" : "older" };
}

const parts = (version: string) => version.split(/[.+-]/, 3).map(Number);

/** One combat, seen with one token. */
export class Combat {
  readonly #settings: Settings;
  #board: Board | null = null;
  #catalogue: Promise<Ruleset> | null = null;

  constructor(
    settings: Settings,
    readonly id: string,
    readonly token: string,
  ) {
    this.#settings = settings;
  }

  /** Call an operation of the contract by its id. This adds the combat's id and the token. */
  async call<O extends OperationId>(operation: O, call: Call<O, "combat">): Promise<Answer<O>> {
    return marked(await this.#send(operation, call as LooseCall)) as Answer<O>;
  }

  /** Call an operation that answers text: `text/markdown` or `application/x-ndjson`. */
  async text<O extends OperationId>(operation: O, accept: string, call: Call<O, "combat">): Promise<string> {
    return (await this.#send(operation, { ...(call as LooseCall), accept })).text;
  }

  #send(operation: OperationId, call: LooseCall): Promise<Answered> {
    return send(this.#settings, this.token, operation, { ...call, path: { ...call.path, combat: this.id } });
  }

  /** Read the board. If it has not changed since the last read, the service sends no body. */
  async board(): Promise<Board> {
    const known = this.#board;
    const etag = known && ETAGS.get(known);
    const answer = await this.#send("readCombat", etag ? { ifNoneMatch: etag } : {});
    if (known === null || answer.status !== 304) this.#board = marked(answer) as Board;
    return this.#board as Board;
  }

  /** Read the current offers. `refused` adds the offers that are not legal now, with every reason. */
  options(query: { combatant?: string; refused?: boolean; reach?: boolean } = {}): Promise<Offers> {
    const { combatant, refused, reach } = query;
    return this.call("readOptions", {
      query: {
        ...(combatant !== undefined && { combatant }),
        ...(refused && { include: "refused" as const }),
        ...(reach && { reach: "yes" as const }),
      },
    });
  }

  /** Read the open prompts of this token. */
  async prompts(): Promise<Prompt[]> {
    const list = await this.call("readPrompts", {});
    const etag = ETAGS.get(list);
    if (etag !== undefined) ETAGS.set(list.prompts, etag);
    return list.prompts;
  }

  /** Begin the fight. */
  begin(options: CallOptions = {}): Promise<Committed> {
    return this.call("beginCombat", { body: {}, ...options });
  }

  /** End the fight. Without `winners`, the rulebook decides. */
  end(body: Schemas["EndCombat"] = {}, options: CallOptions = {}): Promise<Committed> {
    return this.call("endCombat", { body, ...options });
  }

  /** Add a combatant. */
  join(newcomer: Schemas["Joining"], options: CallOptions = {}): Promise<Committed> {
    return this.call("joinCombat", { body: newcomer, ...options });
  }

  /** Issue a token to a player, a spectator or another GM. The service shows it only once. */
  issue(token: IssueToken): Promise<Issued> {
    return this.call("issueToken", { body: token });
  }

  /** Send an offer with its inputs: as an answer, a ruling or an action. */
  send(offer: Offer, inputs: Inputs = {}, options: CallOptions & { reason?: string } = {}): Promise<Committed> {
    const { reason, ...others } = options;
    const { operation, path, body } = route(offer, inputs);
    const whole = operation === "makeRuling" && reason !== undefined ? { ...body, reason } : body;
    return this.call(operation, { path, body: whole, ...others } as never) as Promise<Committed>;
  }

  /** Return the effect of an offer with these inputs. The service stores nothing. */
  preview(offer: Offer, inputs: Inputs = {}): Promise<Preview> {
    const { command, path, body } = route(offer, inputs);
    return this.call("preview", { body: { command, ...path, ...body } as Schemas["PreviewAct"] });
  }

  /** Answer a prompt. Leave `option` out if it has only one. */
  answer(prompt: string, option: string | null, inputs: Inputs = {}, options: CallOptions = {}): Promise<Committed> {
    const body = { ...(option !== null && { option }), inputs } as unknown as Schemas["AnswerPrompt"];
    return this.call("answerPrompt", { path: { prompt }, body, ...options });
  }

  /**
   * Answer a prompt of kind `roll` with the rolled faces, in the order of `diceOf(prompt)`.
   * With `null`, the service rolls.
   */
  roll(prompt: string, faces: readonly number[] | null, options: CallOptions = {}): Promise<Committed> {
    return this.answer(prompt, null, { faces }, options);
  }

  /**
   * Undo the last command. A roll by hand is a separate command. `over` undoes more:
   * the whole `"turn"` or `"round"`, or another value of the contract.
   */
  undo(reason = "", over: Schemas["UndoWhat"]["over"] = "command"): Promise<Committed> {
    return this.call("undo", { body: { reason, over } });
  }

  /** Read the whole log in Markdown. `cite: "nothing"` omits rule ids and versions. */
  async log(options: { cite?: "rules" | "nothing" } = {}): Promise<string> {
    const { cite = "rules" } = options;
    let log = "";
    let cursor: string | null = null;
    do {
      const query: { limit: number; cite: "rules" | "nothing"; cursor?: string } = { limit: 500, cite, ...(cursor !== null && { cursor }) };
      const page = await this.text("readTimeline", "text/markdown", { query });
      const next: RegExpExecArray | null = NEXT.exec(page);
      cursor = next && decodeURIComponent(next[1] as string);
      const body = next ? page.slice(0, next.index) : page;
      log += log === "" ? body : body.slice(body.indexOf("\n") + 1); // one title is enough
    } while (cursor !== null);
    return log;
  }

  /**
   * Follow the combat live. The stream ends with a message `closed`, or when `signal` is aborted.
   *
   * Messages `offers` have the schemas of their forms, and the last board of the stream.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Message, void> {
    const url = `${this.#settings.url}/v1/combats/${encodeURIComponent(this.id)}/stream`;
    let board: Board | null = null;
    for await (const message of follow(this.#settings, url, this.token, options)) {
      board = message.board ?? board;
      if (message.type !== "offers") yield message;
      else {
        board ??= await this.board();
        yield { ...message, data: await this.#whole(message.data, board.ruleset), board };
      }
    }
  }

  /** Add the schemas that the offers cite from the rulebook. */
  async #whole(offers: Offers, ruleset: string): Promise<Offers> {
    const cited = Object.keys(offers.cited);
    if (cited.length === 0) return offers;
    this.#catalogue ??= send(this.#settings, this.token, "readRuleset", { path: { ruleset } }).then(
      (answer) => json(answer) as Ruleset,
    );
    const catalogue = await this.#catalogue;
    const schemas = { ...offers.schemas };
    for (const key of cited) {
      const place = catalogue.schemas[key];
      if (place) schemas[key] = at(catalogue, place.at) as Record<string, unknown>;
    }
    return { ...offers, schemas };
  }
}

/** The link to the next page, at the end of a page of the log. */
const NEXT = /\n\[What comes after\]\([^)]*[?&]cursor=([^)&]+)\)\s*$/;

/** Return the value at a JSON pointer. */
function at(document: unknown, pointer: string): unknown {
  const steps = pointer.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  return steps.reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
}

/** Return the command of an offer, from its fields `prompt` and `kind`. */
function route(offer: Offer, inputs: Inputs) {
  if (offer.prompt !== null)
    return {
      operation: "answerPrompt" as const,
      command: "answer",
      path: { prompt: offer.prompt },
      body: { option: offer.id, inputs },
    };
  if (offer.kind === "ruling")
    return { operation: "makeRuling" as const, command: "rule", path: {}, body: { ruling: offer.id, inputs } };
  const body = { combatant: offer.who, action: offer.id, inputs };
  return { operation: "declareAction" as const, command: "act", path: {}, body };
}

function send(settings: Settings, token: string | undefined, operation: OperationId, call: LooseCall): Promise<Answered> {
  const { method, path, keyed, serviceKey, body: media } = OPERATIONS[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(call.path?.[name])));
  const asked = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  const query = asked.length > 0 ? `?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}` : "";
  const headers: Record<string, string> = { Accept: call.accept ?? "application/json" };
  if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
  if (serviceKey && settings.serviceKey !== undefined) headers["Affray-Service-Key"] = settings.serviceKey;
  if (media !== null) headers["Content-Type"] = media;
  if (keyed) headers["Idempotency-Key"] = call.key ?? newKey();
  if (call.ifMatch !== undefined) headers["If-Match"] = etagOf(call.ifMatch);
  if (call.ifNoneMatch !== undefined) headers["If-None-Match"] = call.ifNoneMatch;
  return request(settings, {
    method,
    url: `${settings.url}${filled}${query}`,
    headers,
    ...(media !== null && { body: typeof call.body === "string" ? call.body : JSON.stringify(call.body ?? {}) }),
    // A repeated PUT with a version would fail (412), because the first attempt changed the version.
    repeatable: keyed || method === "GET" || (method === "PUT" && call.ifMatch === undefined) || operation === "preview",
    signal: call.signal,
  });
}

const json = ({ text }: Answered): unknown => (text === "" ? undefined : JSON.parse(text));

/** Return the JSON of an answer, and remember its ETag. */
function marked(answer: Answered): unknown {
  const read = json(answer);
  const etag = answer.headers.get("etag");
  if (etag !== null && typeof read === "object" && read !== null) ETAGS.set(read, etag);
  return read;
}

function etagOf(seen: object | string): string {
  const etag = typeof seen === "string" ? seen : ETAGS.get(seen);
  if (etag === undefined) throw new TypeError("ifMatch: no request of this client read it (boards of a stream have no ETag)");
  return etag;
}
