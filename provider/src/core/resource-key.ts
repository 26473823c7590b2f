import type * as pulumi from "@pulumi/pulumi";
import { perProgram } from "../per-program";
import { Provider } from "../provider";
import { typeToken } from "../type-tokens";
import { HIDDEN_INPUTS } from "./hidden-inputs";

/** Members that the SDK sets and does not declare. */
interface SdkResource {
  readonly __name?: string;
  readonly __pulumiType?: string;
  readonly __parentResource?: SdkResource;
}

const STACK_TYPE = "pulumi:pulumi:Stack";

/** The identity of the resource that has a key, by type and key. */
const ownersOfProgram = perProgram(() => new Map<string, string>());

/** Whether the program declares the resource, and does not only read it. */
export const isDeclared = ({ id, urn }: pulumi.CustomResourceOptions): boolean =>
  id === undefined && urn === undefined;

export function hiddenInputsOf(type: string, name: string, opts: pulumi.CustomResourceOptions): object {
  if (!isDeclared(opts)) return {};
  const provider = opts.provider ?? opts.parent?.getProvider(DYNAMIC_MODULE);
  const given = Provider.isInstance(provider) ? provider.given : undefined;
  return {
    [HIDDEN_INPUTS.key]: keyOf(type, name, opts.parent),
    ...(given && given.names.length > 0 && { [HIDDEN_INPUTS.given]: given }),
    ...((opts.replaceOnChanges?.length ?? 0) > 0 && {
      [HIDDEN_INPUTS.replaceOnChanges]: opts.replaceOnChanges,
    }),
    ...((opts.replaceWith?.length ?? 0) > 0 && { [HIDDEN_INPUTS.replaceWith]: true }),
  };
}

/** The SDK looks up a provider by a type of its package. */
const DYNAMIC_MODULE = typeToken("Pipe");

/**
 * A unique name of a resource among those of its type: the logical names, the outermost parent first. If only the types of the
 * parents differ, the second key adds them.
 */
export function keyOf(type: string, name: string, parent: pulumi.Resource | undefined): string {
  const parents = parentsOf(parent as SdkResource | undefined);
  const key = [...parents.map(({ __name }) => __name), name].join("/");
  const types = [...parents.map(({ __pulumiType }) => __pulumiType), type].join("$");
  const identity = `${types}::${name}`;
  const owners = ownersOfProgram();
  const place = `${type} ${key}`;
  const owner = owners.get(place) ?? identity;
  owners.set(place, owner);
  return owner === identity ? key : `${key} (${types})`;
}

/** The outermost parent first, without the stack. */
function parentsOf(parent: SdkResource | undefined): readonly SdkResource[] {
  if (parent === undefined || parent.__pulumiType === STACK_TYPE) return [];
  return [...parentsOf(parent.__parentResource), parent];
}
