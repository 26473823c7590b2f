import type { ApiAnswer, ApiRequest } from "./api";
import { failure } from "./api";
import { ApiError } from "./api-error";
import type { Fault, FaultKind } from "./fault";

interface Answer {
  send: "answer";
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Send the body in small parts over this time. */
  slowBodyMs?: number;
}

/** What the socket gets: an answer, a reset, or nothing. */
export type Reply = Answer | { send: "reset" } | { send: "nothing" };

/** A request under a fault. */
export interface Exchange {
  request: ApiRequest;
  requestId: string;
  /** Processes the request; the usual answer. */
  process: () => ApiAnswer;
  wait: (ms: number) => Promise<void>;
}

const JSON_TYPE = { "content-type": "application/json" };
const DEFAULT_MS = 1000;

const usual = ({ status, headers, body }: ApiAnswer): Answer => ({ send: "answer", status, headers, body });

const PAGE = (status: number): string =>
  `<html>\n<head><title>${status} Gateway Time-out</title></head>\n<body><h1>${status} Gateway Time-out</h1></body>\n</html>\n`;

function errorReply(status: number, error: string, requestId: string): Answer {
  return { send: "answer", status, headers: JSON_TYPE, body: JSON.stringify({ status, error, requestId }) };
}

function statusReply(fault: Extract<FaultKind, { kind: "status" }>, requestId: string): Reply {
  const { status, body, headers } = fault;
  if (body === undefined) {
    const reply = errorReply(status, `FAULT: the simulator was asked for ${status}`, requestId);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { send: "answer", status, headers: { ...JSON_TYPE, ...headers }, body: text };
}

function echoReply(fault: Extract<FaultKind, { kind: "echo" }>, { request, requestId }: Exchange): Reply {
  const authorization = fault.withAuthorization ? ` ${request.authorization ?? ""}` : "";
  const error = `BAD_REQUEST: cannot use ${request.body ?? ""}${authorization}`;
  return errorReply(fault.status ?? 400, error, requestId);
}

function rateLimitReply(fault: Extract<FaultKind, { kind: "rate-limit" }>, requestId: string): Reply {
  const seconds = String(fault.resetSeconds ?? 1);
  const headers: Record<string, string> =
    fault.headers === false ? {} : { "x-ratelimit-reset": seconds, "retry-after": seconds };
  return usual(failure(new ApiError(429, "the rate limit is reached", headers), requestId));
}

function withoutPipes(answer: ApiAnswer, pipeIds: readonly string[]): ApiAnswer {
  const envelope = JSON.parse(answer.body) as { result?: unknown };
  if (!Array.isArray(envelope.result)) return answer;
  const dropped = new Set(pipeIds.map((id) => id.toLowerCase()));
  const result = envelope.result.filter(({ id }: { id: string }) => !dropped.has(id));
  return { ...answer, body: JSON.stringify({ ...envelope, result }) };
}

const withContentType = ({ headers, ...answer }: ApiAnswer, contentType: string): ApiAnswer => ({
  ...answer,
  headers: { ...headers, "content-type": contentType },
});

/** The reply of a fault that replaces the answer. */
function replacement(fault: Fault, exchange: Exchange, answer: ApiAnswer | undefined): Reply {
  const { requestId } = exchange;
  switch (fault.kind) {
    case "status":
      return statusReply(fault, requestId);
    case "bad-json": {
      const whole = answer?.body ?? JSON.stringify({ status: 200, requestId, result: {} });
      return { send: "answer", status: 200, headers: JSON_TYPE, body: whole.slice(0, whole.length / 2) };
    }
    case "html": {
      const status = fault.status ?? 504;
      return { send: "answer", status, headers: { "content-type": "text/html" }, body: PAGE(status) };
    }
    case "wrong-envelope": {
      const status = fault.status ?? 500;
      return { ...errorReply(status, `FAULT: HTTP 200 around ${status}`, requestId), status: 200 };
    }
    case "echo":
      return echoReply(fault, exchange);
    case "redirect":
      return { send: "answer", status: fault.status ?? 307, headers: { location: fault.location }, body: "" };
    default:
      return { send: "nothing" };
  }
}

/** Replies to a request, with the fault if there is one. */
export async function replyTo(fault: Fault | undefined, exchange: Exchange): Promise<Reply> {
  if (!fault) return usual(exchange.process());
  switch (fault.kind) {
    case "reset-before":
      return { send: "reset" };
    case "reset-after":
      exchange.process();
      return { send: "reset" };
    case "hang":
      return { send: "nothing" };
    case "slow":
      await exchange.wait(fault.ms ?? DEFAULT_MS);
      return usual(exchange.process());
    case "slow-body":
      return { ...usual(exchange.process()), slowBodyMs: fault.ms ?? DEFAULT_MS };
    case "rate-limit":
      return rateLimitReply(fault, exchange.requestId);
    case "wrong-content-type":
      return usual(withContentType(exchange.process(), fault.contentType ?? "text/plain"));
    case "incomplete-list":
      return usual(withoutPipes(exchange.process(), fault.pipeIds));
    default:
      return replacement(fault, exchange, fault.processed ? exchange.process() : undefined);
  }
}
