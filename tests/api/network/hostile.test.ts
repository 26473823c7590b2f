import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createGzip } from "node:zlib";
import { generate } from "selfsigned";
import { listening } from "./servers";
import { type Connection, connect, failureOf } from "../../kit/client";
import { InstantClock } from "../../kit/clock";
import { newSimulator } from "../../kit/simulator";

/** A client of a server that answers as it likes. */
async function clientOf(answer: RequestListener, more: Parameters<typeof connect>[1] = {}) {
  const simulator = await newSimulator();
  const baseUrl = `http://${await listening(createServer(answer))}`;
  return connect(simulator, { baseUrl, clock: new InstantClock(), ...more });
}

const answering = (body: unknown, status = 200, headers = {}): Promise<Connection> =>
  clientOf((request, response) => {
    request.resume().on("end", () => response.writeHead(status, headers).end(JSON.stringify(body)));
  });

const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const EVIL = "\u001b[2J\u001b]0;t\u0007\r\n\u009b\u202e\u2066\u061c\u2028";

test("an answer that is too large unpacked is refused before its end, and not repeated", async () => {
  const filler = Buffer.alloc(1024 * 1024, " ");
  let asked = 0;
  const listener: RequestListener = (_request, response) => {
    asked += 1;
    response.writeHead(200, { "content-encoding": "gzip" });
    const out = createGzip({ level: 1 });
    out.pipe(response);
    const writeMore = (): void => {
      while (!response.destroyed && out.write(filler));
      if (!response.destroyed) out.once("drain", writeMore);
    };
    writeMore();
  };
  const { client, scope } = await clientOf(listener, { maxRetries: 3, requestTimeoutSeconds: 50 });
  const { code, message } = await failureOf(client.listPipes(scope));
  expect(code).toBe("invalid-response");
  expect(asked).toBe(1);
  expect(message).toContain("the response has more than 256 MiB, which is the provider's limit");
});

test("an untrusted certificate ends the request before it sends anything, without a retry", async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
  const seen: unknown[] = [];
  const server = createTlsServer({ key, cert }, (request, response) => {
    seen.push(request.headers);
    response.end();
  });
  const baseUrl = `https://${await listening(server)}`;
  const { client, scope, lines } = connect(await newSimulator(), { baseUrl, maxRetries: 3 });
  const error = await failureOf(client.listPipes(scope));
  expect(error).toMatchObject({ code: "connection", answer: { connection: "certificate" } });
  expect(error.message).toContain(
    "Node.js did not accept the server's certificate: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.",
  );
  expect(seen).toEqual([]);
  expect(lines).toEqual([]);
});

test("a message shows a gateway's request id", async () => {
  const { client, scope } = await answering({}, 504, { "x-request-id": "Root=1-67891233-abcdef01/2" });
  const { message } = await failureOf(client.listPipes(scope));
  expect(message).toContain("returned 504 (request Root=1-67891233-abcdef01/2). ");
});

test.each<[what: string, status: number, body: unknown, headers: object]>([
  ["a refusal", 400, { error: `no${EVIL}`, requestId: `r${EVIL}` }, {}],
  ["an envelope without a result", 200, { status: 200, requestId: `r${EVIL}` }, {}],
  ["an envelope that refuses", 200, { status: 409, requestId: `r${EVIL}`, message: EVIL }, {}],
  ["a text", 500, EVIL, {}],
  ["an invalid answer", 200, 7, { "content-type": `text/\u009b${"x".repeat(1_000)}` }],
])(
  "%s sends no control characters and no long text to a terminal, nor a long request id",
  async (_, status, body, headers) => {
    const { client, scope } = await answering(body, status, headers);
    const { message, answer } = await failureOf(client.listPipes(scope));
    expect(message).not.toMatch(STEERING);
    expect(message.length).toBeLessThan(500);
    expect(answer.requestId ?? "").not.toMatch(STEERING);
  },
);

test("a message shows a request id shortened", async () => {
  const { client, scope } = await answering({ requestId: "x".repeat(5_000) }, 400);
  const { answer, message } = await failureOf(client.listPipes(scope));
  expect(answer.requestId).toBe(`${"x".repeat(100)}…`);
  expect(message).toContain(`(request ${"x".repeat(100)}…)`);
});

test("a message shows no request id that has a secret", async () => {
  const { client, scope } = await answering({ requestId: "pass-word-1" }, 400);
  const body = { source: { kafka: { credentials: { username: "u", password: "pass-word-1" } } } };
  const { answer, message } = await failureOf(client.updatePipe(scope, "p", body));
  expect(answer.requestId).toBe("[secret]");
  expect(message).not.toContain("pass-word-1");
});

test("the error of an answer of 60 MB that quotes 800 connection strings leaves the answer out", async () => {
  const connection = (key: number): string =>
    `DefaultEndpointsProtocol=https;AccountName=files;AccountKey=${String(key).padStart(60, "k")};EndpointSuffix=core`;
  const { client, scope } = await answering({ error: connection(1).repeat(480_000) }, 400);
  const bodies = Array.from({ length: 800 }, (_, key) => ({ connectionString: connection(key) }));
  const { message } = await failureOf(client.updatePipe(scope, "p", { source: bodies }));
  expect(message).toContain("returned 400: more than 1 MiB, which the error leaves out");
});

afterEach(() => jest.restoreAllMocks());

test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])(
  "the proxy of %s gets the requests to another machine, and none to this machine",
  async (variable) => {
    const asked: unknown[] = [];
    const proxy = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(502).end();
    });
    jest.replaceProperty(process, "env", { [variable]: `http://${await listening(proxy)}` });
    const simulator = await newSimulator();
    const list = (baseUrl: string) => {
      const { client, scope } = connect(simulator, { baseUrl });
      return client.listPipes(scope);
    };
    await list(simulator.url);
    // On some machines localhost is ::1 alone, where the simulator does not listen.
    await list(simulator.url.replace("127.0.0.1", "localhost")).catch(() => undefined);
    expect(asked).toEqual([]);
    expect((await failureOf(list("http://api.example.com"))).answer.status).toBe(502);
    expect(asked).toEqual([expect.stringMatching(/^http:\/\/api\.example\.com\/v1\//)]);
  },
);
