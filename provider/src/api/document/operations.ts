import type { ServiceScope } from "../../settings/settings";
import { path } from "./path";
import { idKey } from "../../values/uuid";

/** What a second request does: the same as one, or it creates a second object. */
export type OperationKind = "idempotent" | "create";

/** Identifies a service in any spelling of its ids. */
export const scopeKey = ({ organizationId, serviceId }: ServiceScope): string =>
  idKey(`${organizationId}/${serviceId}`);

/** A request for an operation of the API document. */
export interface Operation {
  /** As in `createPipe`. */
  readonly name: string;
  /** What messages say that it does: `create pipe "orders"`. */
  readonly attempt: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** What may follow a failure depends on it. */
  readonly kind: OperationKind;
}

const servicePath = ({ organizationId, serviceId }: ServiceScope): string =>
  path`/v1/organizations/${organizationId}/services/${serviceId}`;

/** How many characters of a name or description a message repeats. */
const MAX_NAME = 40;
export const shortened = (text: string): string =>
  JSON.stringify(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);

/** The id, with the name or description where that is known. */
const withName = (id: string, name: unknown): string =>
  typeof name === "string" && name !== "" ? `${shortened(name)} (${id})` : id;

/** The method and the path, shortened for messages: without the organization, and without an id that the attempt has. */
export function requestLine({ method, path: fullPath, attempt }: Operation): string {
  const steps = fullPath.split("/").slice(4);
  const isKnown = (step: string): boolean => attempt.endsWith(` ${step}`) || attempt.endsWith(` (${step})`);
  return `${method} …/${steps.map((step) => (isKnown(step) ? "…" : step)).join("/")}`;
}

const idempotent = (
  method: "GET" | "DELETE",
  request: Pick<Operation, "name" | "attempt" | "path">,
): Operation => ({ ...request, method, kind: "idempotent" });

export const createPipe = (scope: ServiceScope, body: { readonly name?: unknown }): Operation => ({
  name: "createPipe",
  attempt: `create pipe${typeof body.name === "string" ? ` ${JSON.stringify(body.name)}` : ""}`,
  method: "POST",
  path: `${servicePath(scope)}/pipes`,
  body,
  kind: "create",
});

/** `updatePipe` of the API document. Messages call the pipe by `name`, where it is known. */
export const updatePipe = (
  scope: ServiceScope,
  pipeId: string,
  body: unknown,
  name?: unknown,
): Operation => ({
  name: "updatePipe",
  attempt: `update pipe ${withName(pipeId, name)}`,
  method: "PATCH",
  path: servicePath(scope) + path`/pipes/${pipeId}`,
  body,
  kind: "idempotent",
});

export const listPipes = (scope: ServiceScope): Operation =>
  idempotent("GET", {
    name: "listPipes",
    attempt: `list the pipes of service ${scope.serviceId}`,
    path: `${servicePath(scope)}/pipes`,
  });

export const getPipeSettings = (scope: ServiceScope, pipeId: string): Operation =>
  idempotent("GET", {
    name: "getPipeSettings",
    attempt: `read the settings of pipe ${pipeId}`,
    path: servicePath(scope) + path`/pipes/${pipeId}/settings`,
  });

export const createReversePrivateEndpoint = (
  scope: ServiceScope,
  body: { readonly description?: unknown },
): Operation => ({
  name: "createReversePrivateEndpoint",
  attempt: `create reverse private endpoint${typeof body.description === "string" ? ` ${shortened(body.description)}` : ""}`,
  method: "POST",
  path: `${servicePath(scope)}/pipesReversePrivateEndpoints`,
  body,
  kind: "create",
});

export const updateService = (scope: ServiceScope, body: unknown): Operation => ({
  name: "updateService",
  attempt: `update service ${scope.serviceId}`,
  method: "PATCH",
  path: servicePath(scope),
  body,
  kind: "idempotent",
});

export const listBackups = (scope: ServiceScope): Operation =>
  idempotent("GET", {
    name: "listBackups",
    attempt: `list the backups of service ${scope.serviceId}`,
    path: `${servicePath(scope)}/backups`,
  });

/** Not in the API document: some services have it. The provider sends it only if the program asks for it. */
export const deletePipe = (scope: ServiceScope, pipeId: string, name?: unknown): Operation =>
  idempotent("DELETE", {
    name: "deletePipe",
    attempt: `delete pipe ${withName(pipeId, name)}`,
    path: servicePath(scope) + path`/pipes/${pipeId}`,
  });

/** Not in the API document, as {@link deletePipe}. */
export const deleteReversePrivateEndpoint = (
  scope: ServiceScope,
  endpointId: string,
  description?: unknown,
): Operation =>
  idempotent("DELETE", {
    name: "deleteReversePrivateEndpoint",
    attempt: `delete reverse private endpoint ${withName(endpointId, description)}`,
    path: servicePath(scope) + path`/pipesReversePrivateEndpoints/${endpointId}`,
  });
