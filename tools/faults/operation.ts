import type { LoggedRequest } from "../../simulator/src/index";

type OperationId = NonNullable<LoggedRequest["operationId"]>;

/** An operation of the provider whose request to the API fails. */
export interface Operation {
  /** Its name in the table. */
  readonly title: string;
  /** The request that the fault hits. */
  readonly operationId: OperationId;
  /** The requests that the table counts: this one, and those that the provider sends because of it. */
  readonly counted: readonly OperationId[];
  /** How an error begins. */
  readonly attempt: RegExp;
  /** The start of the resource's logical name; undefined for a data function. */
  readonly resource?: "pipe" | "endpoint" | "settings";
  /** Whether it reads and writes nothing. */
  readonly reads: boolean;
}

/** One run of the CLI with its operations, each on a resource of its own. */
export interface Phase {
  readonly name: string;
  readonly command: "up" | "refresh";
  /** Which version of its arguments the program declares. */
  readonly version: 1 | 2;
  /** Whether the program calls the data function. */
  readonly callsFunction: boolean;
  readonly operations: readonly Operation[];
}

const createPipe: Operation = {
  title: "Create of a pipe",
  operationId: "createPipe",
  counted: ["createPipe", "listPipes"],
  attempt: /^create pipe "pipe-\d+" failed: POST \S+\/pipes /,
  resource: "pipe",
  reads: false,
};

const createEndpoint: Operation = {
  title: "Create of a reverse private endpoint",
  operationId: "createReversePrivateEndpoint",
  counted: ["createReversePrivateEndpoint"],
  attempt: /^create reverse private endpoint(?: ".*")? failed: POST \S+\/pipesReversePrivateEndpoints /,
  resource: "endpoint",
  reads: false,
};

const updatePipe: Operation = {
  title: "Update of a pipe",
  operationId: "updatePipe",
  counted: ["updatePipe", "listPipes", "getPipeSettings"],
  attempt: /^update pipe (?:\S+|"pipe-\d+" \(\S+\)) failed: PATCH \S+\/pipes\/\S+ /,
  resource: "pipe",
  reads: false,
};

const updateService: Operation = {
  title: "Update of the settings of a service",
  operationId: "updateService",
  counted: ["updateService"],
  attempt: /^update service \S+ failed: PATCH \S+ /,
  resource: "settings",
  reads: false,
};

const listed = {
  operationId: "listPipes",
  counted: ["listPipes"],
  attempt: /^list the pipes of service \S+ failed: GET \S+\/pipes /,
  reads: true,
} as const;

/** All runs of the CLI, in order. */
export const phases: readonly Phase[] = [
  {
    name: "create",
    command: "up",
    version: 1,
    callsFunction: false,
    operations: [createPipe, createEndpoint],
  },
  {
    name: "update",
    command: "up",
    version: 2,
    callsFunction: false,
    operations: [updatePipe, updateService],
  },
  {
    name: "refresh",
    command: "refresh",
    version: 2,
    callsFunction: false,
    operations: [{ ...listed, title: "Refresh", resource: "pipe" }],
  },
  {
    name: "function",
    command: "up",
    version: 2,
    callsFunction: true,
    operations: [{ ...listed, title: "Data function `getPipes`" }],
  },
];
