import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { Simulator } from "../../../simulator/src/index";
import { connect, type Connection } from "../../kit/client";
import { requestCounts, newSimulator } from "../../kit/simulator";
import { Runs, up } from "../../kit/run";
import { PIPE } from "../client/every-operation";
import { InstantClock } from "../../kit/clock";
import { listening } from "./servers";

/** Answers a request that the simulator has processed: the client gets only what this writes. */
type Tampering = (socket: Socket, body: Buffer) => unknown;

/** Starts a proxy in front of the simulator that can replace an answer byte by byte. */
async function startProxy({ url }: Simulator) {
  const pending: { readonly method: string; readonly tampering: Tampering }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", socket } = request;
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const index = pending.findIndex((one) => one.method === method);
    const [match] = index < 0 ? [] : pending.splice(index, 1);
    const sent = await buffer(request);
    const headers = { authorization, "content-type": type };
    const more = sent.length > 0 && { body: sent };
    const answered = await fetch(new URL(path, url), { method, headers, ...more });
    const body = Buffer.from(await answered.arrayBuffer());
    if (match !== undefined) match.tampering(socket, body);
    else response.writeHead(answered.status, { "content-type": "application/json" }).end(body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  return {
    url: `http://${await listening(server)}`,
    /** Replaces the answer to the next request with this method. */
    tamper: (method: string, tampering: Tampering): void => {
      pending.push({ method, tampering });
    },
  };
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

type Row = readonly [what: string, write: (body: Buffer) => readonly (string | Buffer)[]];

const rewritten = (...rows: readonly Row[]): [what: string, tampering: Tampering][] =>
  rows.map(([what, write]) => [
    what,
    (socket, body) => {
      for (const part of write(body)) socket.write(part);
      socket.end();
    },
  ]);

const OK = "HTTP/1.1 200 OK\r\n";

/** Invalid answers. */
const INVALID: readonly [what: string, tampering: Tampering][] = [
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
    ["closed politely without a word", () => []],
  ),
  ["cut without a word", (socket) => socket.destroy()],
];

/** The head of a body between texts of so many bytes. */
const around = (body: Buffer, bytes: number): string =>
  head("200 OK", { "Content-Length": body.length + bytes });
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
const ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const chunks = (body: Buffer) => [...body].flatMap((byte) => ["1\r\n", Buffer.from([byte]), "\r\n"]);

/** Unusual but valid answers. */
const UNUSUAL: readonly [what: string, tampering: Tampering][] = rewritten(
  ["compressed", (body) => whole(gzipSync(body), GZIP)],
  ["in one chunk for each byte", (body) => [head("200 OK", CHUNKED), ...chunks(body), "0\r\n\r\n"]],
  ["without a length, until the end of the connection", (body) => [head("200 OK", JSON_TYPE), body]],
  ["after hints", (body) => [HINTS, around(body, 0), body]],
  ["with a mark of the byte order", (body) => [around(body, 3), ORDER_MARK, body]],
  ["of HTTP/1.0", (body) => [around(body, 0).replace("1.1", "1.0"), body]],
  ["with blanks around it", (body) => [around(body, 4), "\r\n", body, "\r\n"]],
);

let simulator: Simulator;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let api: Connection;

beforeEach(async () => {
  simulator = await newSimulator();
  proxy = await startProxy(simulator);
  api = connect(simulator, { baseUrl: proxy.url, clock: new InstantClock() });
});

/** Creates a pipe, also beside one that loads the same. */
const createPipe = () =>
  up(new Runs(pipeDefinition, { ...simulator, url: proxy.url }, new InstantClock()), {
    ...PIPE,
    replacementPolicy: "allow",
  });
const ids = (): string[] => simulator.control.state().pipes.map(({ id }) => id);

test.each(INVALID)("createPipe finds its own pipe after an answer that is %s", async (_what, tampering) => {
  const [unmanaged] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
  proxy.tamper("POST", tampering);
  const { id } = await createPipe();
  expect(requestCounts(simulator)["createPipe"]).toBe(1);
  expect(ids().sort()).toEqual([unmanaged?.id, id].sort());
});

test.each(UNUSUAL)("accepts an answer that is %s", async (_what, tampering) => {
  proxy.tamper("POST", tampering);
  proxy.tamper("GET", tampering);
  await expect(api.client.listPipes(api.scope)).resolves.toMatchObject({ items: [], isComplete: true });
  const { id } = await createPipe();
  expect(ids()).toEqual([id]);
  expect(requestCounts(simulator)["createPipe"]).toBe(1);
});

describe("an answer has a deadline", () => {
  async function expectDeadline(tampering: Tampering): Promise<void> {
    const options = { requestTimeoutSeconds: 2, maxRetries: 1, clock: new InstantClock() };
    const { client, scope, lines } = connect(simulator, { baseUrl: proxy.url, ...options });
    proxy.tamper("GET", tampering);
    await expect(client.listPipes(scope)).resolves.toMatchObject({ items: [], isComplete: true });
    expect(lines).toEqual([expect.stringMatching(/: no response within 2 s; retrying \(1 of 1\)$/)]);
  }

  test.each<[what: string, written: string]>([
    ["stays out after its head", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"],
    ["stays out in the middle of its head", "HTTP/1.1 200 OK\r\n"],
    ["does not begin", ""],
  ])("that %s", (_, written) => expectDeadline((socket) => socket.write(written)));

  test("that never ends", () =>
    expectDeadline((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const drops = setInterval(() => socket.write("1\r\n \r\n"), 20);
      socket.on("close", () => {
        clearInterval(drops);
      });
    }));
});
