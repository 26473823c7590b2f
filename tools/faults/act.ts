import type { LoggedRequest } from "../../simulator/src/index";

type OperationId = NonNullable<LoggedRequest["operationId"]>;

/** One thing that a user does, whose requests meet a fault. */
export interface Act {
  /** As the table names it. */
  readonly title: string;
  /** The operation that meets the fault. */
  readonly operationId: OperationId;
  /** The operations that are counted: it, and what the provider does because of it. */
  readonly counted: readonly OperationId[];
  /** What an error says was attempted. */
  readonly attempt: RegExp;
  /** The start of the resource's logical name; without it the program itself asks. */
  readonly resource?: "pipe" | "endpoint" | "settings";
  /** Whether it only reads. */
  readonly reads: boolean;
}

/** Acts of one run of the CLI, each on a resource of its own. */
export interface Phase {
  readonly name: string;
  readonly command: "up" | "refresh";
  /** Which of its versions the program declares. */
  readonly version: 1 | 2;
  /** Whether the program calls the data function. */
  readonly asks: boolean;
  readonly acts: readonly Act[];
}

const createPipe: Act = {
  title: "Create of a pipe",
  operationId: "createPipe",
  counted: ["createPipe", "listPipes"],
  attempt: /^create pipe "pipe-\d+" failed: POST \S+\/pipes /,
  resource: "pipe",
  reads: false,
};

const createEndpoint: Act = {
  title: "Create of a reverse private endpoint",
  operationId: "createReversePrivateEndpoint",
  counted: ["createReversePrivateEndpoint"],
  attempt: /^create reverse private endpoint ".*" failed: POST \S+\/pipesReversePrivateEndpoints /,
  resource: "endpoint",
  reads: false,
};

const updatePipe: Act = {
  title: "Update of a pipe",
  operationId: "updatePipe",
  counted: ["updatePipe", "listPipes", "getPipeSettings"],
  attempt: /^update pipe "pipe-\d+" \(\S+\) failed: PATCH \S+\/pipes\/\S+ /,
  resource: "pipe",
  reads: false,
};

const updateService: Act = {
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

/** All acts, in the order in which they are played. */
export const phases: readonly Phase[] = [
  { name: "create", command: "up", version: 1, asks: false, acts: [createPipe, createEndpoint] },
  { name: "update", command: "up", version: 2, asks: false, acts: [updatePipe, updateService] },
  {
    name: "refresh",
    command: "refresh",
    version: 2,
    asks: false,
    acts: [{ ...listed, title: "Refresh", resource: "pipe" }],
  },
  {
    name: "function",
    command: "up",
    version: 2,
    asks: true,
    acts: [{ ...listed, title: "Data function `getPipes`" }],
  },
];
