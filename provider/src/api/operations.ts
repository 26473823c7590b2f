import { path } from "./path";
import { idKey } from "./wire";

/** The service that owns pipes, endpoints and backups. */
export interface ServiceScope {
  readonly organizationId: string;
  readonly serviceId: string;
}

/** What tells one service from another, however its ids are spelled. */
export const scopeKey = ({ organizationId, serviceId }: ServiceScope): string =>
  idKey(`${organizationId}/${serviceId}`);

/** One request: which operation it is, and what a person would say it does. */
export interface Operation {
  /** The name of the operation. */
  readonly name: string;
  /** What is attempted, for messages: `create pipe "orders"`. */
  readonly attempt: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly repeatable: Repeatable;
}

/**
 * When a request may be sent again by itself.
 *
 * - `after-any-failure`: to run twice has the same end as to run once.
 * - `when-turned-away`: when the server says so (429), or certainly saw nothing of it.
 * - `when-unseen`: when the server certainly saw nothing of it.
 */
export type Repeatable = "after-any-failure" | "when-turned-away" | "when-unseen";

const servicePath = ({ organizationId, serviceId }: ServiceScope): string =>
  path`/v1/organizations/${organizationId}/services/${serviceId}`;

const quoted = (name: unknown): string => (typeof name === "string" ? ` ${JSON.stringify(name)}` : "");

/** The most of a name that a message repeats, in characters. */
const MAX_NAME = 40;
/** A name or a description in quotes, without its end where it is long. */
const shortened = (text: string): string =>
  JSON.stringify(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);

/** What a person calls something that has an id: with its name, where that is known. */
const known = (id: string, name: unknown): string =>
  typeof name === "string" && name !== "" ? `${shortened(name)} (${id})` : id;

/** Members of updates that name something to do; all others name what is to be in the end. */
const ACTIONS: ReadonlySet<string> = new Set([
  "add",
  "remove",
  "tableMappingsToAdd",
  "tableMappingsToRemove",
  // The id of the key to rotate: nobody says what a second rotation does.
  "transparentDataEncryptionKeyId",
]);

/** Whether a body asks for something that might be done twice, or be refused the second time. */
export const acts = (body: unknown): boolean =>
  typeof body === "object" &&
  body !== null &&
  Object.entries(body).some(([name, member]) => ACTIONS.has(name) || acts(member));

/**
 * The method and the path as a message shows them, to be short: without the organization, which is the same in all messages, and
 * without an id that the attempt names.
 */
export function requestLine({ method, path: whole, attempt }: Operation): string {
  const steps = whole.split("/").slice(4);
  const isNamed = (step: string): boolean => attempt.endsWith(` ${step}`) || attempt.endsWith(` (${step})`);
  return `${method} …/${steps.map((step) => (isNamed(step) ? "…" : step)).join("/")}`;
}

/** `createPipe` of the API document. */
export const createPipe = (scope: ServiceScope, body: { readonly name?: unknown }): Operation => ({
  name: "createPipe",
  attempt: `create pipe${quoted(body.name)}`,
  method: "POST",
  path: `${servicePath(scope)}/pipes`,
  body,
  repeatable: "when-unseen",
});

/** `updatePipe` of the API document. `name` is the pipe's, where it is known. */
export const updatePipe = (
  scope: ServiceScope,
  pipeId: string,
  body: unknown,
  name?: unknown,
): Operation => ({
  name: "updatePipe",
  attempt: `update pipe ${known(pipeId, name)}`,
  method: "PATCH",
  path: servicePath(scope) + path`/pipes/${pipeId}`,
  body,
  repeatable: acts(body) ? "when-turned-away" : "after-any-failure",
});

/** `listPipes` of the API document. */
export const listPipes = (scope: ServiceScope): Operation => ({
  name: "listPipes",
  attempt: `list the pipes of service ${scope.serviceId}`,
  method: "GET",
  path: `${servicePath(scope)}/pipes`,
  repeatable: "after-any-failure",
});

/** `getPipeSettings` of the API document. */
export const getPipeSettings = (scope: ServiceScope, pipeId: string): Operation => ({
  name: "getPipeSettings",
  attempt: `read the settings of pipe ${pipeId}`,
  method: "GET",
  path: servicePath(scope) + path`/pipes/${pipeId}/settings`,
  repeatable: "after-any-failure",
});

const described = ({ description }: { readonly description?: unknown }): string =>
  typeof description === "string" ? ` ${shortened(description)}` : "";

/** `createReversePrivateEndpoint` of the API document. */
export const createReversePrivateEndpoint = (
  scope: ServiceScope,
  body: { readonly description?: unknown },
): Operation => ({
  name: "createReversePrivateEndpoint",
  attempt: `create reverse private endpoint${described(body)}`,
  method: "POST",
  path: `${servicePath(scope)}/pipesReversePrivateEndpoints`,
  body,
  repeatable: "when-turned-away",
});

/** `updateService` of the API document. */
export const updateService = (scope: ServiceScope, body: unknown): Operation => ({
  name: "updateService",
  attempt: `update service ${scope.serviceId}`,
  method: "PATCH",
  path: servicePath(scope),
  body,
  repeatable: acts(body) ? "when-turned-away" : "after-any-failure",
});

/** `listBackups` of the API document. */
export const listBackups = (scope: ServiceScope): Operation => ({
  name: "listBackups",
  attempt: `list the backups of service ${scope.serviceId}`,
  method: "GET",
  path: `${servicePath(scope)}/backups`,
  repeatable: "after-any-failure",
});

/** Not in the API document: some services have it, and only a program that asks for it gets it sent. */
export const deletePipe = (scope: ServiceScope, pipeId: string, name?: unknown): Operation => ({
  name: "deletePipe",
  attempt: `delete pipe ${known(pipeId, name)}`,
  method: "DELETE",
  path: servicePath(scope) + path`/pipes/${pipeId}`,
  repeatable: "after-any-failure",
});

/** Not in the API document: some services have it, and only a program that asks for it gets it sent. */
export const deleteReversePrivateEndpoint = (
  scope: ServiceScope,
  endpointId: string,
  description?: unknown,
): Operation => ({
  name: "deleteReversePrivateEndpoint",
  attempt: `delete reverse private endpoint ${known(endpointId, description)}`,
  method: "DELETE",
  path: servicePath(scope) + path`/pipesReversePrivateEndpoints/${endpointId}`,
  repeatable: "after-any-failure",
});
