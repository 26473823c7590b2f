import { gzipSync } from "node:zlib";
import type { Answer, Tampering } from "./proxy";

const head = (status: string, headers: Readonly<Record<string, string | number>>): string => {
  const all = Object.entries({ Connection: "close", ...headers });
  return [`HTTP/1.1 ${status}`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
};

const JSON_TYPE = { "Content-Type": "application/json" };

/** Forwards the request and rewrites the answer. */
const rewritten =
  (write: (answer: Answer) => readonly (string | Buffer)[]): Tampering =>
  async (socket, answer) => {
    for (const part of write(await answer())) socket.write(part);
    socket.end();
  };

/** A whole answer of JSON. */
const whole = (body: Buffer, headers: object = {}, status = "200 OK"): [string, Buffer] => [
  head(status, { ...JSON_TYPE, "Content-Length": body.length, ...headers }),
  body,
];

const GZIP = { "Content-Encoding": "gzip" };
const CHUNKED = { "Transfer-Encoding": "chunked" };
const NESTED = Buffer.from(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);

/** Ends the connection without an answer. */
const noAnswer =
  (end: "destroy" | "end"): Tampering =>
  async (socket, answer) => {
    await answer();
    socket[end]();
  };

type Row = readonly [what: string, write: (body: Buffer) => readonly (string | Buffer)[]];

const rewrittenRows = (rows: readonly Row[]): [what: string, tampering: Tampering][] =>
  rows.map(([what, write]) => [what, rewritten(({ body }) => write(body))]);

/** Invalid answers to requests that the server has processed. */
export const INVALID: readonly [what: string, tampering: Tampering][] = [
  ...rewrittenRows([
    ["cut in the middle of its body", (body) => [whole(body)[0], body.subarray(0, 40)]],
    ["cut in the middle of its head", () => ["HTTP/1.1 200 OK\r\nContent-Ty"]],
    [
      "cut between two chunks",
      (body) => [head("200 OK", { ...JSON_TYPE, ...CHUNKED }), "14\r\n", body.subarray(0, 20), "\r\n"],
    ],
    ["no HTTP", () => ["SSH-2.0-OpenSSH_9.6\r\n"]],
    [
      "shorter than it says, but valid JSON before",
      (body) => whole(body, { "Content-Length": body.length + 1 }),
    ],
    ["compressed as it says, but is not", (body) => whole(body, GZIP)],
    ["empty, with 204", () => [head("204 No Content", {})]],
    ["empty, with 200", () => [head("200 OK", { "Content-Length": 0 })]],
    ["of two lengths", (body) => [whole(body)[0].replace("\r\n\r\n", "\r\nContent-Length: 7\r\n\r\n"), body]],
    ["under a head that never ends", () => [`HTTP/1.1 200 OK\r\n${"X-Filler: y\r\n".repeat(20_000)}`]],
    ["text in another character set", (body) => whole(Buffer.from(body.toString(), "utf16le"))],
    ["an unknown status", (body) => whole(body, {}, "599 Odd")],
    ["deeper than can be read", () => whole(NESTED)],
  ]),
  ["cut without a word", noAnswer("destroy")],
  ["closed politely without a word", noAnswer("end")],
];

/** Unusual but valid answers. */
export const UNUSUAL: readonly [what: string, tampering: Tampering][] = rewrittenRows([
  ["compressed", (body) => whole(gzipSync(body), GZIP)],
  [
    "in one chunk for each byte",
    (body) => [
      head("200 OK", CHUNKED),
      ...[...body].flatMap((byte) => ["1\r\n", Buffer.from([byte]), "\r\n"]),
      "0\r\n\r\n",
    ],
  ],
  ["without a length, until the end of the connection", (body) => [head("200 OK", JSON_TYPE), body]],
  [
    "after hints",
    (body) => [
      "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
      head("200 OK", { "Content-Length": body.length }),
      body,
    ],
  ],
  [
    "with a mark of the byte order",
    (body) => [head("200 OK", { "Content-Length": body.length + 3 }), Buffer.from([0xef, 0xbb, 0xbf]), body],
  ],
  ["of HTTP/1.0", (body) => [head("200 OK", { "Content-Length": body.length }).replace("1.1", "1.0"), body]],
  [
    "with blanks around it",
    (body) => [head("200 OK", { "Content-Length": body.length + 4 }), "\r\n", body, "\r\n"],
  ],
]);
