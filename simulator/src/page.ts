import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import type { AnswerLog, LoggedAnswer } from "./answer-log";
import { contract } from "./contract";
import type { SimulatorControl } from "./control";
import type { Schema } from "./definition";
import type { Json } from "./json";
import { isObject } from "./json";
import type { LoggedRequest, RequestLog } from "./request-log";

/** Where the page is. */
export const PAGE_PATH = "/ui";
/** How many requests the page lists. */
export const SHOWN_REQUESTS = 200;
/** A longer answer makes a page slow. */
const MAX_ANSWER_LETTERS = 500_000;

const INDEX = "index.html";
const TYPES: Readonly<Record<string, string>> = {
  [INDEX]: "text/html; charset=utf-8",
  "style.css": "text/css; charset=utf-8",
  "main.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** The page runs its own script only, is in no frame, and turns no text into HTML (Trusted Types). */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    ...["script-src", "style-src", "img-src", "connect-src"].map((name) => `${name} 'self'`),
    ...["base-uri", "form-action", "frame-ancestors"].map((name) => `${name} 'none'`),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** The fields of a schema at any depth. */
function fieldsOf({ properties = {}, items = {}, oneOf = [] }: Schema): [string, Schema][] {
  const inner = [...Object.values(properties), ...oneOf].flatMap(fieldsOf);
  return [...Object.entries(properties), ...inner, ...(items.properties ? fieldsOf(items) : [])];
}

const FIELDS = contract.operationIds.flatMap((operationId) => {
  const { body = {}, result } = contract.operation(operationId);
  return [...fieldsOf(body), ...fieldsOf(result), ...(result.items ? fieldsOf(result.items) : [])];
});
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...FIELDS.filter(([, { writeOnly }]) => writeOnly).map(([name]) => name),
  // The API returns it, with the keys in it.
  "connectionString",
]);
/** The fields of the API document that are not write-only, and those around them. */
const SHOWN: ReadonlySet<string> = new Set([
  ...FIELDS.map(([name]) => name).filter((name) => !LEFT_OUT.has(name)),
  ...["status", "requestId", "result", "error", "serviceId"],
]);

/** A value without write-only fields, and without fields that the API document does not have. */
function shown(value: Json): Json {
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => SHOWN.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, shown(inner)]));
}

/** An answer as a value. A text may repeat the request, with its credentials. */
function answerOf(answer: LoggedAnswer | undefined, { fault }: LoggedRequest): Json {
  if (answer?.send !== "answer" || answer.body === "") return null;
  if (fault === "echo") return "(not shown: it repeats the request)";
  if (answer.body.length > MAX_ANSWER_LETTERS) return `(not shown: ${answer.body.length} characters)`;
  try {
    return shown(JSON.parse(answer.body) as Json);
  } catch {
    return "(not shown: it is not JSON)";
  }
}

function statusOf(answer: LoggedAnswer | undefined): number | string {
  if (answer === undefined) return "pending";
  if (answer.send === "answer") return answer.status;
  return answer.send === "reset" ? "connection reset" : "no response";
}

function summaryOf(request: LoggedRequest, answer: LoggedAnswer | undefined) {
  const { sequence, at, method, path, operationId, durationMs, fault } = request;
  const took = answer === undefined ? null : durationMs;
  return { sequence, at, method, path, operationId, status: statusOf(answer), durationMs: took, fault };
}

/** What the page reads. */
export interface PageParts {
  control: SimulatorControl;
  log: RequestLog;
  answers: AnswerLog;
}

/** All that the page shows without a click. */
function overview({ control, log, answers }: PageParts): object {
  const { pipes, endpoints, services } = control.state();
  const requests = log.latest(SHOWN_REQUESTS).map((each) => summaryOf(each, answers.of(each.sequence)));
  return {
    pipes: pipes.map(({ id, serviceId, name, state, source, destination }) => ({
      id,
      serviceId,
      name,
      state,
      source: Object.keys(isObject(source) ? source : {}).join(", "),
      destination: isObject(destination) ? [destination.database, destination.table] : [],
    })),
    endpoints: endpoints.map(({ id, serviceId, description, type, status }) => ({
      id,
      serviceId,
      description,
      type,
      status,
    })),
    services: services.map(({ id, name }) => ({
      id,
      name,
      pipes: pipes.filter(({ serviceId }) => serviceId === id).length,
    })),
    faults: control
      .faults()
      .map(({ id, kind, operationId, times = 1 }) => ({ id, kind, operationId, times })),
    writes: requests.filter(({ method }) => method !== "GET"),
    reads: requests.filter(({ method }) => method === "GET"),
  };
}

/** Everything about one row; undefined if it does not exist any more. */
function details({ control, log, answers }: PageParts, table: string, id: string): Json | undefined {
  if (table === "requests") {
    const request = log.latest(SHOWN_REQUESTS).find(({ sequence }) => String(sequence) === id);
    if (request === undefined) return undefined;
    const { path, fault = null, requestId, userAgent, body } = request;
    const answer = answerOf(answers.of(request.sequence), request);
    return { path, fault, requestId, userAgent, body: shown(body), answer };
  }
  const { pipes, endpoints, services } = control.state();
  const records: Readonly<Record<string, readonly { id: string }[]>> = { pipes, endpoints, services };
  const record = records[table]?.find((each) => each.id === id);
  return record && shown(record);
}

/** The page and its data. They are no part of the API: no log, fault or rate limit knows their requests. */
export function pageRoutes(parts: PageParts): Hono {
  const routes = new Hono();
  routes.use("*", async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  routes.get("/data", (context) => {
    const text = JSON.stringify(overview(parts));
    const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
    // The page asks every second, and has this answer already if nothing changed.
    if (context.req.header("if-none-match") === etag) return context.body(null, 304, { etag });
    return context.body(text, 200, { "content-type": "application/json", etag });
  });
  routes.get("/data/:table/:id", (context) => {
    const found = details(parts, context.req.param("table"), context.req.param("id"));
    return found === undefined ? context.notFound() : context.json(found as object);
  });
  routes.get("*", (context) => {
    const file = context.req.path.slice(PAGE_PATH.length).replace(/^\//, "") || INDEX;
    const type = TYPES[file];
    if (type === undefined) return context.notFound();
    const content = readFileSync(join(__dirname, "..", "ui", file), "utf8");
    return context.body(content, 200, { "content-type": type });
  });
  routes.all("*", (context) => context.text("the page accepts only GET", 405));
  return routes;
}
