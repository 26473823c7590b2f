import type { Fault } from "./fault";
import type { Json } from "./json";
import { isTooDeep } from "./json";
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
  /** The parsed body, with credentials; null without a body of JSON or a valid key, and a text in brackets if the log has not kept it. */
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
const MAX_BODY_MIB = 1;
const MAX_BODIES_MIB = 16;
const MIB = 1024 * 1024;

const NOT_KEPT = `(not kept: the log has ${MAX_BODIES_MIB} MiB of later bodies, and none over ${MAX_BODY_MIB} MiB)`;
const TOO_DEEP = "(not shown: it is nested too deeply)";

function parsed(text: string): Json {
  try {
    const body = JSON.parse(text) as Json;
    return isTooDeep(body) ? TOO_DEEP : body;
  } catch {
    return null;
  }
}

/** The latest bodies by the numbers of their requests, as texts: a parsed one can take fifty times as much memory. */
class BodyLog {
  private readonly texts = new Map<number, string>();
  private bytes = 0;

  add(sequence: number, text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes === 0 || bytes > MAX_BODY_MIB * MIB) return;
    this.texts.set(sequence, text);
    this.bytes += bytes;
    for (const [oldest, old] of this.texts) {
      if (this.bytes <= MAX_BODIES_MIB * MIB) return;
      this.texts.delete(oldest);
      this.bytes -= Buffer.byteLength(old);
    }
  }

  of(sequence: number): Json {
    const text = this.texts.get(sequence);
    return text === undefined ? NOT_KEPT : parsed(text);
  }
}

/** A request as it is kept. */
type Entry = Omit<LoggedRequest, "body"> & { readonly hasBody: boolean };

/** The latest requests, oldest first. */
export class RequestLog {
  private entries: Entry[] = [];
  private bodies = new BodyLog();
  private sequence = 0;

  /** Adds a request; its answer may be added to the entry later. */
  add(request: Omit<LoggedRequest, "sequence" | "body">, bodyText: string): Entry {
    this.sequence += 1;
    const entry = { sequence: this.sequence, ...request, hasBody: bodyText !== "" };
    this.entries.push(entry);
    this.bodies.add(entry.sequence, bodyText);
    if (this.entries.length > KEPT_REQUESTS) this.entries.shift();
    return entry;
  }

  /** A copy of an entry, with its body. */
  view({ hasBody, ...entry }: Entry): LoggedRequest {
    return { ...structuredClone(entry), body: hasBody ? this.bodies.of(entry.sequence) : null };
  }

  list(): LoggedRequest[] {
    return this.entries.map((entry) => this.view(entry));
  }

  /** The newest requests, newest first. */
  latest(count: number): LoggedRequest[] {
    return this.entries
      .slice(-count)
      .map((entry) => this.view(entry))
      .reverse();
  }

  clear(): void {
    this.entries = [];
    this.bodies = new BodyLog();
  }
}
