import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
import { storedResources } from "../../../provider/src/lifecycle/stack";
import { SameLoads, type World } from "../../../provider/src/resources/pipe/same-load";
import { exportedResource, exportOf } from "../../kit/deployment";
import { serviceId } from "../../kit/lifecycle";
import { minimal } from "../../kit/pipes";

export const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";

/** All pipes load the same, unless a test says otherwise. */
export const args = (more: PropertyMap = {}): PropertyMap => ({ ...minimal.kafka, serviceId, ...more });

const programPipe = (name: string, inputs: PropertyMap, isCreated: boolean) => ({
  name,
  inputs: { name, ...inputs },
  isCreated,
});
export const newPipe = (name: string, inputs = args()) => programPipe(name, inputs, true);
export const existingPipe = (name: string, inputs = args()) => programPipe(name, inputs, false);

export const stackPipe = (name: string, inputs = args(), more: Parameters<typeof exportedResource>[2] = {}) =>
  exportedResource(name, ID, { inputs: { name, ...inputs }, outputs: { state: "Running" }, ...more });

/** As the API lists it: without the service. */
export function servicePipe(name: string, state = "Running") {
  const { serviceId: _, ...pipe } = args();
  return { ...pipe, id: ID, name, state };
}

export interface Case {
  readonly claim: string;
  /** The pipes of the program, in the order of their checks. */
  readonly program: readonly ReturnType<typeof programPipe>[];
  readonly stack?: readonly ReturnType<typeof stackPipe>[];
  readonly service?: readonly ReturnType<typeof servicePipe>[];
  readonly list?: "complete" | "incomplete" | "behind" | "unread";
  /** The ID of a pipe that this run has created. */
  readonly made?: string;
  /** By the name in the program. */
  readonly refusals?: Readonly<Record<string, string>>;
}

function worldOf({ stack = [], service = [], list = "complete", made }: Case): World {
  const pipes = new Map(service.map((pipe) => [pipe.id, pipe]));
  return {
    stored: storedResources(exportOf(stack)),
    list: list === "unread" ? undefined : { pipes, isComplete: list !== "incomplete" },
    mayBeUnlisted: () => list === "behind",
    isMade: (id) => id === made,
  };
}

/** What the checks of a program say, by the name of the pipe. */
export function refusalsOf(given: Case): Record<string, string> {
  const sameLoads = new SameLoads();
  const world = worldOf(given);
  const refusals = given.program.map(({ name, inputs, isCreated }) => {
    const key = name.includes("::") ? name : `Pipe::${name}`;
    sameLoads.declare(key, inputs, isCreated);
    return [name, sameLoads.mayBeRefused(key) ? sameLoads.refusal(key, world) : undefined] as const;
  });
  return Object.fromEntries(
    refusals.flatMap(([name, refusal]) => (refusal === undefined ? [] : [[name, refusal]])),
  );
}
