import { createServer, type RequestListener } from "node:http";
import { connect, failureOf, type Connected } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { listening } from "./servers";

async function clientOf(answer: RequestListener): Promise<Connected> {
  const baseUrl = `http://${await listening(createServer(answer))}`;
  return connect(await newSimulator(), { baseUrl, clock: new InstantClock() });
}

const answering = (body: unknown, status = 200): Promise<Connected> =>
  clientOf((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end(JSON.stringify(body)));
  });

const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const ID = "0a1b2c3d-0000-4000-8000-000000000001";
const EVIL = "\u001b[2J\u001b]0;t\u0007\r\n\u009b\u202e\u2066\u061c\u2028";

test("a state and a status lose characters that control a terminal", async () => {
  const { client, scope } = await answering({
    status: 200,
    requestId: "r",
    result: [{ id: ID, state: `Run${EVIL}ning`, status: "Ready\u001b" }],
  });
  expect(await client.listPipes(scope)).toEqual([{ id: ID, state: "Run [2J ]0;t ning", status: "Ready" }]);
});

test.each([
  ["such characters", `${ID}${EVIL}`],
  ["the form of no UUID", "=1/*xxxx"],
  ["the mark of an unknown value", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
])("an id with %s is refused, because the engine prints ids unchanged", async (_, id) => {
  const { client, scope } = await answering({
    status: 200,
    requestId: "r",
    result: [{ id, name: `or${EVIL}ders` }],
  });
  const { code, message } = await failureOf(client.listPipes(scope));
  expect([code, STEERING.test(message)]).toEqual(["invalid-response", false]);
  expect(message).toContain('an object whose id is not a UUID: "or [2J ]0;t ders"');
});

test.each<[what: string, status: number, body: unknown]>([
  ["a refusal", 400, { error: `no${EVIL}`, requestId: `r${EVIL}` }],
  ["an envelope without a result", 200, { status: 200, requestId: `r${EVIL}` }],
  ["an envelope that refuses", 200, { status: 409, requestId: `r${EVIL}`, message: EVIL }],
  ["a text", 500, EVIL],
])(
  "%s sends no control characters to a terminal, neither in its words nor in its request id",
  async (_, status, body) => {
    const { client, scope } = await answering(body, status);
    const { message, answer } = await failureOf(client.listPipes(scope));
    expect(message).not.toMatch(STEERING);
    expect(answer.requestId ?? "").not.toMatch(STEERING);
  },
);

test("a message shows a request id shortened and without secrets", async () => {
  const { client, scope } = await answering({ requestId: `pass-word-1 ${"x".repeat(5_000)}` }, 400);
  const body = { source: { kafka: { credentials: { username: "u", password: "pass-word-1" } } } };
  const { answer, message } = await failureOf(client.updatePipe(scope, "p", body));
  expect(answer.requestId).toMatch(/^\[secret\] x{80,100}$/);
  expect(message).not.toContain("pass-word-1");
});

test("a message shows the content type of an invalid answer shortened", async () => {
  const { client, scope } = await clientOf((_request, response) => {
    response.writeHead(200, { "content-type": `text/\u009b${"x".repeat(1_000)}` }).end("nonsense");
  });
  const { message } = await failureOf(client.listPipes(scope));
  expect(message).not.toMatch(STEERING);
  expect(message.length).toBeLessThan(500);
});

test("an answer of 60 MB that quotes 800 connection strings is redacted without delay", async () => {
  const connection = (key: number): string =>
    `DefaultEndpointsProtocol=https;AccountName=files;AccountKey=${String(key).padStart(60, "k")};EndpointSuffix=core`;
  const text = JSON.stringify({ error: connection(1).repeat(480_000) });
  const { client, scope } = await clientOf((request, response) => {
    request.resume().on("end", () => response.writeHead(400).end(text));
  });
  const bodies = Array.from({ length: 800 }, (_, key) => ({ connectionString: connection(key) }));
  const start = performance.now();
  const { message } = await failureOf(client.updatePipe(scope, "p", { source: bodies }));
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(message).toContain("MiB of JSON, which the error leaves out");
});
