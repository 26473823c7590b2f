import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { Simulator } from "../../../simulator/src/index";
import { listening } from "./servers";

/** What the server answered, before the proxy changes it. */
interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Answers one request: the client gets only what it writes to the socket. */
type Tampering = (socket: Socket, answer: () => Promise<Answer>) => Promise<void> | void;

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

const head = (status: string, headers: Readonly<Record<string, string | number>>): string => {
  const all = Object.entries({ Connection: "close", ...headers });
  return [`HTTP/1.1 ${status}`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
};

const JSON_TYPE = { "Content-Type": "application/json" };

/** A whole answer of JSON. */
const whole = (body: Buffer, headers: object = {}, status = "200 OK"): [string, Buffer] => [
  head(status, { ...JSON_TYPE, "Content-Length": body.length, ...headers }),
  body,
];

const GZIP = { "Content-Encoding": "gzip" };
const CHUNKED = { "Transfer-Encoding": "chunked" };

/** Ends the connection without an answer. */
const noAnswer =
  (end: "destroy" | "end"): Tampering =>
  async (socket, answer) => {
    await answer();
    socket[end]();
  };

type Row = readonly [what: string, write: (body: Buffer) => readonly (string | Buffer)[]];

/** They forward the request and rewrite the answer. */
const rewritten = (...rows: readonly Row[]): [what: string, tampering: Tampering][] =>
  rows.map(([what, write]) => [
    what,
    async (socket, answer) => {
      for (const part of write((await answer()).body)) socket.write(part);
      socket.end();
    },
  ]);

const OK = "HTTP/1.1 200 OK\r\n";

/** Invalid answers to requests that the server has processed. */
export const INVALID: readonly [what: string, tampering: Tampering][] = [
  ...rewritten(
    ["cut in the middle of its body", (body) => [whole(body)[0], body.subarray(0, 40)]],
    ["cut in the middle of its head", () => [`${OK}Content-Ty`]],
    ["cut between two chunks", (body) => [head("200 OK", CHUNKED), "14\r\n", body.subarray(0, 20), "\r\n"]],
    ["no HTTP", () => ["SSH-2.0-OpenSSH_9.6\r\n"]],
    ["shorter than it says, but valid JSON", (body) => whole(body, { "Content-Length": body.length + 1 })],
    ["compressed as it says, but is not", (body) => whole(body, GZIP)],
    ["empty, with 204", () => [head("204 No Content", {})]],
    ["empty, with 200", () => [head("200 OK", { "Content-Length": 0 })]],
    ["of two lengths", (body) => [whole(body)[0].replace("\r\n\r\n", "\r\nContent-Length: 7\r\n\r\n"), body]],
    ["under a head that never ends", () => [`${OK}${"X-Filler: y\r\n".repeat(20_000)}`]],
    ["text in another character set", (body) => whole(Buffer.from(body.toString(), "utf16le"))],
    ["an unknown status", (body) => whole(body, {}, "599 Odd")],
    ["deeper than can be read", () => whole(Buffer.from(`${"[".repeat(200_000)}${"]".repeat(200_000)}`))],
  ),
  ["cut without a word", noAnswer("destroy")],
  ["closed politely without a word", noAnswer("end")],
];

/** The head of a body between texts of so many bytes. */
const around = (body: Buffer, bytes: number): string =>
  head("200 OK", { "Content-Length": body.length + bytes });
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
const ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const chunks = (body: Buffer) => [...body].flatMap((byte) => ["1\r\n", Buffer.from([byte]), "\r\n"]);

/** Unusual but valid answers. */
export const UNUSUAL: readonly [what: string, tampering: Tampering][] = rewritten(
  ["compressed", (body) => whole(gzipSync(body), GZIP)],
  ["in one chunk for each byte", (body) => [head("200 OK", CHUNKED), ...chunks(body), "0\r\n\r\n"]],
  ["without a length, until the end of the connection", (body) => [head("200 OK", JSON_TYPE), body]],
  ["after hints", (body) => [HINTS, around(body, 0), body]],
  ["with a mark of the byte order", (body) => [around(body, 3), ORDER_MARK, body]],
  ["of HTTP/1.0", (body) => [around(body, 0).replace("1.1", "1.0"), body]],
  ["with blanks around it", (body) => [around(body, 4), "\r\n", body, "\r\n"]],
);
