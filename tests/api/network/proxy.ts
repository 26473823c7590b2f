import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Simulator } from "../../../simulator/src/index";
import { listening } from "./servers";

/** What the server answered, before it is spoiled. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Spoils one exchange. Whatever it writes to the socket is all that the client gets. */
export type Spoiler = (socket: Socket, answer: () => Promise<Answer>) => Promise<void> | void;

/** Something between client and server that spoils exchanges byte by byte, as no well-made server would. */
export interface Proxy {
  readonly url: string;
  /** Spoils the next exchange whose request line begins so. */
  spoil(requestLine: RegExp, spoiler: Spoiler, times?: number): void;
}

interface Pending {
  readonly requestLine: RegExp;
  readonly spoiler: Spoiler;
  times: number;
}

export async function startProxy(simulator: Simulator): Promise<Proxy> {
  const pending: Pending[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await buffer(request);
      const line = `${request.method ?? ""} ${request.url ?? ""}`;
      const spoiled = pending.find(({ requestLine, times }) => times > 0 && requestLine.test(line));
      if (spoiled !== undefined) {
        spoiled.times -= 1;
        await spoiled.spoiler(request.socket, () => forward(simulator, request, sent));
        return;
      }
      const { status, body } = await forward(simulator, request, sent);
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    })().catch(() => request.socket.destroy());
  });
  return {
    url: `http://${await listening(server)}`,
    spoil: (requestLine, spoiler, times = 1) => {
      pending.push({ requestLine, spoiler, times });
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
