import type { LoggedRequest } from "../../simulator/src/index";

/** The runs of the CLI, in order. Each runs again without the faults. */
export const RUNS = ["create", "update", "refresh", "function"] as const;
export type RunName = (typeof RUNS)[number];

/** The resources of a scenario, each with a service of its own. */
export const KINDS = ["pipe", "endpoint", "settings"] as const;
export type Kind = (typeof KINDS)[number];

/** An operation of the provider whose request to the API fails. */
export interface Operation {
  readonly run: RunName;
  readonly kind: Kind;
  /** The request that the fault hits. */
  readonly request: NonNullable<LoggedRequest["operationId"]>;
  /** Its name in the report. */
  readonly title: string;
}

const NEW_ENDPOINT = "Create of a reverse private endpoint";
const NEW_SETTINGS = "Update of the settings of a service";

export const operations: readonly Operation[] = [
  { run: "create", kind: "pipe", request: "createPipe", title: "Create of a pipe" },
  { run: "create", kind: "endpoint", request: "createReversePrivateEndpoint", title: NEW_ENDPOINT },
  { run: "update", kind: "pipe", request: "updatePipe", title: "Update of a pipe" },
  { run: "update", kind: "settings", request: "updateService", title: NEW_SETTINGS },
  { run: "refresh", kind: "pipe", request: "listPipes", title: "Refresh" },
  { run: "function", kind: "pipe", request: "listPipes", title: "Data function `getPipes`" },
];
