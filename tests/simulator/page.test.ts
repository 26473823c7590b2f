import type { Simulator } from "../../simulator/src/index";
import { canary, leaks } from "../kit/canary";
import { BODIES, KAFKA, REQUEST_ONLY_VALUES, call, createPipe, listStatus, send, start } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await start({ ui: true, stateSeconds: 0 });
});

const statusOf = async (method: string, path: string): Promise<number> =>
  (await send(simulator, method, path)).status;

const data = async (path = ""): Promise<unknown> =>
  JSON.parse((await send(simulator, "GET", `/ui/data${path}`)).text);

const FILES = ["", "/", "/style.css", "/icon.svg", "/main.js"].map((path) => `/ui${path}`);
const MISSING = ["..%2fpackage.json", "tsconfig.json", "data/none/x", "data/pipes/x", "none"].map(
  (path) => `/ui/${path}`,
);
const PATHS = [...FILES, "/ui/data", ...MISSING];

test("the page is off by default, and independent of the control path", async () => {
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
  const rules = [...none, "script-src 'self'", "require-trusted-types-for 'script'"];
  expect(policy.split("; ")).toEqual(expect.arrayContaining(rules));
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(status).toBe(MISSING.includes(path) ? 404 : 200);
  if (FILES.includes(path)) expect(text.length).toBeGreaterThan(100);
});

test("requests of the page are in no log, use up no fault and no rate limit, and change nothing", async () => {
  const seen: string[] = [];
  simulator = await start({ ui: true, rateLimit: "2/60s", onRequest: ({ path }) => seen.push(path) });
  simulator.control.fault({ operationId: "*", kind: "status", status: 503 });
  for (const path of [...PATHS, "/favicon.ico"]) await statusOf("GET", path);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    expect(await statusOf(method, "/ui/data")).toBe(405);
  expect(simulator.control.requests()).toEqual([]);
  expect(seen).toEqual([]);
  expect(simulator.control.faults()).toMatchObject([{ kind: "status" }]);
  for (const status of [503, 200, 200]) expect(await listStatus(simulator)).toBe(status);
  expect(simulator.control.requests().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test("leaves out write-only fields, connection strings and fields that the API does not have", async () => {
  const secret = canary("misplaced");
  for (const body of Object.values(BODIES)) await createPipe(simulator, body);
  await call(simulator, "POST", "/pipes", { ...KAFKA, Credentials: { password: secret } });
  for (const kind of ["echo", "bad-json"] as const) {
    simulator.control.fault({ operationId: "*", kind, processed: true });
    await createPipe(simulator).catch(() => undefined);
  }
  const { pipes } = simulator.control.state();
  simulator.control.editPipe(pipes[0]?.id ?? "", { apiToken: secret });
  await call(simulator, "GET", "/pipes");
  const requests = simulator.control.requests().map(({ sequence }) => `/requests/${sequence}`);
  const texts: Record<string, string> = {};
  for (const path of ["", ...requests, ...pipes.map(({ id }) => `/pipes/${id}`)])
    texts[path] = JSON.stringify(await data(path));
  expect(leaks(texts, [secret, simulator.account.apiKeySecret])).toEqual([]);
  const all = Object.values(texts).join("\n");
  for (const value of [...REQUEST_ONLY_VALUES, "demo-account-key", "credentials"])
    expect(all).not.toContain(value);
  expect(all).toContain("b-1.example:9092");
});
