import type { Account } from "../../../simulator/src/index";
import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import { KAFKA, basic, call, createPipe, ok, send, servicePath, start } from "./client";

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
    const simulator = await start();
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
    const { status, envelope } = await send(await start(), method, path);
    expect([status, envelope.status]).toEqual([expected, expected]);
    expect(envelope.error).toMatch(/^[A-Z_]+: ./);
    expect(envelope.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("names each id of its path that is no UUID", async () => {
    const { envelope } = await send(await start(), "GET", "/v1/organizations/a/services/b/pipes/c/settings");
    for (const name of ["organizationId", "serviceId", "pipeId"])
      expect(envelope.error).toContain(`${name} must be a UUID`);
  });

  test("finds what its path names in upper case too", async () => {
    const simulator = await start();
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
    ["over 10 MiB", 413, { raw: JSON.stringify({ name: "x".repeat(10 * 1024 * 1024) }) }],
  ])("with a body %s is answered with %d", async (_why, expected, extra) => {
    const { status, envelope } = await call(await start(), "POST", "/pipes", undefined, extra);
    expect([status, envelope.status]).toEqual([expected, expected]);
  });

  test("with a field named __proto__ is refused like one with any unknown field", async () => {
    const raw = '{"name":"x","source":{"kafka":{"__proto__":{}}},"destination":{}}';
    const { status, envelope } = await call(await start(), "POST", "/pipes", undefined, { raw });
    expect(status).toBe(400);
    expect(envelope.error).toContain("source.kafka.__proto__ is not a field");
  });

  test("may name a charset with its content type", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const { status } = await call(await start(), "POST", "/pipes", KAFKA, { headers });
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
