import { UNKNOWN, type PropertyMap } from "../../../provider/src/lifecycle/property-value";
import { SameLoads, type World } from "../../../provider/src/resources/pipe/same-load";
import { storedResources } from "../../../provider/src/lifecycle/stack";
import { exportedResource, exportOf } from "../../kit/deployment";
import { serviceId } from "../../kit/lifecycle";
import { minimal, tableMapping } from "../../kit/pipes";
import { withValue } from "../../kit/json";

export const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
const TOPIC = "source.kafka.topics";

export const kafka = (more: PropertyMap = {}): PropertyMap => ({ serviceId, ...minimal.kafka, ...more });
export const postgres = (...tables: string[]): PropertyMap => ({
  serviceId,
  ...withValue(
    minimal.postgres,
    "source.postgres.tableMappings",
    tables.map((table) => tableMapping(table)),
  ),
});
export const ALLOW = { replacementPolicy: "allow" };
export const elsewhere = { ...withValue(minimal.kafka, TOPIC, "returns"), serviceId };
export const encrypted: PropertyMap = { ...kafka(), source: { kafka: { ciphertext: "v1:…" } } };
export const unknownSource: PropertyMap = {
  ...kafka(),
  source: { kafka: { brokers: UNKNOWN, topics: UNKNOWN } },
};

/** A pipe of the program: its logical name, which its key may have after types, and whether the run creates it. */
export type Declared = readonly [name: string, inputs: PropertyMap, isCreated: boolean];

export const created = (name: string, inputs = kafka()): Declared => [name, { name, ...inputs }, true];
export const kept = (name: string, inputs = kafka()): Declared => [name, { name, ...inputs }, false];

/** A pipe of the stack. */
export const stored = (name: string, inputs = kafka(), more: Parameters<typeof exportedResource>[2] = {}) =>
  exportedResource(name, ID, { inputs: { name, ...inputs }, outputs: { state: "Running" }, ...more });

/** A pipe of the list, as the API returns it: without the service. */
export function listed(
  name: string,
  state = "Running",
  { serviceId: _, ...pipe }: PropertyMap = kafka(),
  id = ID,
) {
  return { ...pipe, id, name, state };
}

export interface Others {
  readonly stored?: readonly ReturnType<typeof stored>[];
  /** Undefined if it cannot be read. */
  readonly listed?: readonly ReturnType<typeof listed>[] | undefined;
  readonly isComplete?: boolean;
  readonly isBehind?: boolean;
  readonly made?: string;
}

function worldOf(others: Others): World {
  const { isComplete = true, isBehind = false, made } = others;
  const pipes = new Map((others.listed ?? []).map((pipe) => [pipe.id, pipe]));
  const isUnread = "listed" in others && others.listed === undefined;
  return {
    stored: storedResources(exportOf(others.stored ?? [])),
    list: isUnread ? undefined : { pipes, isComplete },
    mayBeUnlisted: () => isBehind,
    isMade: (id) => id === made,
  };
}

/** What the checks say of the pipes of a program, in this order. */
export function refusalsOf(declared: readonly Declared[], others: Others): (string | undefined)[] {
  const sameLoads = new SameLoads();
  const world = worldOf(others);
  return declared.map(([name, inputs, isCreated]) => {
    const key = name.includes("::") ? name : `Pipe::${name}`;
    sameLoads.declare(key, inputs, isCreated);
    return sameLoads.mayBeRefused(key) ? sameLoads.refusal(key, world) : undefined;
  });
}

export const refused = (name: string, other: string, wayOut: string): string =>
  `pipe "${name}" would load the same source into the same table as ${other}. ${wayOut}. To load the data twice, set replacementPolicy: "allow".`;
export const besideProgram = (name: string, other: string, id = ""): string =>
  refused(
    name,
    `pipe "${other}"${id}, resource "${other}" of this program`,
    "Remove this resource, or give it another table",
  );
export const besideStack = (name: string, other: string, also = ""): string =>
  refused(
    name,
    `pipe "${other}" (${ID}), resource "${other}" of the stack`,
    `If "${name}" is that resource, renamed or moved, add the option aliases: ["${exportedResource(other, "").urn}"]${also}. ` +
      "If it is a copy, give it another table",
  );
export const besideService = (name: string, other: string): string =>
  refused(
    name,
    `pipe "${other}" (${ID}), which this stack does not manage`,
    `To manage that pipe, set adopt: "${ID}"`,
  );
export const NAME = ' and the argument name: "orders"';
