import { createHash } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "./api-error";
import type { SimulatorControl } from "./control";
import type { Fault } from "./fault";
import type { Json } from "./json";
import { parseBody, readBody, requireJsonType } from "./json-body";
import { importMapHash, loadAssets } from "./page-assets";
import type { PageState } from "./page-state";

/** Where the page is. */
export const PAGE_PATH = "/ui";

const INDEX = "index.html";

/** The page runs its own scripts only, is in no frame, and turns no text into HTML (Trusted Types). */
const securityHeaders = (page: string): Record<string, string> => ({
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'self' ${importMapHash(page)}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
});

/** Answers without a body if the page has this value already: it asks every second. */
function answerJson(context: Context, value: Json): Response {
  const text = JSON.stringify(value);
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  if (context.req.header("if-none-match") === tag) return context.body(null, 304, { etag: tag });
  return context.body(text, 200, { "content-type": "application/json", etag: tag });
}

function addData(
  routes: Hono<{ Bindings: HttpBindings }>,
  control: SimulatorControl,
  state: PageState,
): void {
  routes.get("/data", (context) => answerJson(context, state.overview()));
  routes.get("/data/fault-forms", (context) => answerJson(context, state.faultForms()));
  routes.get("/data/:collection{pipes|endpoints|services|requests}/:id", (context) =>
    answerJson(context, state.details(context.req.param("collection"), context.req.param("id"))),
  );
  routes.post("/data/faults", async ({ env, req, json }) => {
    requireJsonType(req.header("content-type"));
    return json({ id: control.fault(parseBody(await readBody(env.incoming)) as unknown as Fault) });
  });
  routes.delete("/data/faults/:id", ({ req, json }) => {
    control.removeFault(req.param("id"));
    return json({});
  });
  routes.delete("/data/faults", ({ json }) => {
    control.clearFaults();
    return json({});
  });
  for (const [collection, field, edit] of [
    ["pipes", "state", control.editPipe.bind(control)],
    ["endpoints", "status", control.editEndpoint.bind(control)],
  ] as const)
    routes.post(`/data/${collection}/:id`, async ({ env, req, json }) => {
      requireJsonType(req.header("content-type"));
      const value = parseBody(await readBody(env.incoming))[field];
      if (typeof value !== "string" || value === "") throw new ApiError(400, `${field} must be a text`);
      edit(req.param("id"), { [field]: value });
      return json({});
    });
}

/** The page and its data. They are no part of the API: no log, fault or rate limit knows their requests. */
export function pageRoutes(control: SimulatorControl, state: PageState): Hono<{ Bindings: HttpBindings }> {
  const assets = loadAssets();
  const headers = securityHeaders(assets.get(INDEX)?.content ?? "");
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.use("*", async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  });
  addData(routes, control, state);
  routes.get("*", (context) => {
    const file = context.req.path.slice(PAGE_PATH.length).replace(/^\//, "") || INDEX;
    const asset = assets.get(file);
    if (asset === undefined) throw new ApiError(404, "the page has no such file");
    return context.body(asset.content, 200, { "content-type": asset.type });
  });
  routes.all("*", () => {
    throw new ApiError(405, "the page does not know this method");
  });
  routes.onError((error, context) => {
    // The text of another error can quote anything.
    const { status, message } = error instanceof ApiError ? error : new ApiError(500, "simulator defect");
    return context.json({ status, error: message }, status as ContentfulStatusCode);
  });
  return routes;
}
