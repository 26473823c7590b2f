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

/** Invalid answers to requests that the server has processed. */
export const INVALID: readonly [what: string, tampering: Tampering][] = [
  [
    "cut in the middle of its body",
    rewritten(({ body }) => [
      head("200 OK", { ...JSON_TYPE, "Content-Length": body.length }),
      body.subarray(0, 40),
    ]),
  ],
  [
    "cut before its body",
    rewritten(({ body }) => [head("200 OK", { ...JSON_TYPE, "Content-Length": body.length })]),
  ],
  ["cut in the middle of its head", rewritten(() => ["HTTP/1.1 200 OK\r\nContent-Ty"])],
  [
    "cut between two chunks",
    rewritten(({ body }) => [
      head("200 OK", { ...JSON_TYPE, "Transfer-Encoding": "chunked" }),
      `${(20).toString(16)}\r\n`,
      body.subarray(0, 20),
      "\r\n",
    ]),
  ],
  [
    "of chunks with a wrong length",
    rewritten(({ body }) => [
      head("200 OK", { ...JSON_TYPE, "Transfer-Encoding": "chunked" }),
      "zz\r\n",
      body,
    ]),
  ],
  ["no HTTP", rewritten(() => ["SSH-2.0-OpenSSH_9.6\r\n"])],
  [
    "shorter than it says, but valid JSON before",
    rewritten(({ body }) => [head("200 OK", { ...JSON_TYPE, "Content-Length": body.length + 1 }), body]),
  ],
  [
    "compressed as it says, but is not",
    rewritten(({ body }) => [
      head("200 OK", { ...JSON_TYPE, "Content-Encoding": "gzip", "Content-Length": body.length }),
      body,
    ]),
  ],
  [
    "compressed and cut",
    rewritten(({ body }) => {
      const packed = gzipSync(body).subarray(0, 30);
      return [
        head("200 OK", { ...JSON_TYPE, "Content-Encoding": "gzip", "Content-Length": packed.length }),
        packed,
      ];
    }),
  ],
  ["empty, with 204", rewritten(() => [head("204 No Content", {})])],
  ["empty, with 200", rewritten(() => [head("200 OK", { "Content-Length": 0 })])],
  [
    "of two lengths",
    rewritten(({ body }) => [
      head("200 OK", { ...JSON_TYPE, "Content-Length": body.length }).replace(
        "\r\n\r\n",
        "\r\nContent-Length: 7\r\n\r\n",
      ),
      body,
    ]),
  ],
  [
    "under a head that never ends",
    rewritten(() => [`HTTP/1.1 200 OK\r\n${"X-Filler: y\r\n".repeat(20_000)}`]),
  ],
  [
    "text in another character set",
    rewritten(({ body }) => {
      const text = Buffer.from(body.toString(), "utf16le");
      return [head("200 OK", { ...JSON_TYPE, "Content-Length": text.length }), text];
    }),
  ],
  [
    "a status that nobody knows",
    rewritten(({ body }) => [head("599 Odd", { ...JSON_TYPE, "Content-Length": body.length }), body]),
  ],
  [
    "a status of a proxy",
    rewritten(() => [head("520 Unknown", { "Content-Type": "text/plain", "Content-Length": 4 }), "oops"]),
  ],
  [
    "cut without a word",
    async (socket, answer) => {
      await answer();
      socket.destroy();
    },
  ],
  [
    "closed politely without a word",
    async (socket, answer) => {
      await answer();
      socket.end();
    },
  ],
  [
    "deeper than can be read",
    rewritten(() => {
      const body = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
      return [head("200 OK", { ...JSON_TYPE, "Content-Length": body.length }), body];
    }),
  ],
];

/** Unusual but valid answers. */
export const UNUSUAL: readonly [what: string, tampering: Tampering][] = [
  [
    "compressed",
    rewritten(({ body }) => {
      const packed = gzipSync(body);
      return [
        head("200 OK", { ...JSON_TYPE, "Content-Encoding": "gzip", "Content-Length": packed.length }),
        packed,
      ];
    }),
  ],
  [
    "in one chunk for each byte",
    rewritten(({ body }) => [
      head("200 OK", { "Transfer-Encoding": "chunked" }),
      ...[...body].map((byte) =>
        Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]),
      ),
      "0\r\n\r\n",
    ]),
  ],
  [
    "without a length, until the end of the connection",
    rewritten(({ body }) => [head("200 OK", JSON_TYPE), body]),
  ],
  [
    "after hints",
    rewritten(({ body }) => [
      "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
      head("200 OK", { "Content-Length": body.length }),
      body,
    ]),
  ],
  [
    "with a mark of the byte order",
    rewritten(({ body }) => [
      head("200 OK", { "Content-Length": body.length + 3 }),
      Buffer.from([0xef, 0xbb, 0xbf]),
      body,
    ]),
  ],
  [
    "of HTTP/1.0",
    rewritten(({ body }) => [head("200 OK", { "Content-Length": body.length }).replace("1.1", "1.0"), body]),
  ],
  [
    "with blanks around it",
    rewritten(({ body }) => [head("200 OK", { "Content-Length": body.length + 4 }), "\r\n", body, "\r\n"]),
  ],
];
