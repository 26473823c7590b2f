import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "./api-error";
import type { Fault } from "./fault";
import type { JsonObject } from "./json";
import { isObject } from "./json";
import { parseBody, requireJsonType } from "./json-body";
import type { Backup } from "./models";
import type { SeedPipe, SimulatorControl } from "./simulator-control";

interface ControlRequest {
  /** From the path. */
  id: string;
  body: JsonObject;
  /** From the body or the query. */
  serviceId?: string;
}

type Handler = (control: SimulatorControl, request: ControlRequest) => object;

function objectsIn(body: JsonObject, field: string): JsonObject[] {
  const value = body[field];
  if (!Array.isArray(value) || !value.every(isObject))
    throw new ApiError(400, `${field} must be an array of objects`);
  return value;
}

/** A call that returns nothing answers an empty object. */
const silent =
  (
    name: "clearRequests" | "reset" | "clearFaults" | "deletePipe" | "deleteService" | "deleteEndpoint",
  ): Handler =>
  (control, { id }) => {
    control[name](id);
    return {};
  };

/** Every route is one call of the typed control. */
const ROUTES: Readonly<Record<string, Handler>> = {
  "GET /requests": (control) => ({ requests: control.requests() }),
  "DELETE /requests": silent("clearRequests"),
  "GET /state": (control) => control.state(),
  "POST /reset": silent("reset"),
  "POST /pipes": (control, { body, serviceId }) => ({
    pipes: control.seedPipes(objectsIn(body, "pipes") as unknown as SeedPipe[], serviceId),
  }),
  "PATCH /pipes/:id": (control, { id, body }) => control.editPipe(id, body),
  "DELETE /pipes/:id": silent("deletePipe"),
  "PATCH /services/:id": (control, { id, body }) => control.editService(id, body),
  "DELETE /services/:id": silent("deleteService"),
  "PATCH /endpoints/:id": (control, { id, body }) => control.editEndpoint(id, body),
  "DELETE /endpoints/:id": silent("deleteEndpoint"),
  "POST /backups": (control, { body, serviceId }) => {
    const backups = objectsIn(body, "backups") as Partial<Backup>[];
    return { backups: control.seedBackups(backups, { serviceId, replace: body["replace"] === true }) };
  },
  "POST /clock": (control, { body }) => ({
    now: control.advance(Number(body["advanceSeconds"] ?? Number.NaN)),
  }),
  "GET /behaviour": (control, { serviceId }) => control.behaviour(serviceId),
  "PATCH /behaviour": (control, { body: { serviceId: _, ...change }, serviceId }) =>
    control.setBehaviour(change, serviceId),
  "POST /faults": (control, { body }) => {
    control.fault(body as unknown as Fault);
    return { faults: control.faults() };
  },
  "GET /faults": (control) => ({ faults: control.faults() }),
  "DELETE /faults": silent("clearFaults"),
};

const takesBody = (route: string): boolean => /^(POST|PATCH)/.test(route) && route !== "POST /reset";

/** The control path over HTTP. */
export function controlRoutes(control: SimulatorControl): Hono {
  const routes = new Hono();
  routes.use("*", async ({ req }, next) => {
    const hasBody =
      req.header("transfer-encoding") !== undefined || Number(req.header("content-length") ?? 0) > 0;
    // A web page can send other types to any address without asking: this one it cannot.
    if (hasBody) requireJsonType(req.header("content-type"));
    await next();
  });
  for (const [route, handler] of Object.entries(ROUTES)) {
    const [method = "", path = ""] = route.split(" ");
    routes.on(method, path, async ({ req, json }) => {
      const body = takesBody(route) ? parseBody(await req.text()) : {};
      const serviceId = body["serviceId"] ?? req.query("serviceId");
      if (serviceId !== undefined && typeof serviceId !== "string")
        throw new ApiError(400, "serviceId must be string");
      return json(handler(control, { id: req.param("id") ?? "", body, serviceId }));
    });
  }
  routes.onError((error, context) => {
    const status = error instanceof ApiError ? error.status : 500;
    return context.json({ status, error: error.message }, status as ContentfulStatusCode);
  });
  return routes;
}
