import type { Simulator } from "../../../simulator/src/index";
import { KAFKA, createEndpoint, createPipe, listStatus, listed, send, start } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ ui: true, stateSeconds: 0 });
});

const statusOf = async (method: string, path: string, body?: unknown): Promise<number> =>
  (await send(simulator, method, path, body)).status;

const data = async (path = ""): Promise<unknown> =>
  JSON.parse((await send(simulator, "GET", `/ui/data${path}`)).text);

const FILES = [
  ...["", "/", "/style.css", "/icon.svg", "/main.js", "/tables.js", "/faults.js", "/details.js"],
  ...["lit-html", "directive", "directive-helpers", "directives/repeat"].map(
    (name) => `/lit-html/${name}.js`,
  ),
].map((path) => `/ui${path}`);

const DATA = ["/ui/data", "/ui/data/fault-forms"];
const MISSING = ["..%2fpackage.json", "lit-html/package.json", "data/none/x", "data/pipes/x", "none"].map(
  (path) => `/ui/${path}`,
);
const PATHS = [...FILES, ...DATA, ...MISSING];

test("the page is off by default, and needs no control path nor switches it on, or is switched on by it", async () => {
  expect(simulator.pageUrl).toBe(`${simulator.url}/ui`);
  expect((await send(simulator, "GET", "/ui")).text).toContain("<!doctype html>");
  expect(await statusOf("GET", "/control/state")).toBe(404);
  simulator = await start({ control: true });
  expect(simulator.pageUrl).toBeUndefined();
  expect(await statusOf("GET", "/ui")).toBe(404);
  expect(simulator.control.requests()).toHaveLength(1);
});

test.each(PATHS)("answers %s with the headers that keep other pages and scripts out", async (path) => {
  const { status, headers, text } = await send(simulator, "GET", path);
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = headers.get("content-security-policy") ?? "";
  const none = ["default-src", "form-action", "frame-ancestors", "base-uri"].map((name) => `${name} 'none'`);
  const rules = [...none, "connect-src 'self'", "require-trusted-types-for 'script'"];
  expect(policy.split("; ")).toEqual(expect.arrayContaining(rules));
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(status).toBe(MISSING.includes(path) ? 404 : 200);
  if (!FILES.includes(path)) return;
  expect([text.length > 100, text.includes("sourceMappingURL")]).toEqual([true, false]);
  expect(headers.get("content-type")).toMatch(
    /^(text\/(html|css|javascript); charset=utf-8|image\/svg\+xml)$/,
  );
});

test("requests of the page are in no log, use up no fault and no rate limit, and take no latency", async () => {
  const seen: string[] = [];
  simulator = await start({ ui: true, rateLimit: "2/60s", onRequest: ({ path }) => seen.push(path) });
  simulator.control.fault({ operationId: "*", kind: "status", status: 503 });
  for (const path of [...PATHS, "/favicon.ico"]) await statusOf("GET", path);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) await statusOf(method, "/ui/data");
  expect([simulator.control.requests(), seen]).toEqual([[], []]);
  expect(simulator.control.faults()).toMatchObject([{ kind: "status" }]);
  for (const status of [503, 200, 200]) expect(await listStatus(simulator)).toBe(status);
  expect(simulator.control.requests().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test("sets the state of a pipe and the status of an endpoint", async () => {
  const pipe = await createPipe(simulator);
  const endpoint = await createEndpoint(simulator);
  const set = (path: string, body: object) => statusOf("POST", `/ui/data/${path}`, body);
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
  await listStatus(simulator).catch(() => undefined);
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
  const { headers } = await send(simulator, "GET", "/ui/data");
  const known = { headers: { "if-none-match": headers.get("etag") ?? "" } };
  const again = () => send(simulator, "GET", "/ui/data", undefined, known);
  expect(await again()).toMatchObject({ status: 304, text: "" });
  await createPipe(simulator);
  expect((await again()).status).toBe(200);
});

test("offers every kind of faults with what its form begins with, and switches each off, or all", async () => {
  const path = "/ui/data/faults";
  const { kinds, operations } = (await data("/fault-forms")) as {
    kinds: Record<string, { fields: { name: string; value?: unknown }[] }>;
    operations: string[];
  };
  expect(operations).toContain("*");
  const ids: string[] = [];
  for (const [kind, { fields }] of Object.entries(kinds)) {
    const values = Object.fromEntries(fields.map(({ name, value = [] }) => [name, value]));
    const operationId = kind === "incomplete-list" ? "listPipes" : "*";
    const { text } = await send(simulator, "POST", path, { kind, operationId, ...values });
    ids.push((JSON.parse(text) as { id: string }).id);
  }
  expect(simulator.control.faults()).toMatchObject(
    Object.keys(kinds).map((kind, at) => ({ id: ids[at], kind })),
  );
  const first = `${path}/${ids[0] ?? ""}`;
  expect(await statusOf("DELETE", first)).toBe(200);
  expect(simulator.control.faults().map(({ id }) => id)).toEqual(ids.slice(1));
  const refused = expect.stringContaining("no pending fault") as string;
  expect(await send(simulator, "DELETE", first)).toMatchObject({ status: 404, text: refused });
  expect(await statusOf("DELETE", path)).toBe(200);
  expect(simulator.control.faults()).toEqual([]);
  const wrong = expect.stringContaining("operationId must be one of") as string;
  expect(await send(simulator, "POST", path, {})).toMatchObject({ status: 400, text: wrong });
});
