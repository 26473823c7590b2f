import type { ApiAnswer, ApiRequest } from "./api";
import { failure } from "./api";
import { ApiError } from "./api-error";
import type { Fault, FaultKind } from "./fault";

interface Answer {
  send: "answer";
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Send the body in drips over this time. */
  dripMs?: number;
}

/** What goes to the socket: an answer, a reset, or nothing for ever. */
export type Reply = Answer | { send: "reset" } | { send: "nothing" };

/** What a fault has to work with. */
export interface Exchange {
  request: ApiRequest;
  requestId: string;
  /** Lets the request take effect; its answer is the ordinary one. */
  process: () => ApiAnswer;
  wait: (ms: number) => Promise<void>;
}

const JSON_TYPE = { "content-type": "application/json" };
const DEFAULT_MS = 1000;

const ordinary = ({ status, headers, body }: ApiAnswer): Answer => ({
  send: "answer",
  status,
  headers,
  body,
});

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
  return errorReply(
    fault.status ?? 400,
    `BAD_REQUEST: cannot use ${request.body ?? ""}${authorization}`,
    requestId,
  );
}

function rateLimitReply(fault: Extract<FaultKind, { kind: "rate-limit" }>, requestId: string): Reply {
  const seconds = String(fault.resetSeconds ?? 1);
  const headers: Record<string, string> =
    fault.headers === false ? {} : { "x-ratelimit-reset": seconds, "retry-after": seconds };
  return ordinary(failure(new ApiError(429, "the rate limit is reached", headers), requestId));
}

function wrongEnvelope(status: number, requestId: string): Reply {
  return { ...errorReply(status, `FAULT: HTTP 200 around ${status}`, requestId), status: 200 };
}

function withoutPipes(answer: ApiAnswer, pipeIds: readonly string[]): ApiAnswer {
  const envelope = JSON.parse(answer.body) as { result?: unknown };
  if (!Array.isArray(envelope.result)) return answer;
  const dropped = new Set(pipeIds.map((id) => id.toLowerCase()));
  const result = envelope.result.filter(({ id }: { id: string }) => !dropped.has(id));
  return { ...answer, body: JSON.stringify({ ...envelope, result }) };
}

/** What stands in for the answer: of the kinds that replace it. */
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
    case "wrong-envelope":
      return wrongEnvelope(fault.status ?? 500, requestId);
    case "echo":
      return echoReply(fault, exchange);
    case "redirect":
      return { send: "answer", status: fault.status ?? 307, headers: { location: fault.location }, body: "" };
    default:
      return { send: "nothing" };
  }
}

/** Answers a request, as the fault wants it when there is one. */
export async function replyTo(fault: Fault | undefined, exchange: Exchange): Promise<Reply> {
  if (!fault) return ordinary(exchange.process());
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
      return ordinary(exchange.process());
    case "slow-body":
      return { ...ordinary(exchange.process()), dripMs: fault.ms ?? DEFAULT_MS };
    case "rate-limit":
      return rateLimitReply(fault, exchange.requestId);
    case "wrong-content-type": {
      const { status, headers, body } = exchange.process();
      const contentType = fault.contentType ?? "text/plain";
      return { send: "answer", status, headers: { ...headers, "content-type": contentType }, body };
    }
    case "incomplete-list":
      return ordinary(withoutPipes(exchange.process(), fault.pipeIds));
    default:
      return replacement(fault, exchange, fault.processed ? exchange.process() : undefined);
  }
}
