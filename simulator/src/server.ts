import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Api, ApiRequest } from "./api";
import { failure } from "./api";
import type { AnswerLog } from "./answer-log";
import { ApiError } from "./api-error";
import type { Clock } from "./clock";
import type { Route } from "./contract";
import type { SimulatorControl } from "./control";
import { controlRoutes } from "./control-routes";
import type { FaultQueue } from "./fault";
import { readBody } from "./json-body";
import { crossSiteError } from "./loopback";
import type { ResolvedOptions } from "./options";
import { PAGE_PATH, pageRoutes } from "./page";
import type { Reply } from "./reply";
import { replyTo } from "./reply";
import type { RequestLog } from "./request-log";

/** Nothing outside this machine can reach a simulator. */
const HOST = "127.0.0.1";
const BODY_PARTS = 10;
/** Longer than clients keep an idle connection: the server never closes one that a client is about to use. */
const KEEP_ALIVE_MS = 120_000;

/** What a server serves. */
export interface ServerParts {
  api: Api;
  clock: Clock;
  control: SimulatorControl;
  faults: FaultQueue;
  log: RequestLog;
  answers: AnswerLog;
  options: ResolvedOptions;
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  if (headers["authorization"] !== undefined) headers["authorization"] = "[redacted]";
  return headers;
}

function slowBody(body: string, ms: number, wait: (ms: number) => Promise<void>): ReadableStream {
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / BODY_PARTS));
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      if (offset > 0) await wait(ms / BODY_PARTS).catch(() => undefined);
      controller.enqueue(bytes.subarray(offset, offset + size));
      offset += size;
      if (offset >= bytes.length) controller.close();
    },
  });
}

/** Answers before anything is read, logged or changed. */
function refuseCrossSite(error: string, outgoing: ServerResponse): void {
  const { status, headers, body } = failure(new ApiError(403, error), randomUUID());
  outgoing.writeHead(status, { ...headers, connection: "close" }).end(body);
}

/** The simulator's HTTP side: sockets, latency, faults and the request log. */
export class HttpServer {
  private readonly closing = new AbortController();
  private readonly server: Server;

  constructor(private readonly parts: ServerParts) {
    // Any number of requests may wait at one time; Node.js would print a warning at the eleventh.
    setMaxListeners(0, this.closing.signal);
    const app = new Hono<{ Bindings: HttpBindings }>();
    if (parts.options.control) app.route("/control", controlRoutes(parts.control));
    if (parts.options.ui) {
      app.route(PAGE_PATH, pageRoutes(parts));
      // Browsers ask for it by themselves. As a request to the API it would use up a fault.
      app.get("/favicon.ico", () => new Response(null, { status: 404 }));
    }
    // Nobody reads this answer: the client has closed the connection, or the server is closing.
    app.onError(() => new Response(null, { status: 500 }));
    app.all("*", ({ env, req }) => this.serve(env.incoming, req.path));
    // Users' tests run in the same process, and need their own global Request and Response.
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    this.server = createServer((incoming, outgoing) => {
      const error = crossSiteError(incoming);
      if (error === undefined) void listener(incoming, outgoing);
      else refuseCrossSite(error, outgoing);
    });
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** Starts to listen; returns the URL. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once("error", (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === "EADDRINUSE";
        const { port } = this.parts.options;
        reject(
          isTaken ? new Error(`Port ${port} of ${HOST} is in use; choose another one with --port.`) : error,
        );
      });
      this.server.listen(this.parts.options.port, HOST, () => {
        resolve(`http://${HOST}:${(this.server.address() as AddressInfo).port}`);
      });
    });
  }

  /** Ends every connection, also those without an answer yet. */
  async close(): Promise<void> {
    this.closing.abort();
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }

  private readonly wait = async (ms: number): Promise<void> => {
    // Closing rejects the wait, so that the server processes no request after it.
    if (ms > 0) await sleep(ms, undefined, { signal: this.closing.signal });
  };

  private async serve(incoming: IncomingMessage, path: string): Promise<Response> {
    const { api, faults, log, options } = this.parts;
    const { authorization } = incoming.headers;
    const body = await readBody(incoming, api.isAuthorized(authorization));
    const method = incoming.method ?? "GET";
    const request: ApiRequest = {
      method,
      path,
      body,
      authorization,
      contentType: incoming.headers["content-type"],
    };
    const route = api.route(method, path);
    const entry = this.logged(request, route, incoming);
    const fault = faults.take(entry.operationId, "params" in route ? route.params["serviceId"] : undefined);
    if (fault) entry.fault = fault.kind;
    await this.wait(options.latencyMs);
    const requestId = randomUUID();
    const process = () => api.answer(request, requestId);
    const reply = await replyTo(fault, { request, requestId, process, wait: this.wait });
    if (options.ui) this.parts.answers.add(entry.sequence, reply);
    if (reply.send === "answer") Object.assign(entry, { status: reply.status, requestId });
    entry.durationMs = this.parts.clock.real() - entry.at;
    options.onRequest(log.view(entry));
    return this.send(reply, incoming);
  }

  private logged(
    { method, path, body = "", contentType }: ApiRequest,
    route: Route,
    incoming: IncomingMessage,
  ): ReturnType<RequestLog["add"]> {
    const request = {
      at: this.parts.clock.real(),
      method,
      path,
      operationId: route.found === "operation" ? route.operationId : null,
      status: 0,
      requestId: null,
      contentType: contentType ?? null,
      userAgent: incoming.headers["user-agent"] ?? null,
      headers: headersOf(incoming),
      durationMs: 0,
    };
    return this.parts.log.add(request, body);
  }

  private async send(reply: Reply, incoming: IncomingMessage): Promise<Response> {
    if (reply.send === "reset") {
      incoming.socket.resetAndDestroy();
      return new Response(null, { headers: { "x-hono-already-sent": "true" } });
    }
    if (reply.send === "nothing") return new Promise<Response>(() => undefined);
    const { status, body, slowBodyMs } = reply;
    const headers = new Headers(reply.headers);
    if (!headers.has("date")) headers.set("date", new Date(this.parts.clock.stated()).toUTCString());
    if (slowBodyMs !== undefined)
      return new Response(slowBody(body, slowBodyMs, this.wait), { status, headers });
    return Promise.resolve(new Response(body === "" ? null : body, { status, headers }));
  }
}
