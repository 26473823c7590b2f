import type { Fault as SimulatorFault, FaultKind } from "../../../simulator/src/index";

type OperationId = SimulatorFault["operationId"];

/**
 * What the provider can know after a failure, as in `docs/reference/retries.md`.
 *
 * - `rate-limit`: the request was not carried out, and can be sent again soon.
 * - `lost`: the request may have been carried out. Another one may get an answer.
 * - `unclear`: the request may have been carried out. Another one would get the same answer.
 * - `refused`: the request was not carried out.
 */
type Failure = "rate-limit" | "lost" | "unclear" | "refused";

/** What happens to one request. */
export interface Fault {
  readonly name: string;
  readonly failure: Failure;
  readonly kind: FaultKind;
  /** Whether the server carries out the request. */
  readonly isDone: boolean;
}

/** Failures of each kind. `api/client` has the other faults that are failures of these kinds. */
export const FAULTS: readonly Fault[] = [
  { name: "rate-limit", failure: "rate-limit", kind: { kind: "rate-limit" }, isDone: false },
  { name: "reset-after", failure: "lost", kind: { kind: "reset-after" }, isDone: true },
  { name: "html 504", failure: "lost", kind: { kind: "html", processed: true }, isDone: true },
  { name: "bad-json", failure: "unclear", kind: { kind: "bad-json", processed: true }, isDone: true },
  { name: "echo 400", failure: "refused", kind: { kind: "echo", withAuthorization: true }, isDone: false },
];

/** Each with a service of its own, by which its requests are found. */
export const RESOURCES = ["pipe", "endpoint", "settings"] as const;
export type Resource = (typeof RESOURCES)[number];

export const COMMANDS = ["create", "update", "refresh"] as const;
export type Command = (typeof COMMANDS)[number];

/** An operation of the provider: the command that runs it, its resource, its request, and how its error begins. */
const operation = (command: Command, resource: Resource, request: OperationId, task: string) => ({
  command,
  resource,
  request,
  error: new RegExp(`^${task} failed: the (?:server returned|provider got) `),
});

export const OPERATIONS = [
  operation("create", "pipe", "createPipe", 'create pipe "pipe-\\d+"'),
  operation(
    "create",
    "endpoint",
    "createReversePrivateEndpoint",
    'create reverse private endpoint(?: ".*")?',
  ),
  operation("update", "pipe", "updatePipe", 'update pipe "pipe-\\d+" \\(\\S+\\)'),
  operation("update", "settings", "updateService", "update service \\S+"),
  operation("refresh", "pipe", "listPipes", "list the pipes of service \\S+"),
];

export type Operation = (typeof OPERATIONS)[number];

/** An operation whose first request has a fault. */
export interface Row {
  readonly title: string;
  readonly operation: Operation;
  readonly fault: Fault;
}

export const ROWS: readonly Row[] = OPERATIONS.flatMap((operation) =>
  FAULTS.map((fault) => ({ title: `${operation.request}, ${fault.name}`, operation, fault })),
);

/** What a run has done. */
export interface Outcome {
  readonly succeeds: boolean;
  /** How often it has sent the request. */
  readonly sent: number;
  /** Whether the state has the ID of an object that exists. */
  readonly isManaged: boolean;
  /** How many objects exist. */
  readonly existing: number;
  /** Whether the managed object is as the program declares it. */
  readonly isAsDeclared: boolean;
}

/**
 * The rule. The provider waits after a refusal by the rate limit. It sends a lost request again, unless it is a create:
 * then it looks for what the create has done, which only pipes allow. All other failures are errors.
 */
export function expectedOf({ operation: { command, request }, fault: { failure, isDone } }: Row): Outcome {
  const isCreate = command === "create";
  const isRepeated = failure === "rate-limit" || (failure === "lost" && !isCreate);
  const isFound = request === "createPipe" && isDone;
  const succeeds = isRepeated || isFound;
  const isManaged = succeeds || !isCreate;
  return {
    succeeds,
    sent: isRepeated ? 2 : 1,
    isManaged,
    existing: isManaged || isDone ? 1 : 0,
    isAsDeclared: succeeds || request === "listPipes" || (!isCreate && isDone),
  };
}

/** Whether it is not known if a create has created something. */
export const isUncertain = ({ operation: { command }, fault: { failure } }: Row): boolean =>
  command === "create" && (failure === "lost" || failure === "unclear");

/** Of the next run, without a fault. The API cannot list endpoints: a lost one stays beside the one that this run creates. */
export function expectedNext(row: Row): Omit<Outcome, "sent"> {
  const { isManaged, existing } = expectedOf(row);
  return { succeeds: true, isManaged: true, existing: isManaged ? 1 : existing + 1, isAsDeclared: true };
}
