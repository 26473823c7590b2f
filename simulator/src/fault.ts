import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import { contract } from "./contract";
import type { JsonObject } from "./json";
import { isObject } from "./json";
import type { OperationId } from "./models";

/** Which requests a fault affects. */
interface FaultTarget {
  /** The operation, or `"*"` for any request under the API's paths. */
  operationId: OperationId | "*";
  /** The service. @default any */
  serviceId?: string;
  /** How many requests it affects; `"always"`: all, until it is removed. @default 1 */
  times?: number | "always";
  /** How many matching requests succeed before. @default 0 */
  after?: number;
}

/** A fault that replaces the answer. */
interface Replacing {
  /** Whether the simulator processes the request before it replaces the answer. @default false */
  processed?: boolean;
}

/** What happens to a request. */
export type FaultKind =
  /** Answers this status; `body` is sent as JSON, or as it is when it is a string. */
  | ({ kind: "status"; status: number; body?: unknown; headers?: Record<string, string> } & Replacing)
  /** Resets the connection; does not process the request. */
  | { kind: "reset-before" }
  /** Processes the request, then resets the connection without an answer. */
  | { kind: "reset-after" }
  /** Waits, then answers as usual. @default ms 1000 */
  | { kind: "slow"; ms?: number }
  /** Sends the headers at once, and the usual body in small parts over this time. @default ms 1000 */
  | { kind: "slow-body"; ms?: number }
  /** Answers 200 with JSON that ends in the middle. */
  | ({ kind: "bad-json" } & Replacing)
  /** Answers with a page of HTML, as a gateway does. @default status 504 */
  | ({ kind: "html"; status?: number } & Replacing)
  /** Answers 429, with `X-RateLimit-Reset` and `Retry-After` unless `headers` is false. @default resetSeconds 1 */
  | { kind: "rate-limit"; headers?: boolean; resetSeconds?: number }
  /** Never answers; does not process the request. */
  | { kind: "hang" }
  /** Answers HTTP 200 with an envelope that carries this status. @default status 500 */
  | ({ kind: "wrong-envelope"; status?: number } & Replacing)
  /** Answers 400 with a text that repeats the body, and with `withAuthorization` the Authorization header. */
  | ({ kind: "echo"; withAuthorization?: boolean; status?: number } & Replacing)
  /** Answers a redirect. @default status 307 */
  | ({ kind: "redirect"; location: string; status?: number } & Replacing)
  /** Answers as usual, with another content type. @default contentType "text/plain" */
  | { kind: "wrong-content-type"; contentType?: string }
  /** Answers listPipes without these pipes. */
  | { kind: "incomplete-list"; pipeIds: readonly string[] };

/** A fault: which requests it affects, and what happens to them. */
export type Fault = FaultTarget & FaultKind;

/** A fault that was requested and still affects requests. */
export type PendingFault = Fault & { id: string };

/** All kinds of faults. */
const FAULT_KINDS: readonly FaultKind["kind"][] = [
  ...(["status", "html", "bad-json", "wrong-envelope", "wrong-content-type", "echo", "redirect"] as const),
  ...(["rate-limit", "reset-before", "reset-after", "hang", "slow", "slow-body", "incomplete-list"] as const),
];

/** What a fault can name as its operation. */
const FAULT_TARGETS: readonly string[] = [...contract.operationIds, "*"];

const isHttpStatus = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

function errorIn(fault: JsonObject): string | undefined {
  const { operationId, serviceId, kind, times, after, status, location } = fault;
  if (typeof operationId !== "string" || !FAULT_TARGETS.includes(operationId))
    return `operationId must be one of ${FAULT_TARGETS.join(", ")}`;
  if (!FAULT_KINDS.some((known) => known === kind)) return `kind must be one of ${FAULT_KINDS.join(", ")}`;
  if (serviceId !== undefined && typeof serviceId !== "string") return "serviceId must be a string";
  if (times !== undefined && times !== "always" && !isCount(times))
    return 'times must be a whole number or "always"';
  if (after !== undefined && !isCount(after)) return "after must be a whole number";
  if ((kind === "status" || status !== undefined) && !isHttpStatus(status))
    return "status must be 200 to 599";
  if (kind === "incomplete-list" && !isTexts(fault["pipeIds"])) return "pipeIds must be an array of strings";
  if (kind === "incomplete-list" && operationId !== "listPipes")
    return "operationId of incomplete-list must be listPipes";
  if (kind === "redirect" && typeof location !== "string") return "location must be a string";
  return undefined;
}

/** The pending faults, in the order in which they were requested. */
export class FaultQueue {
  private pending: PendingFault[] = [];

  /** Adds a fault; returns its id. */
  add(fault: Fault): string {
    const error = errorIn(isObject(fault) ? fault : {});
    if (error !== undefined) throw new ApiError(400, error);
    const id = randomUUID();
    this.pending.push({ ...structuredClone(fault), id });
    return id;
  }

  /** The fault for this request, if any; it counts as used. */
  take(operationId: OperationId | null, serviceId: string | undefined): Fault | undefined {
    const isMatch = (fault: Fault): boolean =>
      (fault.operationId === "*" || fault.operationId === operationId) &&
      (fault.serviceId === undefined || fault.serviceId.toLowerCase() === serviceId?.toLowerCase());
    for (const fault of this.pending.filter(isMatch)) {
      const { after = 0, times = 1 } = fault;
      if (after > 0) {
        fault.after = after - 1;
        continue;
      }
      if (times === "always") return fault;
      fault.times = times - 1;
      if (fault.times <= 0) this.pending = this.pending.filter((other) => other !== fault);
      return fault;
    }
    return undefined;
  }

  list(): PendingFault[] {
    return structuredClone(this.pending);
  }

  remove(id: string): void {
    const left = this.pending.filter((fault) => fault.id !== id.toLowerCase());
    if (left.length === this.pending.length)
      throw new ApiError(404, "there is no pending fault with this ID");
    this.pending = left;
  }

  clear(): void {
    this.pending = [];
  }
}
