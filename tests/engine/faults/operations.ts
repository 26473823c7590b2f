import type { Fault, FaultKind } from "../../../simulator/src/index";

/** Each has a service of its own for each fault, by which its requests are found. */
export const RESOURCES = ["pipe", "endpoint", "settings"] as const;
export type Resource = (typeof RESOURCES)[number];

export const COMMANDS = ["create", "update", "refresh"] as const;
export type Command = (typeof COMMANDS)[number];

/** An operation of the provider, by its request. */
interface Operation {
  readonly request: Fault["operationId"];
  readonly command: Command;
  readonly resource: Resource;
}

export const OPERATIONS: readonly Operation[] = [
  { request: "createPipe", command: "create", resource: "pipe" },
  { request: "createReversePrivateEndpoint", command: "create", resource: "endpoint" },
  { request: "updatePipe", command: "update", resource: "pipe" },
  { request: "updateService", command: "update", resource: "settings" },
  { request: "listPipes", command: "refresh", resource: "pipe" },
];

/** What happens to the first request of an operation. `api/client` has the other faults of these kinds. */
export const FAULTS: readonly { readonly fault: string; readonly kind: FaultKind }[] = [
  { fault: "rate-limit", kind: { kind: "rate-limit" } },
  { fault: "reset-after", kind: { kind: "reset-after" } },
  { fault: "bad-json", kind: { kind: "bad-json", processed: true } },
  { fault: "echo 400", kind: { kind: "echo", withAuthorization: true } },
];
