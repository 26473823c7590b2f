import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "./api-error";
import type { SeedPipe, SimulatorControl } from "./control";
import type { Fault } from "./fault";
import type { JsonObject } from "./json";
import { isObject } from "./json";
import { parseBody, readBody, requireJsonType } from "./json-body";
import type { Backup } from "./models";

interface ControlRequest {
  /** From the path. */
  id: string;
  body: JsonObject;
  /** The `serviceId` of the query. */
  query: string | undefined;
}

type Handler = (control: SimulatorControl, request: ControlRequest) => object;

function objectsIn(body: JsonObject, field: string): JsonObject[] {
  const value = body[field];
  if (!Array.isArray(value) || !value.every(isObject))
    throw new ApiError(400, `${field} must be an array of objects`);
  return value;
}

function serviceIdIn({ body, query }: ControlRequest): string | undefined {
  const { serviceId = query } = body;
  if (serviceId !== undefined && typeof serviceId !== "string")
    throw new ApiError(400, "serviceId must be string");
  return serviceId;
}

/** Calls a method that returns nothing, and answers an empty object. */
const call =
  (
    name:
      | "clearRequests"
      | "reset"
      | "clearFaults"
      | "removeFault"
      | "deletePipe"
      | "deleteService"
      | "deleteEndpoint",
  ): Handler =>
  (control, { id }) => {
    control[name](id);
    return {};
  };

/** Every route is one call of the typed control. */
const ROUTES: Readonly<Record<string, Handler>> = {
  "GET /requests": (control) => ({ requests: control.requests() }),
  "DELETE /requests": call("clearRequests"),
  "GET /state": (control) => control.state(),
  "POST /reset": call("reset"),
  "POST /pipes": (control, request) => {
    const pipes = objectsIn(request.body, "pipes") as unknown as SeedPipe[];
    return { pipes: control.seedPipes(pipes, serviceIdIn(request)) };
  },
  "PATCH /pipes/:id": (control, { id, body }) => control.editPipe(id, body),
  "DELETE /pipes/:id": call("deletePipe"),
  "PATCH /services/:id": (control, { id, body }) => control.editService(id, body),
  "DELETE /services/:id": call("deleteService"),
  "PATCH /endpoints/:id": (control, { id, body }) => control.editEndpoint(id, body),
  "DELETE /endpoints/:id": call("deleteEndpoint"),
  "POST /backups": (control, request) => {
    const backups = objectsIn(request.body, "backups") as Partial<Backup>[];
    const options = { serviceId: serviceIdIn(request), replace: request.body["replace"] === true };
    return { backups: control.seedBackups(backups, options) };
  },
  "POST /clock": (control, { body }) => ({
    now: control.advance(Number(body["advanceSeconds"] ?? Number.NaN)),
  }),
  "GET /behaviour": (control, request) => control.behaviour(serviceIdIn(request)),
  "PATCH /behaviour": (control, request) => {
    const { serviceId: _, ...change } = request.body;
    return control.setBehaviour(change, serviceIdIn(request));
  },
  "POST /faults": (control, { body }) => {
    control.fault(body as unknown as Fault);
    return { faults: control.faults() };
  },
  "GET /faults": (control) => ({ faults: control.faults() }),
  "DELETE /faults": call("clearFaults"),
  "DELETE /faults/:id": call("removeFault"),
};

const takesBody = (route: string): boolean => /^(POST|PATCH)/.test(route) && route !== "POST /reset";

/** The control path over HTTP. */
export function controlRoutes(control: SimulatorControl): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.use("*", async ({ req }, next) => {
    const hasBody =
      req.header("transfer-encoding") !== undefined || Number(req.header("content-length") ?? 0) > 0;
    // A web page can send bodies of other types to any address, but not JSON.
    if (hasBody) requireJsonType(req.header("content-type"));
    await next();
  });
  for (const [route, handler] of Object.entries(ROUTES)) {
    const [method = "", path = ""] = route.split(" ");
    routes.on(method, path, async ({ env, req, json }) => {
      const body = takesBody(route) ? parseBody(await readBody(env.incoming)) : {};
      return json(handler(control, { id: req.param("id") ?? "", body, query: req.query("serviceId") }));
    });
  }
  routes.onError((error, context) => {
    const status = error instanceof ApiError ? error.status : 500;
    return context.json({ status, error: error.message }, status as ContentfulStatusCode);
  });
  return routes;
}
