import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { text as textOf } from "node:stream/consumers";
import type { Simulator } from "../../../simulator/src/index";
import { KAFKA, call, createEndpoint, createPipe, listed, send, start } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ ui: true, stateSeconds: 0 });
});

interface PageAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request as a browser sends it; fetch does not send these headers. */
const visit = (method: string, path: string, headers: object = {}, body?: unknown): Promise<PageAnswer> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const options = { method, headers: { ...type, ...headers } };
    const outgoing = request(simulator.url + path, options, (incoming) => {
      textOf(incoming).then((text) => {
        resolve({ status: incoming.statusCode, headers: incoming.headers, text });
      }, reject);
    });
    outgoing.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const statusOf = async (...sent: Parameters<typeof visit>): Promise<unknown> => (await visit(...sent)).status;

const data = async (path = ""): Promise<unknown> => JSON.parse((await visit("GET", `/ui/data${path}`)).text);

const listStatus = async (): Promise<number> => (await call(simulator, "GET", "/pipes")).status;

const FILES = [
  ...["", "/", "/style.css", "/icon.svg", "/main.js", "/tables.js", "/faults.js", "/details.js"],
  ...["lit-html", "directive", "directive-helpers", "directives/repeat"].map(
    (name) => `/lit-html/${name}.js`,
  ),
].map((path) => `/ui${path}`);

const PATHS = [...FILES, "/ui/data", "/ui/data/fault-forms", "/ui/data/pipes/x", "/ui/no-such-file"];

test("the page is off by default, and needs no control path nor switches it on, or is switched on by it", async () => {
  expect(simulator.pageUrl).toBe(`${simulator.url}/ui`);
  expect((await visit("GET", "/ui")).text).toContain("<!doctype html>");
  expect(await statusOf("GET", "/control/state")).toBe(404);
  simulator = await start({ control: true });
  expect(simulator.pageUrl).toBeUndefined();
  expect(await statusOf("GET", "/ui")).toBe(404);
  expect(simulator.control.requests()).toHaveLength(1);
});

test.each(FILES)("serves %s", async (path) => {
  const { status, headers, text } = await visit("GET", path);
  expect([status, text.length > 100, text.includes("sourceMappingURL")]).toEqual([200, true, false]);
  expect(headers["content-type"]).toMatch(/^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/);
});

test.each(PATHS)("answers %s with the headers that keep other pages and scripts out", async (path) => {
  const { headers } = await visit("GET", path);
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = String(headers["content-security-policy"]);
  const none = ["default-src", "form-action", "frame-ancestors", "base-uri"].map((name) => `${name} 'none'`);
  const rules = [...none, "connect-src 'self'", "require-trusted-types-for 'script'"];
  expect(policy.split("; ")).toEqual(expect.arrayContaining(rules));
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(headers).not.toHaveProperty("access-control-allow-origin");
});

test.each(["/ui/../package.json", "/ui/..%2fpackage.json", "/ui/lit-html/package.json", "/ui/data/none/x"])(
  "answers %s with 404",
  async (path) => {
    expect(await statusOf("GET", path)).toBe(404);
  },
);

test("requests of the page are in no log, use up no fault and no rate limit, and take no latency", async () => {
  const seen: string[] = [];
  simulator = await start({ ui: true, rateLimit: "2/60s", onRequest: ({ path }) => seen.push(path) });
  simulator.control.fault({ operationId: "*", kind: "status", status: 503 });
  for (const path of [...PATHS, "/favicon.ico"]) await visit("GET", path);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) await visit(method, "/ui/data");
  expect([simulator.control.requests(), seen]).toEqual([[], []]);
  expect(simulator.control.faults()).toMatchObject([{ kind: "status" }]);
  for (const status of [503, 200, 200]) expect(await listStatus()).toBe(status);
  expect(simulator.control.requests().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test.each([
  ["another host", { host: "attacker.example" }],
  ["another origin", { origin: "https://attacker.example" }],
  ["another port", { origin: "http://127.0.0.1:1" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a frame of this site", { "sec-fetch-site": "same-site" }],
])("refuses requests of %s, and nothing changes", async (_what, headers) => {
  const id = simulator.control.fault({ operationId: "*", kind: "hang" });
  for (const [method, path, body] of [
    ...["/ui", "/ui/main.js", "/ui/data", "/ui/data/requests/1"].map((path) => ["GET", path] as const),
    ["POST", "/ui/data/faults", { operationId: "*", kind: "slow" }],
    ["DELETE", "/ui/data/faults"],
    ["DELETE", `/ui/data/faults/${id}`],
  ] as const)
    expect([method, path, await statusOf(method, path, headers, body)]).toEqual([method, path, 403]);
  expect(simulator.control.faults()).toMatchObject([{ id, kind: "hang" }]);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
  "refuses a change with a body of %s, which a form of another page can send",
  async (type) => {
    const pipe = await createPipe(simulator);
    const body = { operationId: "*", kind: "hang", state: "Failed" };
    for (const path of ["/ui/data/faults", `/ui/data/pipes/${pipe.id}`])
      expect(await statusOf("POST", path, { "content-type": type }, body)).toBe(415);
    expect(simulator.control.state().pipes).toMatchObject([{ state: pipe.state }]);
    expect(simulator.control.faults()).toEqual([]);
  },
);

test("switches faults on, and off one by one or all at once", async () => {
  const path = "/ui/data/faults";
  const ids: string[] = [];
  for (const fault of [
    { operationId: "listPipes", kind: "status", status: 500, times: "always" },
    { operationId: "createPipe", kind: "slow", ms: 1 },
    { operationId: "updatePipe", kind: "hang" },
  ])
    ids.push((JSON.parse((await visit("POST", path, {}, fault)).text) as { id: string }).id);
  expect(await listStatus()).toBe(500);
  const first = `${path}/${ids[0] ?? ""}`;
  expect(await statusOf("DELETE", first)).toBe(200);
  expect(await listStatus()).toBe(200);
  expect(simulator.control.faults().map(({ kind }) => kind)).toEqual(["slow", "hang"]);
  const refused = expect.stringContaining("no pending fault") as string;
  expect(await visit("DELETE", first)).toMatchObject({ status: 404, text: refused });
  await visit("DELETE", path);
  expect(simulator.control.faults()).toEqual([]);
  const wrong = expect.stringContaining("operationId must be one of") as string;
  expect(await visit("POST", path, {}, {})).toMatchObject({ status: 400, text: wrong });
});

test("sets the state of a pipe and the status of an endpoint", async () => {
  const pipe = await createPipe(simulator);
  const endpoint = await createEndpoint(simulator);
  const set = (path: string, body: object) => statusOf("POST", `/ui/data/${path}`, {}, body);
  expect(await set(`pipes/${pipe.id}`, { state: "Paused", name: "other" })).toBe(200);
  expect(await listed(simulator)).toMatchObject({ state: "Paused", name: KAFKA.name });
  expect(await set(`endpoints/${endpoint}`, { status: "Failed" })).toBe(200);
  for (const state of [simulator.control.state(), await data()])
    expect(state).toMatchObject({ endpoints: [{ id: endpoint, status: "Failed" }] });
  expect(await set(`pipes/${pipe.id}`, { state: 1 })).toBe(400);
  expect(await set("pipes/none", { state: "Running" })).toBe(404);
});

test("states what exists and the last requests, newest first, with what became of them", async () => {
  const { id, serviceId } = await createPipe(simulator);
  simulator.control.fault({ operationId: "listPipes", kind: "reset-after" });
  await listStatus().catch(() => undefined);
  await send(simulator, "GET", "/nothing");
  expect(await data()).toMatchObject({
    pipes: [{ id, name: "orders", state: "Running", source: "kafka", destination: "default.orders" }],
    services: [{ id: serviceId, pipes: 1 }],
    endpoints: [],
    faults: [],
    requests: [
      { path: "/nothing", operationId: null, status: 404, outcome: "answered" },
      { operationId: "listPipes", status: 0, fault: "reset-after", outcome: "no answer: connection reset" },
      { method: "POST", operationId: "createPipe", status: 200, fault: null },
    ],
  });
  const answer = { status: 200, result: { id } };
  expect(await data("/requests/1")).toMatchObject({ body: { name: "orders" }, answer });
  expect(await data(`/pipes/${id}`)).toMatchObject({ name: "orders", state: "Running" });
  expect(await data(`/services/${serviceId}`)).toMatchObject({ idleScaling: true });
});

test("keeps the answers of the last 200 requests, and lists no more", async () => {
  for (let request = 0; request < 205; request += 1) await send(simulator, "GET", "/nothing");
  const { requests } = (await data()) as { requests: { sequence: number }[] };
  expect([requests.length, requests[0]?.sequence, requests.at(-1)?.sequence]).toEqual([200, 205, 6]);
  expect(await statusOf("GET", "/ui/data/requests/5")).toBe(404);
  expect(await data("/requests/6")).toMatchObject({ answer: { status: 404 } });
});

test("sends no body to a page that has it already", async () => {
  const { headers } = await visit("GET", "/ui/data");
  const known = { "if-none-match": headers.etag };
  expect(await visit("GET", "/ui/data", known)).toMatchObject({ status: 304, text: "" });
  await createPipe(simulator);
  expect(await statusOf("GET", "/ui/data", known)).toBe(200);
});

test("offers every kind of faults, and each of them with what its form begins with", async () => {
  const { kinds, operations } = (await data("/fault-forms")) as {
    kinds: Record<string, { fields: { name: string; value?: unknown }[] }>;
    operations: string[];
  };
  expect(operations).toContain("*");
  for (const [kind, { fields }] of Object.entries(kinds)) {
    const values = Object.fromEntries(fields.map(({ name, value = [] }) => [name, value]));
    const operationId = kind === "incomplete-list" ? "listPipes" : "*";
    const status = await statusOf("POST", "/ui/data/faults", {}, { kind, operationId, ...values });
    expect([kind, status]).toEqual([kind, 200]);
  }
  expect(simulator.control.faults().map(({ kind }) => kind)).toEqual(Object.keys(kinds));
});
