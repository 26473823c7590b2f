import { changesOfProgram } from "../../../provider/src/lifecycle/comparison/changes";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { Program, type Comparison } from "../../../provider/src/lifecycle/program/program";
import { storedResources } from "../../../provider/src/lifecycle/program/stack";
import { refusalOf } from "../../../provider/src/resources/pipe/same-load";
import type { PipeList } from "../../../provider/src/resources/pipe/list";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";
import { exportedResource, exportOf } from "../../kit/deployment";
import { serviceId, withProperty } from "../../kit/lifecycle";
import { minimal, tableMapping } from "../../kit/pipes";

export const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";

/** All pipes load the same, unless a test says otherwise. */
export const args = (more: PropertyMap = {}): PropertyMap => ({ ...minimal.kafka, serviceId, ...more });

/** What the engine and this process do with a resource of the program before the next one is checked. */
interface ProgramPipe {
  readonly name: string;
  readonly inputs: PropertyMap;
  /** The inputs and the ID in the stack. */
  readonly before?: { readonly id: string; readonly inputs: PropertyMap; readonly state?: string };
  readonly isReplaced?: boolean;
  /** What has happened when the run compares the last pipe before its request. */
  readonly status?: "declared" | "started" | "refused";
  readonly written?: { readonly id: string; readonly isNew: boolean; readonly current: PropertyMap };
}

export const newPipe = (name: string, inputs = args(), more: Partial<ProgramPipe> = {}): ProgramPipe => ({
  name,
  inputs: { name, ...inputs },
  ...more,
});

/** A pipe of the stack whose inputs may change. */
export const existingPipe = (
  name: string,
  inputs = args(),
  more: Partial<ProgramPipe> & { readonly id?: string; readonly oldInputs?: PropertyMap } = {},
): ProgramPipe => {
  const { id = ID, oldInputs = inputs, ...others } = more;
  return { name, inputs: { name, ...inputs }, before: { id, inputs: { name, ...oldInputs } }, ...others };
};

export const stackPipe = (name: string, inputs = args(), more: Parameters<typeof exportedResource>[2] = {}) =>
  exportedResource(name, ID, { inputs: { name, ...inputs }, outputs: { state: "Running" }, ...more });

/** As the API lists it: without the service. */
export function servicePipe(name: string, more: PropertyMap = {}) {
  const { serviceId: _, ...pipe } = args();
  return { ...pipe, id: ID, name, state: "Running", ...more };
}

export const OTHER_ID = "0a1b2c3d-0000-4000-8000-00000000bbbb";
export const ALLOWING = args({ replacementPolicy: "allow" });
export const returning = (more: PropertyMap = {}): PropertyMap =>
  withProperty(args(more), "source.kafka.topics", "returns");
export const UNKNOWN_SOURCE = args({ source: { kafka: { brokers: UNKNOWN, topics: UNKNOWN } } });

export const storage = (path: string): PropertyMap => ({
  source: { objectStorage: { azureContainerName: "in", path } },
  destination: { table: "orders" },
  serviceId,
});

export const tables = (...names: string[]): PropertyMap =>
  withProperty(
    { ...minimal.postgres, serviceId },
    "source.postgres.tableMappings",
    names.map((name) => tableMapping(name)),
  );

/** The pipe "orders" of the service with these arguments. */
export function listed(inputs: PropertyMap, more: PropertyMap = {}) {
  const { serviceId: _, ...pipe } = inputs;
  return servicePipe("orders", { ...pipe, ...more });
}

export const UNMANAGED = { service: [servicePipe("orders")] };
/** The pipe "orders" is in the stack and in the service. */
export const MANAGED = { stack: [stackPipe("orders")], ...UNMANAGED };

export const refused = (name: string, other: string, wayOut: string): string =>
  `pipe "${name}" would load the same source into the same table as ${other}. ${wayOut}. To load the data twice, set replacementPolicy: "allow".`;
export const ORDERS = `pipe "orders" (${ID})`;
export const REMOVE = "Remove this resource, or give it another table";
export const ADOPT = `To manage that pipe, set adopt: "${ID}", unless another stack manages it`;

export interface Case {
  readonly claim: string;
  /** The pipes of the program in the order of their checks. The last one is compared. */
  readonly program: readonly ProgramPipe[];
  readonly stack?: readonly ReturnType<typeof stackPipe>[] | "unread";
  readonly service?: readonly ReturnType<typeof servicePipe>[];
  readonly unidentified?: readonly PropertyMap[];
  readonly list?: "complete" | "incomplete" | "behind" | "unread";
  /** What the last one is compared with, if not with its inputs in the stack. */
  readonly comparison?: Comparison;
  /** Before its request, not at its check. */
  readonly isRequest?: boolean;
  readonly refusal?: string;
}

/** The engine compares a resource with its state after the check. */
function tell(program: Program, pipe: ProgramPipe, isChecked: boolean): string {
  const { name, inputs, before, isReplaced = false, status, written } = pipe;
  const key = name.includes("::") ? name : `Pipe::${name}`;
  program.declare({ key, type: "Pipe", inputs }, before?.inputs);
  if (before !== undefined && (isChecked || isReplaced)) {
    const state = { ...before.inputs, state: before.state ?? "Running" };
    const changes = changesOfProgram(pipeFields, { declared: before.inputs, observed: {} }, inputs);
    program.compare(key, { id: before.id, state, inputs, changes }, isReplaced);
  }
  if (isReplaced) program.declare({ key, type: "Pipe", inputs });
  if (written !== undefined) program.recordWrite(key, written);
  if (status !== undefined) program.edit(key, { status });
  return key;
}

/** Why the last pipe of a program may not be created or changed. */
export function refusalIn(given: Omit<Case, "claim">): string | undefined {
  const { stack = [], service = [], unidentified = [], list = "complete", isRequest = false } = given;
  const program = new Program();
  const keys = given.program.map((pipe, index) =>
    tell(program, pipe, isRequest || index < given.program.length - 1),
  );
  const key = keys.at(-1) ?? "";
  if (given.comparison !== undefined) program.edit(key, { comparison: given.comparison });
  const last = program.of(key);
  if (last === undefined) throw new Error("The program has no pipe.");
  const pipes = new Map(service.map((pipe) => [pipe.id, pipe]));
  const complete: PipeList = { pipes, unidentified, isComplete: list !== "incomplete" };
  return refusalOf(last, {
    program,
    stack: stack === "unread" ? undefined : storedResources(exportOf(stack)),
    list: list === "unread" ? undefined : complete,
    mayBeUnlisted: () => list === "behind",
    isCheck: !isRequest,
  });
}

export const expectRefusal = (given: Omit<Case, "claim">): void => {
  expect(refusalIn(given)).toBe(given.refusal);
};
