import { DatapipesError } from "../messages/errors";
import { quoted } from "../messages/quoted";
import type { ServiceScope } from "../settings/settings";
import { idKey } from "../values/uuid";
import * as wire from "./wire";

/**
 * What a second request does, by its method. An idempotent write leaves the service as one request does; a second
 * create makes a second object.
 */
const KINDS = { GET: "read", PATCH: "idempotent", DELETE: "idempotent", POST: "create" } as const;

export type OperationKind = (typeof KINDS)[keyof typeof KINDS];

export interface Operation<Answer = unknown> {
  readonly method: keyof typeof KINDS;
  /** Below the path of the service. */
  readonly path: string;
  /** What may follow a failure depends on it. */
  readonly kind: OperationKind;
  /** What messages say that it does. */
  readonly does: string;
  readonly answer: wire.Schema<Answer>;
}

const operation = <Answer>(
  method: keyof typeof KINDS,
  path: string,
  does: string,
  answer: wire.Schema<Answer>,
): Operation<Answer> => ({ method, path, kind: KINDS[method], does, answer });

const ENDPOINTS = "/pipesReversePrivateEndpoints";
const ENDPOINT = "reverse private endpoint";

/** All operations: what the client sends, and how it reads the answers. */
export const OPERATIONS = {
  createPipe: operation("POST", "/pipes", "create pipe", wire.pipe),
  updatePipe: operation("PATCH", "/pipes/{id}", "update pipe", wire.pipe),
  listPipes: operation("GET", "/pipes", "list the pipes of service", wire.listOf(wire.pipe)),
  getPipeSettings: operation("GET", "/pipes/{id}/settings", "read the settings of pipe", wire.pipeSettings),
  createReversePrivateEndpoint: operation("POST", ENDPOINTS, `create ${ENDPOINT}`, wire.identified),
  updateService: operation("PATCH", "", "update service", wire.service),
  listBackups: operation("GET", "/backups", "list the backups of service", wire.listOf(wire.identified)),
  // Not in the API document: some services have them. The provider sends them only if the program asks for it.
  deletePipe: operation("DELETE", "/pipes/{id}", "delete pipe", wire.nothing),
  deleteReversePrivateEndpoint: operation("DELETE", `${ENDPOINTS}/{id}`, `delete ${ENDPOINT}`, wire.nothing),
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

export type AnswerOf<N extends OperationName> = ReturnType<(typeof OPERATIONS)[N]["answer"]>;

export interface RequestOptions {
  /** What messages call the object. */
  readonly label?: unknown;
  /** Called before each attempt. */
  readonly sent?: () => void;
  /** How often the request is sent again at most; a 429 does not count. Default: the setting. */
  readonly maxRetries?: number;
  /** Whether it follows another request of the same update, which may keep the service busy. */
  readonly isFollowUp?: boolean;
}

/** What a request of an operation needs. */
export interface Given {
  /** If the path has one. */
  readonly id?: string;
  /** If the operation has one. */
  readonly body?: wire.WireObject;
  readonly options?: RequestOptions;
}

export interface Call extends Given {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly serviceId: string;
  readonly path: string;
  /** As messages name it: `create pipe "orders"`. */
  readonly attempt: string;
  readonly options: RequestOptions;
}

export function callOf(name: OperationName, scope: ServiceScope, given: Given = {}): Call {
  const operation: Operation = OPERATIONS[name];
  const { id, body, options = {} } = given;
  const { organizationId, serviceId } = scope;
  const servicePath = `/v1/organizations/${encoded(organizationId)}/services/${encoded(serviceId)}`;
  const ownPath = id === undefined ? operation.path : operation.path.replace("{id}", () => encoded(id));
  const isCreate = operation.kind === "create";
  const label = options.label ?? (isCreate ? (body?.["name"] ?? body?.["description"]) : "");
  const object = labeled(label, id ?? (isCreate ? "" : serviceId));
  const attempt = `${operation.does} ${object}`.trim();
  return { name, operation, serviceId, id, path: `${servicePath}${ownPath}`, body, attempt, options };
}

/** Identifies a service in any format of its IDs. */
export const scopeKey = ({ organizationId, serviceId }: ServiceScope): string =>
  idKey(`${organizationId}/${serviceId}`);

function labeled(label: unknown, id: string): string {
  if (typeof label !== "string" || label === "") return id;
  return id === "" ? quoted(label) : `${quoted(label)} (${id})`;
}

/** An ID as one segment of a path, which it cannot change. */
function encoded(id: string): string {
  if (!["", ".", ".."].includes(id) && id.isWellFormed()) return encodeURIComponent(id);
  const refused = `${JSON.stringify(id)} is not a valid ID: the provider sent nothing.`;
  throw new DatapipesError("invalid-argument", refused, { finding: "not-found" });
}
