import type * as pulumi from "@pulumi/pulumi";
import { perProgram } from "../per-program";
import { Provider } from "../provider";
import { HIDDEN_INPUTS } from "./hidden-inputs";

/** What the SDK knows of a resource and leaves out of its types. */
interface SdkResource {
  readonly __name?: string;
  readonly __pulumiType?: string;
  readonly __parentResource?: SdkResource;
}

const STACK_TYPE = "pulumi:pulumi:Stack";

/** By type and key the resource that has the key, as the engine tells resources apart. */
const ownersOfProgram = perProgram(() => new Map<string, string>());

/** Whether the program declares the resource, and does not only read one that exists. */
export const isDeclared = ({ id, urn }: pulumi.CustomResourceOptions): boolean =>
  id === undefined && urn === undefined;

/** What the plugin process needs and the engine does not pass on: which resource of the program this is. `check` takes it out. */
export function hiddenInputsOf(type: string, name: string, opts: pulumi.CustomResourceOptions): object {
  if (!isDeclared(opts)) return {};
  const provider = opts.provider ?? opts.parent?.getProvider(DYNAMIC_MODULE);
  const given = Provider.isInstance(provider) ? provider.given : undefined;
  return {
    [HIDDEN_INPUTS.key]: keyOf(type, name, opts.parent),
    ...(given && given.names.length > 0 && { [HIDDEN_INPUTS.given]: given }),
    ...((opts.replaceWith?.length ?? 0) > 0 && { [HIDDEN_INPUTS.replaceWith]: true }),
  };
}

/** What the SDK finds a provider by: any type of the package of dynamic resources. */
const DYNAMIC_MODULE = "pulumi-nodejs:dynamic/datapipes:Pipe";

/**
 * The name of a resource that no other of its type has in the program: the logical names from the outermost parent on. The
 * engine also tells parents of one name apart by their types; then the second key says its types, too.
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

/** The outermost first, without the stack. */
function parentsOf(parent: SdkResource | undefined): readonly SdkResource[] {
  if (parent === undefined || parent.__pulumiType === STACK_TYPE) return [];
  return [...parentsOf(parent.__parentResource), parent];
}
