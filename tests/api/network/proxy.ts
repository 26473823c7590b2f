import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Simulator } from "../../../simulator/src/index";
import { listening } from "./servers";

/** What the server answered, before the proxy changes it. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Answers one request: the client gets only what it writes to the socket. */
export type Tampering = (socket: Socket, answer: () => Promise<Answer>) => Promise<void> | void;

/** A proxy in front of the simulator that can replace an answer byte by byte. */
export interface Proxy {
  readonly url: string;
  /** Replaces the answers to the next `times` requests whose request line matches. */
  tamper(requestLine: RegExp, tampering: Tampering, times?: number): void;
}

interface Pending {
  readonly requestLine: RegExp;
  readonly tampering: Tampering;
  times: number;
}

export async function startProxy(simulator: Simulator): Promise<Proxy> {
  const pending: Pending[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await buffer(request);
      const line = `${request.method ?? ""} ${request.url ?? ""}`;
      const match = pending.find(({ requestLine, times }) => times > 0 && requestLine.test(line));
      if (match !== undefined) {
        match.times -= 1;
        await match.tampering(request.socket, () => forward(simulator, request, sent));
        return;
      }
      const { status, body } = await forward(simulator, request, sent);
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    })().catch(() => request.socket.destroy());
  });
  return {
    url: `http://${await listening(server)}`,
    tamper: (requestLine, tampering, times = 1) => {
      pending.push({ requestLine, tampering, times });
    },
  };
}

function forward(simulator: Simulator, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, headers, url = "" } = request;
  return new Promise((resolve, reject) => {
    const onward = httpRequest(new URL(url, simulator.url), { method, headers }, (answer) => {
      buffer(answer).then((read) => {
        resolve({ status: answer.statusCode ?? 0, body: read });
      }, reject);
    });
    onward.on("error", reject).end(body);
  });
}
