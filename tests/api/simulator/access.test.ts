import { connect } from "node:net";
import { type Account, DEFAULT_ACCOUNT, type Simulator } from "../../../simulator/src/index";
import { KAFKA, basic, call, createPipe, nested, ok, send, servicePath, start } from "./client";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ control: true });
});
beforeEach(() => {
  simulator.control.reset();
});

const OTHER: Account = {
  apiKeyId: "other-key-id",
  apiKeySecret: "other:secret",
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000f1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000f2"],
};

describe("a credential", () => {
  test.each([
    ["missing", ""],
    ["of another scheme", "Bearer demo-key-secret"],
    ["not encoded", "Basic demo-key-id:demo-key-secret"],
    ["of an unknown key", basic("unknown", "demo-key-secret")],
    ["with a wrong secret", basic("demo-key-id", "wrong")],
  ])("that is %s is answered with 401 in an envelope", async (_why, authorization) => {
    const { status, envelope, text } = await call(simulator, "GET", "/pipes", undefined, {
      headers: { authorization },
    });
    expect(status).toBe(401);
    expect(envelope).toMatchObject({
      status: 401,
      error: expect.stringMatching(/^UNAUTHORIZED: /) as string,
    });
    expect(text).not.toContain("demo-key");
  });

  test("is accepted with a colon in its secret", async () => {
    const simulator = await start({ accounts: [OTHER] });
    expect(await ok(simulator, "GET", "/pipes")).toEqual([]);
  });

  test("of another organization sees only its own objects", async () => {
    const simulator = await start({ accounts: [DEFAULT_ACCOUNT, OTHER] });
    const headers = { authorization: basic(OTHER.apiKeyId, OTHER.apiKeySecret) };
    const foreign = await call(simulator, "GET", "/pipes", undefined, { headers });
    const [mixedService = ""] = DEFAULT_ACCOUNT.serviceIds;
    const mixedPath = `/v1/organizations/${OTHER.organizationId}/services/${mixedService}/pipes`;
    const mixed = await send(simulator, "GET", mixedPath, undefined, { headers });
    const ownPath = `/v1/organizations/${OTHER.organizationId}/services/${OTHER.serviceIds[0] ?? ""}/pipes`;
    const own = await send(simulator, "GET", ownPath, undefined, { headers });
    expect([foreign.status, mixed.status, own.status]).toEqual([404, 404, 200]);
  });

  test("reaches pipes only through their own service", async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, "0a1b2c3d-0000-4000-8000-000000000003"];
    const simulator = await start({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    const { id } = await createPipe(simulator, KAFKA);
    const path = `/v1/organizations/${DEFAULT_ACCOUNT.organizationId}/services/${serviceIds[1] ?? ""}/pipes`;
    expect((await send(simulator, "GET", `${path}/${id}/settings`)).status).toBe(404);
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
    expect([status, envelope.status]).toEqual([expected, expected]);
    expect(envelope.error).toMatch(/^[A-Z_]+: ./);
    expect(envelope.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("names each id of its path that is no UUID", async () => {
    const { envelope } = await send(simulator, "GET", "/v1/organizations/a/services/b/pipes/c/settings");
    for (const name of ["organizationId", "serviceId", "pipeId"])
      expect(envelope.error).toContain(`${name} must be a UUID`);
  });

  test("finds what its path names in upper case too", async () => {
    const { id } = await createPipe(simulator, KAFKA);
    const path = `/v1/organizations/${DEFAULT_ACCOUNT.organizationId.toUpperCase()}/services/${(DEFAULT_ACCOUNT.serviceIds[0] ?? "").toUpperCase()}`;
    expect((await send(simulator, "GET", `${path}/pipes/${id.toUpperCase()}/settings`)).status).toBe(200);
  });

  test.each([
    ["of another content type", 415, { raw: "name=x", headers: { "content-type": "text/plain" } }],
    ["that is not JSON", 400, { raw: "{name}" }],
    ["that is empty", 400, { raw: "" }],
    ["that is a text", 400, { raw: '"x"' }],
    ["that is null", 400, { raw: "null" }],
    ["of 101 levels", 400, { raw: nested(101) }],
    ["of 800,000 levels", 400, { raw: nested(800_000) }],
    ["over 10 MiB", 413, { raw: JSON.stringify({ name: "x".repeat(10 * 1024 * 1024) }) }],
  ])("with a body %s is answered with %d", async (_why, expected, extra) => {
    const { status, envelope } = await call(simulator, "POST", "/pipes", undefined, extra);
    expect([status, envelope.status]).toEqual([expected, expected]);
  });

  test("with a field named __proto__ is refused like one with any unknown field", async () => {
    const raw = '{"name":"x","source":{"kafka":{"__proto__":{}}},"destination":{}}';
    const { status, envelope } = await call(simulator, "POST", "/pipes", undefined, { raw });
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.__proto__ is not a field");
  });

  test("may name a charset with its content type", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const { status } = await call(simulator, "POST", "/pipes", KAFKA, { headers });
    expect(status).toBe(200);
  });
});

describe("the rate limit", () => {
  test("refuses requests over the limit of a rolling window, says for how long, and then accepts again", async () => {
    const simulator = await start({ rateLimit: "2/10s", now: () => 1_000_000 });
    const status = async (): Promise<number> => (await call(simulator, "GET", "/pipes")).status;
    expect(await status()).toBe(200);
    simulator.control.advance(4);
    expect(await status()).toBe(200);
    const refused = await call(simulator, "GET", "/pipes");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-reset")).toBe("6");
    expect(refused.headers.get("retry-after")).toBe("6");
    simulator.control.advance(6);
    expect(await status()).toBe(200);
    expect(await status()).toBe(429);
  });

  test("counts each key by itself, and no request without a valid key", async () => {
    const simulator = await start({ rateLimit: "1/10s", accounts: [DEFAULT_ACCOUNT, OTHER] });
    const otherPath = `/v1/organizations/${OTHER.organizationId}/services/${OTHER.serviceIds[0] ?? ""}/pipes`;
    const headers = { authorization: basic(OTHER.apiKeyId, OTHER.apiKeySecret) };
    const unknown = { headers: { authorization: basic("x", "y") } };
    const path = `${servicePath(simulator)}/pipes`;
    const statuses = [
      await send(simulator, "GET", path, undefined, unknown),
      await send(simulator, "GET", path),
      await send(simulator, "GET", path),
      await send(simulator, "GET", otherPath, undefined, { headers }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 200, 429, 200]);
  });

  test.each(["10", "10/10", "0/10s", "10/0s", "on"])("cannot be %s", async (rateLimit) => {
    await expect(start({ rateLimit })).rejects.toThrow("<requests>/<seconds>s");
  });
});

const portOf = ({ url }: Simulator): number => Number(new URL(url).port);

/** Sends lines as they are, which no client library does with these headers; answers all that comes back. */
function raw(simulator: Simulator, lines: readonly string[], body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(simulator), "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("end", () => {
      socket.destroy();
      resolve(text);
    });
    socket.on("error", reject);
    socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  });
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

const get = (path: string, ...headers: string[]): string[] => [`GET ${path} HTTP/1.1`, ...headers];

describe("the Host header", () => {
  test.each(["127.0.0.1", "127.0.0.1:1", "localhost", "LOCALHOST:65535", "[::1]", "[::1]:8600"])(
    "may be %s",
    async (host) => {
      expect(statusOf(await raw(simulator, get("/control/state", `Host: ${host}`)))).toBe(200);
    },
  );

  test.each([
    "attacker.example",
    "attacker.example:8600",
    "localhost.attacker.example",
    "localhost.",
    "127.0.0.1.attacker.example",
    "127.0.0.1@attacker.example",
    "attacker.example:80@127.0.0.1",
    "2130706433",
    "0.0.0.0",
    "192.168.0.1:8600",
    "[::ffff:127.0.0.1]",
    "",
  ])("is answered with 403 when it is '%s', on the control path and on the API path", async (host) => {
    for (const path of ["/control/requests", `${servicePath(simulator)}/pipes`, "/"]) {
      const text = await raw(simulator, get(path, `Host: ${host}`));
      expect([path, statusOf(text)]).toEqual([path, 403]);
      expect(text).toContain("the Host header must be 127.0.0.1, localhost or [::1]");
    }
    expect(simulator.control.requests()).toEqual([]);
  });

  test("must be there in HTTP/1.0 too, and a target with another host is refused", async () => {
    expect(statusOf(await raw(simulator, ["GET /control/state HTTP/1.0"]))).toBe(403);
    const target = get("http://attacker.example/control/state", "Host: 127.0.0.1");
    expect(statusOf(await raw(simulator, target))).toBe(403);
  });
});

describe("a request of a web page", () => {
  test.each([
    ["Origin: https://attacker.example"],
    ["Origin: null"],
    ["Origin: http://127.0.0.1:1"],
    ["Origin: http://localhost"],
    ["Origin: https://127.0.0.1:PORT"],
    ["Origin: http://127.0.0.1:PORT.attacker.example"],
    ["Sec-Fetch-Site: cross-site"],
    ["Sec-Fetch-Site: same-site"],
  ])("of another origin is answered with 403 and has no effect: %s", async (header) => {
    const port = String(portOf(simulator));
    const own = header.replace("PORT", port);
    const { apiKeyId, apiKeySecret } = simulator.account;
    simulator.control.seedBackups([{}], { replace: true });
    const control = ["POST /control/reset HTTP/1.1", `Host: 127.0.0.1:${port}`, own, "Content-Length: 0"];
    const text = await raw(simulator, control);
    expect([statusOf(text), text.includes("access-control")]).toEqual([403, false]);
    const api = [...get(`${servicePath(simulator)}/pipes`, "Host: localhost"), own];
    const authorization = `Authorization: ${basic(apiKeyId, apiKeySecret)}`;
    expect(statusOf(await raw(simulator, [...api, authorization]))).toBe(403);
    expect(simulator.control.state().backups).toHaveLength(1);
    expect(simulator.control.requests()).toEqual([]);
  });

  test("of another origin learns nothing from a preflight", async () => {
    const preflight = [
      "OPTIONS /control/faults HTTP/1.1",
      "Host: 127.0.0.1",
      "Origin: https://attacker.example",
    ];
    const text = await raw(simulator, [...preflight, "Access-Control-Request-Method: POST"]);
    expect([statusOf(text), /access-control-allow/i.test(text)]).toEqual([403, false]);
  });

  test.each(["127.0.0.1", "localhost", "[::1]"])(
    "of the simulator's own origin is accepted: %s",
    async (host) => {
      const authority = `${host}:${portOf(simulator)}`;
      const headers = [`Host: ${authority}`, `Origin: http://${authority}`, "Sec-Fetch-Site: same-origin"];
      expect(statusOf(await raw(simulator, get("/control/state", ...headers)))).toBe(200);
    },
  );
});

test.each([
  ["text/plain", "Content-Type: text/plain"],
  ["a form", "Content-Type: application/x-www-form-urlencoded"],
  ["application/jsonp", "Content-Type: application/jsonp"],
  ["nothing", "X-None: 1"],
])("a body of %s on the control path is answered with 415", async (_what, type) => {
  const body = JSON.stringify({ operationId: "*", kind: "hang" });
  const head = ["POST /control/faults HTTP/1.1", "Host: 127.0.0.1", type, `Content-Length: ${body.length}`];
  expect(statusOf(await raw(simulator, head, body))).toBe(415);
  expect(simulator.control.faults()).toEqual([]);
});

test("a body of JSON on the control path is read", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const fault = { operationId: "*", kind: "hang" };
  expect((await send(simulator, "POST", "/control/faults", fault, { headers })).status).toBe(200);
});
