import { z } from "zod";
import { describeFailure } from "../../../provider/src/core/validation";
import { immutable, updatable } from "../../../provider/src/core/fields";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { Lifecycle, type RunFlags, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import { HIDDEN_INPUTS } from "../../../provider/src/core/hidden-inputs";
import { adoptedId, deletionPolicy, replacementPolicy } from "../../../provider/src/resources/schema-types";
import { recordLines } from "../../../testkit/lines";

export const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";

/** One run of the engine, and its requests to the API. */
export function run(more: Partial<ResourceDefinition> = {}, flags?: RunFlags) {
  const { lines, ...output } = recordLines();
  const requests: string[] = [];
  let made = 0;
  const definition: ResourceDefinition = {
    type: "Thing",
    schema: z.strictObject({
      name: updatable(z.string().optional()),
      place: immutable(z.string().optional()),
      adopt: adoptedId(),
      deletionPolicy: deletionPolicy(),
      replacementPolicy: replacementPolicy(),
    }),
    secretNames: new Set(),
    rules: () => [],
    computed: [],
    create: ({ name, place, adopt }) => {
      made += 1;
      const id = typeof adopt === "string" ? adopt.toLowerCase() : `new-${made}`;
      requests.push(typeof adopt === "string" ? `adopt ${id}` : `create ${id}`);
      return Promise.resolve({ id, current: { name, place } });
    },
    read: () => Promise.resolve(undefined),
    update: ({ id, news }) => {
      requests.push(`update ${id}`);
      return Promise.resolve(news);
    },
    delete: (id, properties) => {
      requests.push(`${properties.deletionPolicy === "delete" ? "delete" : "leave"} ${id}`);
      return Promise.resolve();
    },
    ...more,
  };
  const lifecycle = new Lifecycle(definition, {
    configurationProblems: () => [],
    defaults: () => ({}),
    ...output,
    ...(flags !== undefined && { runFlags: flags }),
  });
  return { lifecycle, lines, requests };
}

/** Flags that the provider instances of a run share, and those that are set. */
export function recordFlags(): { flags: RunFlags; left: Set<string> } {
  const left = new Set<string>();
  const flags: RunFlags = {
    set: (flag) => left.add(flag),
    clear: (flag) => left.delete(flag),
    has: (flag) => left.has(flag),
    claim: () => true,
    keep: () => undefined,
    isKeptElsewhere: () => false,
  };
  return { flags, left };
}

export const named = (key: string, args: PropertyMap): PropertyMap => ({ ...args, [HIDDEN_INPUTS.key]: key });

export const failuresOf = (
  lifecycle: Lifecycle,
  olds: PropertyMap | undefined,
  news: PropertyMap,
): string[] => lifecycle.check(olds, news).failures.map(describeFailure);

/** Creates a resource in a run of its own; what the state has of it. */
export async function deployed(news: PropertyMap): Promise<{ id: string; outputs: PropertyMap }> {
  const { lifecycle } = run();
  return lifecycle.create(lifecycle.check(undefined, news).inputs);
}
