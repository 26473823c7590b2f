import type { ProviderContext, ResourceDefinition } from "./definition";
import { adoptsAnother } from "./private-state";
import type { PropertyValue } from "./property-value";

/** What a lifecycle is about, and the stack of its run. */
export interface LifecycleOfStack {
  readonly definition: ResourceDefinition;
  readonly context: ProviderContext;
  readonly stack: string | undefined;
}

/**
 * Whether `--replace` names a resource that has adopted what `adopt` names, so that a new one is created. The engine checks it like a
 * resource that is not in the stack, and asks for no diff: only the state of the stack shows that it is there.
 */
export async function isNamedByReplace(
  { definition: { type }, context, stack }: LifecycleOfStack,
  key: string | undefined,
  adopt: PropertyValue,
): Promise<boolean> {
  if (typeof adopt !== "string") return false;
  const stored = await context.stored(type, stack);
  return stored.some(
    (one) => one.key === key && !one.awaitsReplacement && !adoptsAnother(one.id, one.outputs, adopt),
  );
}
