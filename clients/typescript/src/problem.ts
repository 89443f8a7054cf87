// Errors: the service refuses a request, or does not answer.
import type { components } from "./contract.js";

type Document = components["schemas"]["Problem"];

/** The service refused a request: a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  /** The HTTP status. */
  readonly status: number;
  /** The last word of `type`, such as `illegal-action`. Decide by it. */
  readonly kind: string;
  /** The kind of problem in one sentence. */
  readonly title: string;
  /** The fault in a sentence. Show it to people. */
  readonly detail: string;
  /** Id of the rule that refuses. */
  readonly rule: string | null;
  /** The rulebook's short word for the reason. */
  readonly reason: string | null;
  /** JSON pointer of the faulty field of the body, such as `/inputs/target`. */
  readonly pointer: string | null;
  /** The values that would be accepted. */
  readonly allowed: readonly string[];
  /** The whole document. */
  readonly document: Document;

  constructor(status: number, document: Partial<Document>) {
    super(document.detail || document.title || `status ${status}`);
    this.status = status;
    this.document = { type: "about:blank", title: `Status ${status}`, ...document, status };
    this.kind = this.document.type.split("/").at(-1) ?? "";
    this.title = this.document.title;
    this.detail = this.message;
    this.rule = document.rule ?? null;
    this.reason = document.reason ?? null;
    this.pointer = document.pointer ?? null;
    this.allowed = document.allowed ?? [];
  }

  /** The board has changed: the version of `If-Match` is not the current one. */
  get isStale(): boolean {
    return this.status === 412;
  }

  /** Id of the open prompt that replaces a prompt that you answered too late, or null. */
  get successor(): string | null {
    return this.document.closed?.successor || null;
  }
}

/** The service did not answer. It may have carried out the command. `cause` is the last failure. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
