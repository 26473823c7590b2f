import { createServer, type IncomingMessage } from "node:http";
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

/** Starts a proxy in front of the simulator that can replace an answer byte by byte. */
export async function startProxy(simulator: Simulator) {
  const pending: { readonly method: string; readonly tampering: Tampering }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await buffer(request);
      const index = pending.findIndex(({ method }) => method === request.method);
      const [match] = index < 0 ? [] : pending.splice(index, 1);
      if (match !== undefined) {
        await match.tampering(request.socket, () => forward(simulator, request, sent));
        return;
      }
      const { status, body } = await forward(simulator, request, sent);
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    })().catch(() => request.socket.destroy());
  });
  return {
    url: `http://${await listening(server)}`,
    /** Replaces the answer to the next request with this method. */
    tamper: (method: string, tampering: Tampering): void => {
      pending.push({ method, tampering });
    },
  };
}

async function forward({ url }: Simulator, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { authorization = "", "content-type": type = "application/json" } = request.headers;
  const { method = "", url: path = "" } = request;
  const headers = { authorization, "content-type": type };
  const answer = await fetch(new URL(path, url), { method, headers, ...(body.length > 0 && { body }) });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}
