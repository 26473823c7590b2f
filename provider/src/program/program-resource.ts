import * as pulumi from "@pulumi/pulumi";
import { Provider } from "./provider";
import { recordInstance } from "./per-program";
import { HIDDEN_INPUTS } from "../lifecycle/state/hidden-inputs";
import { resourceKey, typeToken } from "../lifecycle/state/resource-key";

/** Members that the SDK sets and does not declare. */
interface SdkResource {
  readonly __pulumiType?: string;
  readonly __parentResource?: SdkResource;
}

const STACK_TYPE = "pulumi:pulumi:Stack";

/** Whether the program declares the resource, and does not only read it. */
export const isDeclared = ({ id, urn }: pulumi.CustomResourceOptions): boolean =>
  id === undefined && urn === undefined;

/** The explicit provider of a resource or a call. */
export function providerOf({
  provider,
  parent,
}: Pick<pulumi.InvokeOptions, "provider" | "parent">): Provider | undefined {
  const given = provider ?? parent?.getProvider(DYNAMIC_MODULE);
  return Provider.isInstance(given) ? given : undefined;
}

export function hiddenInputsOf(type: string, name: string, opts: pulumi.CustomResourceOptions): object {
  if (!isDeclared(opts)) return {};
  const stack = stackName();
  return {
    [HIDDEN_INPUTS.key]: keyOf(type, name, opts.parent),
    [HIDDEN_INPUTS.isAlone]: recordInstance(providerOf(opts)),
    ...(stack !== undefined && { [HIDDEN_INPUTS.stack]: stack }),
  };
}

/**
 * The stack, as the option `--stack` takes it. Only Pulumi Cloud has organizations; other backends have one of this
 * name. Undefined in a test without mocks.
 */
function stackName(): string | undefined {
  try {
    const [organization, stack] = [pulumi.getOrganization(), pulumi.getStack()];
    return organization === "organization" ? stack : `${organization}/${pulumi.getProject()}/${stack}`;
  } catch {
    return undefined;
  }
}

/** The SDK looks up a provider by a type of its package. */
const DYNAMIC_MODULE = typeToken("Pipe");

const keyOf = (type: string, name: string, parent: pulumi.Resource | undefined): string =>
  resourceKey([...typesOf(parent as SdkResource | undefined), type], name);

/** The types of a parent and its parents, the outermost first, without the stack. */
function typesOf(resource: SdkResource | undefined): readonly string[] {
  if (resource === undefined || resource.__pulumiType === STACK_TYPE) return [];
  return [...typesOf(resource.__parentResource), resource.__pulumiType ?? ""];
}
