import { connect } from "node:net";
import {
  type Account,
  DEFAULT_ACCOUNT,
  type Simulator,
  type SimulatorOptions,
} from "../../simulator/src/index";
import { KAFKA, ENDPOINTS, authorizationOf, basic, nested } from "./client";
import { call, createEndpoint, createPipe, send, start } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ control: true, ui: true });
});

const OTHER: Account = {
  apiKeyId: "other-key-id",
  // A secret may have a colon.
  apiKeySecret: "other:secret",
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000f1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000f2"],
};

const pipesOf = ({ organizationId }: Account, serviceId = ""): string =>
  `/v1/organizations/${organizationId}/services/${serviceId}/pipes`;

const OWN_PIPES = pipesOf(DEFAULT_ACCOUNT, DEFAULT_ACCOUNT.serviceIds[0]);
const OTHER_PIPES = pipesOf(OTHER, OTHER.serviceIds[0]);

describe("a credential", () => {
  test.each([
    ["missing", ""],
    ["of another scheme", "Bearer demo-key-secret"],
    ["not encoded", "Basic demo-key-id:demo-key-secret"],
    ["of an unknown key", basic("unknown", "demo-key-secret")],
    ["with a wrong secret", basic("demo-key-id", "wrong")],
  ])("that is %s is answered with 401 in an envelope", async (_why, authorization) => {
    const { status, envelope, text } = await send(simulator, "GET", OWN_PIPES, undefined, {
      headers: { authorization },
    });
    expect(status).toBe(401);
    expect(envelope.status).toBe(401);
    expect(envelope.error).toMatch(/^UNAUTHORIZED: /);
    expect(text).not.toContain("demo-key");
  });

  test.each([
    ["of another organization", OTHER],
    ["of other services", { ...OTHER, organizationId: DEFAULT_ACCOUNT.organizationId.toUpperCase() }],
  ])("%s sees only its own objects", async (_what, account) => {
    const simulator = await start({ accounts: [DEFAULT_ACCOUNT, account] });
    const extra = { headers: authorizationOf(account) };
    const mixed = pipesOf(account, DEFAULT_ACCOUNT.serviceIds[0]);
    const statuses: number[] = [];
    for (const path of [OWN_PIPES, mixed, pipesOf(account, account.serviceIds[0])])
      statuses.push((await send(simulator, "GET", path, undefined, extra)).status);
    expect(statuses).toEqual([404, 404, 200]);
  });

  test("reaches pipes and endpoints only through their own service", async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, "0a1b2c3d-0000-4000-8000-000000000003"];
    const simulator = await start({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    const { id } = await createPipe(simulator);
    const path = pipesOf(DEFAULT_ACCOUNT, serviceIds[1]);
    expect((await send(simulator, "GET", `${path}/${id}/settings`)).status).toBe(404);
    const other = path.replace("/pipes", `${ENDPOINTS}/${await createEndpoint(simulator)}`);
    expect((await send(simulator, "DELETE", other)).status).toBe(404);
    expect((await send(simulator, "GET", path)).envelope.result).toEqual([]);
  });
});

describe("a request", () => {
  test.each([
    ["GET", "/v1/organizations", 404],
    ["GET", "/", 404],
    ["GET", "/v2/organizations/a/services/b/pipes", 404],
    ["GET", "/v1/organizations/%zz/services/b/pipes", 404],
    ["GET", "/v1/organizations/not-a-uuid/services/b/pipes", 400],
    ["PUT", "/v1/organizations/a/services/b/pipes", 405],
    ["GET", "/v1/organizations/a/services/b", 405],
    ["GET", "/v1/organizations/a/services/b/pipes/c", 405],
  ])("%s %s is answered with %d in an envelope", async (method, path, expected) => {
    const { status, envelope } = await send(simulator, method, path);
    expect(status).toEqual(expected);
    expect(envelope.status).toEqual(expected);
    expect(envelope.error).toMatch(/^[A-Z_]+: ./);
    expect(envelope.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("names each id of its path that is no UUID, and finds ids in upper case too", async () => {
    const { envelope } = await send(simulator, "GET", "/v1/organizations/a/services/b/pipes/c/settings");
    for (const name of ["organizationId", "serviceId", "pipeId"])
      expect(envelope.error).toContain(`${name} must be a UUID`);
    const { id } = await createPipe(simulator);
    const upper = `${OWN_PIPES}/${id}/settings`.replace(/[\da-f-]{36}/g, (uuid) => uuid.toUpperCase());
    expect((await send(simulator, "GET", upper)).status).toBe(200);
  });

  const ofType = (type: string) => ({ raw: JSON.stringify(KAFKA), headers: { "content-type": type } });
  test.each([
    ["of another content type", 415, ofType("text/plain")],
    ["that names a charset", 200, ofType("application/json; charset=utf-8")],
    ["that is not JSON", 400, { raw: "{name}" }],
    ["that is empty", 400, { raw: "" }],
    ["that is a text", 400, { raw: '"x"' }],
    ["that is null", 400, { raw: "null" }],
    ["of 101 levels", 400, { raw: nested(101) }],
    ["of 800,000 levels", 400, { raw: nested(800_000) }],
    ["over 10 MiB", 413, { raw: JSON.stringify({ name: "x".repeat(10 * 1024 * 1024) }) }],
  ])("with a body %s is answered with %d", async (_why, expected, extra) => {
    const { status, envelope } = await call(simulator, "POST", "/pipes", undefined, extra);
    expect(status).toEqual(expected);
    expect(envelope.status).toEqual(expected);
  });

  test("with a field named __proto__ is refused like one with any unknown field", async () => {
    const raw = '{"name":"x","source":{"kafka":{"__proto__":{}}},"destination":{}}';
    const { status, envelope } = await call(simulator, "POST", "/pipes", undefined, { raw });
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.__proto__ is not a field");
  });
});

describe("the rate limit", () => {
  /** Six requests, after which these seconds pass: their statuses, and in how many seconds the limit ends. */
  async function answersTo(options: SimulatorOptions) {
    // The windows of a fixed limit begin at 0 and 10 s, the requests at 3 s.
    const simulator = await start({ rateLimit: "2/10s", now: () => 1_003_000, ...options });
    const answers: { status: number; reset: string | null; retryAfter: string | null }[] = [];
    for (const seconds of [4, 0, 6, 0, 4, 0]) {
      const { status, headers } = await call(simulator, "GET", "/pipes");
      const reset = headers.get("x-ratelimit-reset");
      answers.push({ status, reset, retryAfter: headers.get("retry-after") });
      simulator.control.advance(seconds);
    }
    return answers;
  }

  const accepted = { status: 200, reset: null, retryAfter: null };
  const refused = (seconds: string) => ({ status: 429, reset: seconds, retryAfter: seconds });

  test("of a rolling window accepts a request when an earlier one is old enough", async () => {
    const expected = [accepted, accepted, refused("6"), accepted, refused("4"), accepted];
    expect(await answersTo({ rateLimitWindow: "rolling" })).toEqual(expected);
  });

  test("of a fixed window accepts requests when the next window begins", async () => {
    const expected = [accepted, accepted, refused("3"), accepted, accepted, refused("3")];
    expect(await answersTo({ rateLimitWindow: "fixed" })).toEqual(expected);
  });

  test("can be without headers", async () => {
    const answers = await answersTo({ rateLimitHeaders: false });
    expect(answers).toContainEqual({ status: 429, reset: null, retryAfter: null });
  });

  test("counts each key by itself, and no request without a valid key", async () => {
    const simulator = await start({ rateLimit: "1/10s", accounts: [DEFAULT_ACCOUNT, OTHER] });
    const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await send(simulator, "GET", path, undefined, { headers })).status;
    expect(await statusOf(OWN_PIPES, { authorization: basic("x", "y") })).toBe(401);
    expect(await statusOf(OWN_PIPES)).toBe(200);
    expect(await statusOf(OWN_PIPES)).toBe(429);
    expect(await statusOf(OTHER_PIPES, authorizationOf(OTHER))).toBe(200);
  });

  test.each(["10", "10/10", "0/10s", "10/0s", "on"])("cannot be %s", async (rateLimit) => {
    await expect(start({ rateLimit })).rejects.toThrow("<requests>/<seconds>s");
  });
});

const portOf = ({ url }: Simulator): string => new URL(url).port;

/** Sends lines as they are, which no client library does with these headers; returns the status and all that comes back. */
async function raw(lines: readonly string[], body = ""): Promise<{ status: number; text: string }> {
  const socket = connect(Number(portOf(simulator)), "127.0.0.1");
  socket.setEncoding("utf8");
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const STATE = "GET /control/state HTTP/1.1";

describe("the Host header", () => {
  test.each(["127.0.0.1", "127.0.0.1:1", "localhost", "LOCALHOST:65535", "[::1]", "[::1]:8600"])(
    "may be %s",
    async (host) => {
      expect((await raw([STATE, `Host: ${host}`])).status).toBe(200);
    },
  );

  test.each([
    "attacker.example",
    "localhost.attacker.example",
    "127.0.0.1@attacker.example",
    "attacker.example:80@127.0.0.1",
    "2130706433",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "",
  ])("is answered with 403 when it is '%s', on every path", async (host) => {
    for (const path of ["/control/requests", "/ui/data", OWN_PIPES, "/"]) {
      const { status, text } = await raw([`GET ${path} HTTP/1.1`, `Host: ${host}`]);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(text).toContain("the Host header must be 127.0.0.1, localhost or [::1]");
    }
    expect(simulator.control.requests()).toEqual([]);
  });

  test("must be there in HTTP/1.0 too", async () => {
    expect((await raw(["GET /control/state HTTP/1.0"])).status).toBe(403);
  });

  test("does not make up for a target with another host", async () => {
    const target = "GET http://attacker.example/control/state HTTP/1.1";
    expect((await raw([target, "Host: 127.0.0.1"])).status).toBe(403);
  });
});

describe("a request of a web page", () => {
  test.each([
    "Origin: https://attacker.example",
    "Origin: null",
    "Origin: http://127.0.0.1:1",
    "Origin: http://localhost",
    "Origin: https://127.0.0.1:PORT",
    "Origin: http://127.0.0.1:PORT.attacker.example",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: same-site",
  ])("of another origin is answered with 403 and has no effect: %s", async (header) => {
    const own = header.replace("PORT", portOf(simulator));
    simulator.control.seedBackups([{}], { replace: true });
    simulator.control.fault({ operationId: "*", kind: "hang" });
    for (const [line, ...headers] of [
      ["POST /control/reset HTTP/1.1", "Content-Length: 0"],
      ["GET /ui HTTP/1.1"],
      ["DELETE /control/faults HTTP/1.1"],
      ["OPTIONS /control/faults HTTP/1.1", "Access-Control-Request-Method: POST"],
      [`GET ${OWN_PIPES} HTTP/1.1`, `Authorization: ${authorizationOf(simulator.account).authorization}`],
    ]) {
      const { status, text } = await raw([line ?? "", "Host: localhost", own, ...headers]);
      expect(status).toBe(403);
      expect(/access-control-allow/i.test(text)).toBe(false);
    }
    expect(simulator.control.state().backups).toHaveLength(1);
    expect(simulator.control.faults()).toHaveLength(1);
    expect(simulator.control.requests()).toEqual([]);
  });

  test.each(["127.0.0.1", "localhost", "[::1]"])("of the own origin is accepted: %s", async (host) => {
    const authority = `${host}:${portOf(simulator)}`;
    const headers = [`Host: ${authority}`, `Origin: http://${authority}`, "Sec-Fetch-Site: same-origin"];
    expect((await raw([STATE, ...headers])).status).toBe(200);
  });
});

test.each([
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["application/jsonp", 415],
  ["", 415],
  ["application/json; charset=utf-8", 200],
])("a body of type '%s' on the control path is answered with %d", async (type, expected) => {
  const body = JSON.stringify({ operationId: "*", kind: "hang" });
  const head = ["POST /control/faults HTTP/1.1", "Host: 127.0.0.1", `Content-Length: ${body.length}`];
  const { status } = await raw([...head, type === "" ? "X-None: 1" : `Content-Type: ${type}`], body);
  expect(status).toBe(expected);
  expect(simulator.control.faults()).toHaveLength(expected === 200 ? 1 : 0);
});
