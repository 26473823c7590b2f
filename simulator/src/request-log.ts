import type { Fault } from "./fault";
import type { Json } from "./json";
import type { OperationId } from "./models";

/** One request to the API. */
export interface LoggedRequest {
  /** Starts at 1, and is not reset when the log is cleared. */
  sequence: number;
  /** When it arrived, in ms of the base clock, which control does not advance. */
  at: number;
  method: string;
  path: string;
  /** The operation of method and path; null when there is none. */
  operationId: OperationId | null;
  /** The status of the answer; 0 without an answer. */
  status: number;
  /** Null without an answer. */
  requestId: string | null;
  contentType: string | null;
  userAgent: string | null;
  /** The parsed body, with credentials; null without a body of JSON. */
  body: Json;
  /** Lower-case names; the value of `authorization` is redacted. */
  headers: Record<string, string>;
  /** The kind of the fault that affected it. */
  fault?: Fault["kind"];
  /** From arrival to answer, in ms of the base clock. */
  durationMs: number;
}

/** A simulator that runs for days must not keep every body. */
const KEPT_REQUESTS = 10_000;

/** The latest requests, oldest first. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private sequence = 0;

  add(entry: Omit<LoggedRequest, "sequence">): LoggedRequest {
    this.sequence += 1;
    const logged = { sequence: this.sequence, ...entry };
    this.entries.push(logged);
    if (this.entries.length > KEPT_REQUESTS) this.entries.shift();
    return logged;
  }

  list(): LoggedRequest[] {
    return structuredClone(this.entries);
  }

  /** The newest requests, newest first. */
  latest(count: number): LoggedRequest[] {
    return structuredClone(this.entries.slice(-count)).reverse();
  }

  clear(): void {
    this.entries = [];
  }
}
