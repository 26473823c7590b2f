import type { Fault as SimulatorFault, FaultKind } from "../../../simulator/src/index";

type OperationId = SimulatorFault["operationId"];

/**
 * What the provider can know after a failure, as in `docs/reference/retries.md`.
 *
 * - `none`: the answer can be used.
 * - `rate-limit`: the request was not carried out, and can be sent again soon.
 * - `lost`: the request may have been carried out. Another one may get an answer.
 * - `unclear`: the request may have been carried out. Another one would get the same answer.
 * - `refused`: the request was not carried out.
 */
type Failure = "none" | "rate-limit" | "lost" | "unclear" | "refused";

/** What happens to one request. */
export interface Fault {
  readonly name: string;
  readonly failure: Failure;
  readonly kind: FaultKind;
  /** Whether the server carries out the request. */
  readonly isDone: boolean;
}

/** The timeout of a request. A shorter timeout fails without any fault on a busy machine. */
export const REQUEST_TIMEOUT_SECONDS = 10;
const TOO_SLOW_MS = 14_000;

const fault = (name: string, failure: Failure, kind: FaultKind, isDone = false): Fault => ({
  name,
  failure,
  kind,
  isDone,
});

/** The same fault for a request that the server does not carry out, and for one that it does. */
const both = (name: string, failure: Failure, kind: Extract<FaultKind, { processed?: boolean }>): Fault[] => [
  fault(`${name}, nothing done`, failure, kind),
  fault(`${name}, done`, failure, { ...kind, processed: true }, true),
];

/** Every kind of fault of the simulator. */
export const FAULTS: readonly Fault[] = [
  fault("slow, in time", "none", { kind: "slow", ms: 300 }, true),
  fault("wrong-content-type", "none", { kind: "wrong-content-type" }, true),
  fault("rate-limit", "rate-limit", { kind: "rate-limit" }),
  fault("rate-limit without headers", "rate-limit", { kind: "rate-limit", headers: false }),
  ...both("status 503", "lost", { kind: "status", status: 503 }),
  ...both("html 504", "lost", { kind: "html" }),
  fault("reset-before", "lost", { kind: "reset-before" }),
  fault("reset-after", "lost", { kind: "reset-after" }, true),
  fault("slow, too slow", "lost", { kind: "slow", ms: TOO_SLOW_MS }, true),
  fault("slow-body, too slow", "lost", { kind: "slow-body", ms: TOO_SLOW_MS }, true),
  fault("hang", "lost", { kind: "hang" }),
  ...both("status 500", "unclear", { kind: "status", status: 500 }),
  ...both("wrong-envelope 500", "unclear", { kind: "wrong-envelope" }),
  ...both("bad-json", "unclear", { kind: "bad-json" }),
  fault("status 403", "refused", { kind: "status", status: 403 }),
  fault("echo 400", "refused", { kind: "echo", withAuthorization: true }),
  fault("redirect 307", "refused", { kind: "redirect", location: "http://127.0.0.1:9/" }),
];

function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`no fault is named ${name}`);
  return found;
}

/** A failure of each kind, which `npm test` has. */
export const OF_EACH_KIND = ["rate-limit", "reset-after", "html 504, done", "bad-json, done", "echo 400"].map(
  faultNamed,
);

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

export const rowsOf = (faults: readonly Fault[]): readonly Row[] =>
  OPERATIONS.flatMap((operation) =>
    faults
      // Whether a server carries out a read makes no difference.
      .filter(({ kind }) => operation.request !== "listPipes" || !("processed" in kind))
      .map((one) => ({ title: `${operation.request}, ${one.name}`, operation, fault: one })),
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
  const succeeds = failure === "none" || isRepeated || isFound;
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
