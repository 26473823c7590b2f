import { request } from "node:http";
import type { Simulator } from "../../../simulator/src/index";
import { KAFKA, call, createPipe, listPipes, ok, send, start } from "./client";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ ui: true });
});
beforeEach(() => {
  simulator.control.reset();
});

interface PageAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A request as a browser sends it; fetch does not send these headers. */
function visit(
  { url }: Simulator,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (text += chunk));
      incoming.on("end", () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on("error", reject).end(body);
  });
}

const json = { "content-type": "application/json" };
const data = async (simulator: Simulator, path = ""): Promise<unknown> =>
  JSON.parse((await visit(simulator, "GET", `/ui/data${path}`)).text);

const FILES = [
  "/ui",
  "/ui/",
  "/ui/style.css",
  "/ui/icon.svg",
  "/ui/main.js",
  "/ui/tables.js",
  "/ui/faults.js",
  "/ui/details.js",
  "/ui/lit-html/lit-html.js",
  "/ui/lit-html/directive.js",
  "/ui/lit-html/directive-helpers.js",
  "/ui/lit-html/directives/repeat.js",
];

const PATHS = [...FILES, "/ui/data", "/ui/data/fault-forms", "/ui/data/pipes/x", "/ui/no-such-file"];

test("the page is off by default, and control does not switch it on", async () => {
  const simulator = await start({ control: true });
  expect(simulator.pageUrl).toBeUndefined();
  expect((await visit(simulator, "GET", "/ui")).status).toBe(404);
  expect(simulator.control.requests()).toHaveLength(1);
});

test("the page needs no control path, and does not switch it on", async () => {
  expect(simulator.pageUrl).toBe(`${simulator.url}/ui`);
  expect((await visit(simulator, "GET", "/ui")).text).toContain("<!doctype html>");
  expect((await visit(simulator, "GET", "/control/state")).status).toBe(404);
});

test.each(FILES)("serves %s", async (path) => {
  const { status, headers, text } = await visit(simulator, "GET", path);
  expect([status, text.length > 100, text.includes("sourceMappingURL")]).toEqual([200, true, false]);
  expect(headers["content-type"]).toMatch(/^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/);
});

test.each(PATHS)("answers %s with the headers that keep other pages and scripts out", async (path) => {
  const { headers } = await visit(simulator, "GET", path);
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = String(headers["content-security-policy"]);
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(headers).not.toHaveProperty("access-control-allow-origin");
});

test.each(["/ui/../package.json", "/ui/..%2fpackage.json", "/ui/lit-html/package.json", "/ui/data/none/x"])(
  "answers %s with 404",
  async (path) => {
    expect((await visit(simulator, "GET", path)).status).toBe(404);
  },
);

test("requests of the page are in no log, use up no fault and no rate limit, and take no latency", async () => {
  const seen: string[] = [];
  const simulator = await start({
    ui: true,
    rateLimit: "2/60s",
    onRequest: ({ path }) => seen.push(path),
  });
  simulator.control.fault({ operationId: "*", kind: "status", status: 503 });
  for (const path of [...PATHS, "/favicon.ico"]) await visit(simulator, "GET", path);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) await visit(simulator, method, "/ui/data");
  expect([simulator.control.requests(), seen]).toEqual([[], []]);
  expect(simulator.control.faults()).toMatchObject([{ kind: "status" }]);
  expect((await call(simulator, "GET", "/pipes")).status).toBe(503);
  expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
  expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
  expect(simulator.control.requests().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test.each([
  ["another host", { host: "attacker.example" }],
  ["another origin", { origin: "https://attacker.example" }],
  ["another port", { origin: "http://127.0.0.1:1" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a frame of this site", { "sec-fetch-site": "same-site" }],
])("refuses requests of %s, and nothing changes", async (_what, headers) => {
  simulator.control.fault({ operationId: "*", kind: "hang" });
  const id = simulator.control.faults()[0]?.id ?? "";
  for (const path of ["/ui", "/ui/main.js", "/ui/data", "/ui/data/requests/1"])
    expect([path, (await visit(simulator, "GET", path, headers)).status]).toEqual([path, 403]);
  const fault = JSON.stringify({ operationId: "*", kind: "slow" });
  expect((await visit(simulator, "POST", "/ui/data/faults", { ...headers, ...json }, fault)).status).toBe(
    403,
  );
  for (const path of ["/ui/data/faults", `/ui/data/faults/${id}`])
    expect((await visit(simulator, "DELETE", path, headers)).status).toBe(403);
  expect(simulator.control.faults()).toHaveLength(1);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
  "refuses a change with a body of %s, which a form of another page can send",
  async (type) => {
    const pipe = await createPipe(simulator, KAFKA);
    const body = JSON.stringify({ operationId: "*", kind: "hang", state: "Failed" });
    for (const path of ["/ui/data/faults", `/ui/data/pipes/${pipe.id}`])
      expect((await visit(simulator, "POST", path, { "content-type": type }, body)).status).toBe(415);
    expect(simulator.control.faults()).toEqual([]);
    expect(simulator.control.state().pipes[0]?.state).not.toBe("Failed");
  },
);

test("switches faults on, and off one by one or all at once", async () => {
  const add = async (fault: object): Promise<string> => {
    const { text } = await visit(simulator, "POST", "/ui/data/faults", json, JSON.stringify(fault));
    return (JSON.parse(text) as { id: string }).id;
  };
  const first = await add({ operationId: "listPipes", kind: "status", status: 500, times: "always" });
  await add({ operationId: "createPipe", kind: "slow", ms: 1 });
  await add({ operationId: "updatePipe", kind: "hang" });
  expect((await call(simulator, "GET", "/pipes")).status).toBe(500);
  expect((await visit(simulator, "DELETE", `/ui/data/faults/${first}`)).status).toBe(200);
  expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
  expect(simulator.control.faults().map(({ kind }) => kind)).toEqual(["slow", "hang"]);
  const again = await visit(simulator, "DELETE", `/ui/data/faults/${first}`);
  expect([again.status, again.text]).toEqual([404, expect.stringContaining("no pending fault")]);
  await visit(simulator, "DELETE", "/ui/data/faults");
  expect(simulator.control.faults()).toEqual([]);
  const wrong = await visit(simulator, "POST", "/ui/data/faults", json, "{}");
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("operationId must be one of")]);
});

test("sets the state of a pipe and the status of an endpoint", async () => {
  const pipe = await createPipe(simulator, KAFKA);
  const endpoint = await ok<{ id: string }>(simulator, "POST", "/pipesReversePrivateEndpoints", {
    type: "VPC_ENDPOINT_SERVICE",
  });
  const set = async (path: string, body: object): Promise<number> =>
    (await visit(simulator, "POST", `/ui/data/${path}`, json, JSON.stringify(body))).status;
  expect(await set(`pipes/${pipe.id}`, { state: "Paused", name: "other" })).toBe(200);
  expect((await listPipes(simulator))[0]).toMatchObject({ state: "Paused", name: KAFKA.name });
  expect(await set(`endpoints/${endpoint.id}`, { status: "Failed" })).toBe(200);
  expect(simulator.control.state().endpoints).toMatchObject([{ id: endpoint.id, status: "Failed" }]);
  expect(await data(simulator)).toMatchObject({ endpoints: [{ id: endpoint.id, status: "Failed" }] });
  expect(await set(`pipes/${pipe.id}`, { state: 1 })).toBe(400);
  expect(await set("pipes/none", { state: "Running" })).toBe(404);
});

test("states what exists and the last requests, newest first, with what became of them", async () => {
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const pipe = await createPipe(simulator, KAFKA);
  simulator.control.fault({ operationId: "listPipes", kind: "reset-after" });
  await call(simulator, "GET", "/pipes").catch(() => undefined);
  await send(simulator, "GET", "/nothing");
  expect(await data(simulator)).toMatchObject({
    pipes: [
      { id: pipe.id, name: "orders", state: "Running", source: "kafka", destination: "default.orders" },
    ],
    services: [{ id: pipe.serviceId, pipes: 1 }],
    endpoints: [],
    faults: [],
    requests: [
      { path: "/nothing", operationId: null, status: 404, outcome: "answered" },
      { operationId: "listPipes", status: 0, fault: "reset-after", outcome: "no answer: connection reset" },
      { method: "POST", operationId: "createPipe", status: 200, fault: null },
    ],
  });
  expect(await data(simulator, "/requests/1")).toMatchObject({
    body: { name: "orders" },
    answer: { status: 200, result: { id: pipe.id } },
  });
  expect(await data(simulator, `/pipes/${pipe.id}`)).toMatchObject({ name: "orders", state: "Running" });
  expect(await data(simulator, `/services/${pipe.serviceId}`)).toMatchObject({ idleScaling: true });
});

test("keeps the answers of the last 200 requests, and lists no more", async () => {
  const simulator = await start({ ui: true });
  for (let request = 0; request < 205; request += 1) await send(simulator, "GET", "/nothing");
  const { requests } = (await data(simulator)) as { requests: { sequence: number }[] };
  expect([requests.length, requests[0]?.sequence, requests.at(-1)?.sequence]).toEqual([200, 205, 6]);
  expect((await visit(simulator, "GET", "/ui/data/requests/5")).status).toBe(404);
  expect(await data(simulator, "/requests/6")).toMatchObject({ answer: { status: 404 } });
});

test("sends no body to a page that has it already", async () => {
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const { headers } = await visit(simulator, "GET", "/ui/data");
  const known = { "if-none-match": String(headers["etag"]) };
  const same = await visit(simulator, "GET", "/ui/data", known);
  expect([same.status, same.text]).toEqual([304, ""]);
  await createPipe(simulator, KAFKA);
  expect((await visit(simulator, "GET", "/ui/data", known)).status).toBe(200);
});

test("offers every kind of faults, and each of them with what its form begins with", async () => {
  const { kinds, operations } = (await data(simulator, "/fault-forms")) as {
    kinds: Record<string, { fields: { name: string; value?: unknown }[] }>;
    operations: string[];
  };
  expect(operations).toContain("*");
  for (const [kind, { fields }] of Object.entries(kinds)) {
    const values = Object.fromEntries(fields.map(({ name, value = [] }) => [name, value]));
    const operationId = kind === "incomplete-list" ? "listPipes" : "*";
    const body = JSON.stringify({ kind, operationId, ...values });
    const { status } = await visit(simulator, "POST", "/ui/data/faults", json, body);
    expect([kind, status]).toEqual([kind, 200]);
  }
  expect(simulator.control.faults().map(({ kind }) => kind)).toEqual(Object.keys(kinds));
});
