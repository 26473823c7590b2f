import { DatapipesError } from "../messages/errors";
import { shortened } from "../messages/quoted";
import type { ServiceScope } from "../settings/settings";
import { idKey } from "../values/uuid";
import {
  identified,
  listOf,
  nothing,
  pipe,
  pipeBody,
  pipeSettings,
  service,
  unchangedBody,
  type Schema,
  type WireObject,
} from "./wire";

/**
 * What a second request does. An idempotent write leaves the service as one request does; a second create makes
 * a second object.
 */
export type OperationKind = "read" | "idempotent" | "create";

type ToWire = (body: WireObject) => WireObject;

export interface Operation<Answer = unknown> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the path of the service. */
  readonly path: string;
  /** What may follow a failure depends on it. */
  readonly kind: OperationKind;
  /** What messages say that it does. */
  readonly does: string;
  readonly answer: Schema<Answer>;
  /** Undefined for an operation without a body. */
  readonly body?: ToWire | undefined;
}

const operation = <Answer>(
  method: Operation["method"],
  path: string,
  kind: OperationKind,
  does: string,
  answer: Schema<Answer>,
  body?: ToWire,
): Operation<Answer> => ({ method, path, kind, does, answer, body });

const ENDPOINTS = "/pipesReversePrivateEndpoints";
const ENDPOINT = "reverse private endpoint";

/** All operations: what the client sends, and how it reads the answers. */
export const OPERATIONS = {
  createPipe: operation("POST", "/pipes", "create", "create pipe", pipe, pipeBody),
  updatePipe: operation("PATCH", "/pipes/{id}", "idempotent", "update pipe", pipe, pipeBody),
  listPipes: operation("GET", "/pipes", "read", "list the pipes of service", listOf(pipe)),
  getPipeSettings: operation(
    "GET",
    "/pipes/{id}/settings",
    "read",
    "read the settings of pipe",
    pipeSettings,
  ),
  createReversePrivateEndpoint: operation(
    "POST",
    ENDPOINTS,
    "create",
    `create ${ENDPOINT}`,
    identified,
    unchangedBody,
  ),
  updateService: operation("PATCH", "", "idempotent", "update service", service, unchangedBody),
  listBackups: operation("GET", "/backups", "read", "list the backups of service", listOf(identified)),
  // Not in the API document: some services have them. The provider sends them only if the program asks for it.
  deletePipe: operation("DELETE", "/pipes/{id}", "idempotent", "delete pipe", nothing),
  deleteReversePrivateEndpoint: operation(
    "DELETE",
    `${ENDPOINTS}/{id}`,
    "idempotent",
    `delete ${ENDPOINT}`,
    nothing,
  ),
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

export type AnswerOf<N extends OperationName> = ReturnType<(typeof OPERATIONS)[N]["answer"]>;

export interface RequestOptions {
  /** What messages call the object. */
  readonly label?: unknown;
  /** Called before each attempt. */
  readonly sent?: (() => void) | undefined;
  /** How often the request is sent again at most; a 429 does not count. Default: the setting. */
  readonly maxRetries?: number;
  /** Whether it follows another request of the same update, which may keep the service busy. */
  readonly isFollowUp?: boolean;
}

export interface Call {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly serviceId: string;
  /** The ID in the path. */
  readonly id?: string | undefined;
  readonly path: string;
  readonly body?: WireObject | undefined;
  /** As messages name it: `create pipe "orders"`. */
  readonly attempt: string;
  readonly options: RequestOptions;
}

/** What a request of an operation needs. */
export interface Given {
  /** If the path has one. */
  readonly id?: string;
  /** If the operation has one. */
  readonly body?: WireObject;
  readonly options?: RequestOptions | undefined;
}

export function callOf(name: OperationName, scope: ServiceScope, given: Given = {}): Call {
  const operation: Operation = OPERATIONS[name];
  const { id, options = {} } = given;
  const body = given.body && operation.body?.(given.body);
  const { organizationId, serviceId } = scope;
  const servicePath = `/v1/organizations/${encoded(organizationId)}/services/${encoded(serviceId)}`;
  const ownPath = id === undefined ? operation.path : operation.path.replace("{id}", () => encoded(id));
  const label =
    options.label ?? (operation.kind === "create" ? (body?.["name"] ?? body?.["description"]) : "");
  const object = labeled(label, id ?? (operation.kind === "create" ? undefined : serviceId));
  const attempt = `${operation.does} ${object}`.trim();
  return { name, operation, serviceId, id, path: `${servicePath}${ownPath}`, body, attempt, options };
}

/** Identifies a service in any spelling of its IDs. */
export const scopeKey = ({ organizationId, serviceId }: ServiceScope): string =>
  idKey(`${organizationId}/${serviceId}`);

/** How many characters of a name or description a message repeats. */
const MAX_LABEL = 40;

export const labelOf = (text: string): string => JSON.stringify(shortened(text, MAX_LABEL));

function labeled(label: unknown, id: string | undefined): string {
  if (typeof label !== "string" || label === "") return id ?? "";
  return id === undefined ? labelOf(label) : `${labelOf(label)} (${id})`;
}

/** An ID as one segment of a path, which it cannot change. */
function encoded(id: string): string {
  if (!["", ".", ".."].includes(id) && id.isWellFormed()) return encodeURIComponent(id);
  const refused = `${JSON.stringify(id)} is not a valid ID: the provider sent nothing.`;
  throw new DatapipesError("invalid-argument", refused, { finding: "not-found" });
}
