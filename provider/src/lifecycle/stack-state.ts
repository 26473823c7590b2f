import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { partsOf } from "../pulumi/resource-urn";
import { withoutModule } from "../pulumi/type-tokens";
import { isMap, type PropertyMap } from "./property-value";
import { resourceKey } from "./resource-key";

/** A resource as the state of a stack holds it. Secrets in it are encrypted, as objects. */
export interface StoredResource {
  readonly urn: string;
  readonly id: string;
  /** See `resourceKey`. */
  readonly key: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** An earlier run has deleted what it managed, and not created its replacement yet. */
  readonly awaitsReplacement: boolean;
  /** Pulumi keeps what the resource manages when it is no longer declared. */
  readonly retains: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

const properties = z.custom<PropertyMap>(isMap);

const exported = z.looseObject({
  /** A stack that no run has changed has none. */
  deployment: z
    .looseObject({
      resources: z
        .array(
          z.looseObject({
            urn: z.string(),
            type: z.string(),
            id: z.string().optional(),
            inputs: properties.optional(),
            outputs: properties.optional(),
            /** The program only reads it. */
            external: z.boolean().optional(),
            /** It is replaced already. */
            delete: z.boolean().optional(),
            pendingReplacement: z.boolean().optional(),
            retainOnDelete: z.boolean().optional(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

/** The resources of a type, in either form, that an exported stack manages. */
export function storedResources(text: string, type: string): readonly StoredResource[] {
  const { resources } = exported.parse(JSON.parse(text)).deployment ?? {};
  return (resources ?? []).flatMap(
    ({ urn, id, inputs = {}, outputs = {}, retainOnDelete: retains = false, ...resource }) => {
      const { parents, name } = partsOf(urn);
      const isManaged = resource.external !== true && resource.delete !== true;
      if (id === undefined || !isManaged || withoutModule(resource.type) !== type) return [];
      const key = resourceKey([...parents, resource.type], name);
      const awaitsReplacement = resource.pendingReplacement === true;
      return [{ urn, id, key, inputs, outputs, awaitsReplacement, retains }];
    },
  );
}

/**
 * The state of a stack, in the text of `pulumi stack export`: the engine tells a provider nothing about what the program no longer
 * declares. Undefined if the CLI is not on the PATH, or cannot read the stack.
 */
export async function exportStack(
  stack: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // The CLI of the run writes its log of calls to this file.
  const { PULUMI_DEBUG_GRPC: _, ...env } = environment;
  try {
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const options = {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: TIMEOUT_MS,
    };
    return (await promisify(execFile)("pulumi", args, options)).stdout;
  } catch {
    return undefined;
  }
}
