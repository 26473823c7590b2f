import { Hono } from "hono";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "./api-error";
import type { Backup } from "./backup";
import { objectsOf } from "./control";
import type { Fault } from "./fault";
import type { JsonObject } from "./json";
import { isObject } from "./json";
import type { SeedPipe, SimulatorControl } from "./simulator-control";

/** A web page can send other types to any address without asking: only this one it cannot. */
function requireJson(header: (name: string) => string | undefined): void {
  const hasBody = header("transfer-encoding") !== undefined || Number(header("content-length") ?? 0) > 0;
  if (hasBody && !/^application\/json\s*(;|$)/i.test(header("content-type") ?? ""))
    throw new ApiError(415, "the content type must be application/json");
}

async function bodyOf(context: Context): Promise<JsonObject> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch {
    throw new ApiError(400, "the body is not valid JSON");
  }
  if (!isObject(body)) throw new ApiError(400, "the body must be a JSON object");
  return body;
}

function textOf(body: JsonObject, field: string): string | undefined {
  const value = body[field];
  if (value !== undefined && typeof value !== "string") throw new ApiError(400, `${field} must be string`);
  return value;
}

/** What changes things that exist. */
function editRoutes(control: SimulatorControl): Hono {
  const routes = new Hono();
  routes.post("/pipes", async (context) => {
    const body = await bodyOf(context);
    const pipes = objectsOf(body["pipes"], "pipes") as unknown as SeedPipe[];
    return context.json({ pipes: control.seedPipes(pipes, textOf(body, "serviceId")) });
  });
  routes.patch("/pipes/:id", async (context) =>
    context.json(control.editPipe(context.req.param("id"), await bodyOf(context))),
  );
  routes.delete("/pipes/:id", (context) => {
    control.deletePipe(context.req.param("id"));
    return context.json({});
  });
  routes.patch("/services/:id", async (context) =>
    context.json(control.editService(context.req.param("id"), await bodyOf(context))),
  );
  routes.delete("/services/:id", (context) => {
    control.deleteService(context.req.param("id"));
    return context.json({});
  });
  routes.patch("/endpoints/:id", async (context) =>
    context.json(control.editEndpoint(context.req.param("id"), await bodyOf(context))),
  );
  routes.delete("/endpoints/:id", (context) => {
    control.deleteEndpoint(context.req.param("id"));
    return context.json({});
  });
  routes.post("/backups", async (context) => {
    const body = await bodyOf(context);
    const backups = objectsOf(body["backups"], "backups") as unknown as Partial<Backup>[];
    const serviceId = textOf(body, "serviceId");
    const options = { replace: body["replace"] === true, ...(serviceId === undefined ? {} : { serviceId }) };
    return context.json({ backups: control.seedBackups(backups, options) });
  });
  return routes;
}

/** The control path over HTTP: every route is one call of the typed control. */
export function controlRoutes(control: SimulatorControl): Hono {
  const routes = new Hono();
  routes.use("*", async (context, next) => {
    requireJson((name) => context.req.header(name));
    await next();
  });
  routes.get("/requests", (context) => context.json({ requests: control.requests() }));
  routes.delete("/requests", (context) => {
    control.clearRequests();
    return context.json({});
  });
  routes.get("/state", (context) => context.json(control.state()));
  routes.post("/reset", (context) => {
    control.reset();
    return context.json({});
  });
  routes.post("/clock", async (context) => {
    const body = await bodyOf(context);
    return context.json({ now: control.advance(Number(body["advanceSeconds"] ?? Number.NaN)) });
  });
  routes.get("/behaviour", (context) => context.json(control.behaviour(context.req.query("serviceId"))));
  routes.patch("/behaviour", async (context) => {
    const body = await bodyOf(context);
    const { serviceId: _, ...change } = body;
    return context.json(control.setBehaviour(change, textOf(body, "serviceId")));
  });
  routes.post("/faults", async (context) => {
    control.fault((await bodyOf(context)) as unknown as Fault);
    return context.json({ faults: control.faults() });
  });
  routes.get("/faults", (context) => context.json({ faults: control.faults() }));
  routes.delete("/faults", (context) => {
    control.clearFaults();
    return context.json({});
  });
  routes.route("/", editRoutes(control));
  routes.onError((error, context) => {
    const status = error instanceof ApiError ? error.status : 500;
    return context.json({ status, error: error.message }, status as ContentfulStatusCode);
  });
  return routes;
}
