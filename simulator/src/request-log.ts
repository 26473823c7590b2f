import type { Fault } from "./fault";
import type { Json } from "./json";
import type { OperationId } from "./models";

/** One request to the API, as it came. */
export interface LoggedRequest {
  /** Counts from 1; goes on after the log is cleared. */
  sequence: number;
  /** When it arrived, in ms of the base clock (not moved by control). */
  at: number;
  method: string;
  path: string;
  /** The operation of method and path; null when there is none. */
  operationId: OperationId | null;
  /** The answered status; 0 while there is no answer, and when the connection was reset or left hanging. */
  status: number;
  /** Null until it is answered, and when the answer bore none. */
  requestId: string | null;
  contentType: string | null;
  userAgent: string | null;
  /** The parsed body; null when there was none, or none that is JSON. Credentials stand in it as they were sent. */
  body: Json;
  /** Lower-case names; the value of `authorization` is redacted. */
  headers: Record<string, string>;
  /** The kind of the fault that took this request. */
  fault?: Fault["kind"];
  /** From arrival to answer, in ms of the base clock. */
  durationMs: number;
}

/** A simulator that runs for days must not keep every body it has seen. */
const KEPT_REQUESTS = 10_000;

/** The latest requests, in the order of their arrival. */
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

  clear(): void {
    this.entries = [];
  }
}
