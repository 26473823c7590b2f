import { ApiError } from "./api-error";
import { contract } from "./contract";
import type { JsonObject } from "./json";
import { isObject } from "./json";
import type { OperationId } from "./models";

/** Which requests a fault takes. */
interface FaultTarget {
  /** The operation, or `"*"` for any request under the API's paths. */
  operationId: OperationId | "*";
  /** The service, for those who have several. @default any */
  serviceId?: string;
  /** How many requests it takes. @default 1 */
  times?: number;
  /** How many matching requests pass unharmed before. @default 0 */
  after?: number;
}

/** Faults that answer something else can do so after the request has taken effect. */
interface Replacing {
  /** Whether the request takes effect before its answer is replaced. @default false */
  processed?: boolean;
}

/** What goes wrong. */
export type FaultKind =
  /** Answers this status; `body` is sent as JSON, or as it is when it is a string. */
  | ({ kind: "status"; status: number; body?: unknown; headers?: Record<string, string> } & Replacing)
  /** Resets the connection; the request takes no effect. */
  | { kind: "reset-before" }
  /** The request takes effect, then the connection is reset without an answer. */
  | { kind: "reset-after" }
  /** Waits before the ordinary answer. @default ms 1000 */
  | { kind: "slow"; ms?: number }
  /** Sends the head at once and the body of the ordinary answer in drips spread over this time. @default ms 1000 */
  | { kind: "slow-body"; ms?: number }
  /** Answers 200 with JSON that ends in the middle. */
  | ({ kind: "bad-json" } & Replacing)
  /** Answers as a gateway does: a page of HTML. @default status 504 */
  | ({ kind: "html"; status?: number } & Replacing)
  /** Answers 429, with `X-RateLimit-Reset` and `Retry-After` unless `headers` is false. @default resetSeconds 1 */
  | { kind: "rate-limit"; headers?: boolean; resetSeconds?: number }
  /** Takes the request, which has no effect, and never answers. */
  | { kind: "hang" }
  /** Answers HTTP 200 with an envelope that carries this status. @default status 500 */
  | ({ kind: "wrong-envelope"; status?: number } & Replacing)
  /** Answers 400 with a text that repeats the request's body as it came, and its Authorization header when asked. */
  | ({ kind: "echo"; withAuthorization?: boolean; status?: number } & Replacing)
  /** Answers a redirect. @default status 307 */
  | ({ kind: "redirect"; location: string; status?: number } & Replacing)
  /** The ordinary answer under another content type. @default contentType "text/plain" */
  | { kind: "wrong-content-type"; contentType?: string }
  /** The ordinary answer to listPipes without these pipes. */
  | { kind: "incomplete-list"; pipeIds: readonly string[] };

/** A fault to come: which requests it takes and what goes wrong with them. */
export type Fault = FaultTarget & FaultKind;

const KINDS: readonly FaultKind["kind"][] = [
  "status",
  "reset-before",
  "reset-after",
  "slow",
  "slow-body",
  "bad-json",
  "html",
  "rate-limit",
  "hang",
  "wrong-envelope",
  "echo",
  "redirect",
  "wrong-content-type",
  "incomplete-list",
];

const TARGETS: readonly string[] = [...contract.operationIds, "*"];

const isHttpStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

function errorIn(fault: JsonObject): string | undefined {
  const { operationId, serviceId, kind, times, after, status, location } = fault;
  if (typeof operationId !== "string" || !TARGETS.includes(operationId))
    return `operationId must be one of ${TARGETS.join(", ")}`;
  if (!KINDS.some((known) => known === kind)) return `kind must be one of ${KINDS.join(", ")}`;
  if (serviceId !== undefined && typeof serviceId !== "string") return "serviceId must be a string";
  if (times !== undefined && !isCount(times)) return "times must be a whole number";
  if (after !== undefined && !isCount(after)) return "after must be a whole number";
  if ((kind === "status" || status !== undefined) && !isHttpStatus(status))
    return "status must be 200 to 599";
  if (kind === "incomplete-list" && !isTexts(fault["pipeIds"])) return "pipeIds must be an array of strings";
  if (kind === "incomplete-list" && operationId !== "listPipes")
    return "operationId of incomplete-list must be listPipes";
  if (kind === "redirect" && typeof location !== "string") return "location must be a string";
  return undefined;
}

/** The faults that are still to come, in the order in which they were asked for. */
export class FaultQueue {
  private pending: Fault[] = [];

  add(fault: Fault): void {
    const error = errorIn(isObject(fault) ? fault : {});
    if (error !== undefined) throw new ApiError(400, error);
    this.pending.push({ ...fault });
  }

  /** The fault that takes this request, if any. */
  take(operationId: OperationId | null, serviceId: string | undefined): Fault | undefined {
    for (const fault of this.pending) {
      if (fault.operationId !== "*" && fault.operationId !== operationId) continue;
      if (fault.serviceId !== undefined && fault.serviceId.toLowerCase() !== serviceId?.toLowerCase())
        continue;
      if ((fault.after ?? 0) > 0) {
        fault.after = (fault.after ?? 0) - 1;
        continue;
      }
      const left = (fault.times ?? 1) - 1;
      fault.times = left;
      if (left <= 0) this.pending = this.pending.filter((other) => other !== fault);
      return fault;
    }
    return undefined;
  }

  list(): Fault[] {
    return structuredClone(this.pending);
  }

  clear(): void {
    this.pending = [];
  }
}
