import type { CheckResult, ProviderContext, ResourceDefinition } from "./definition";
import type { Failure } from "./validation";

/** Logs what the run will do with a checked resource. Returns why it cannot adopt what it names. */
export async function preview(
  { inputs, failures, adopts, resource }: CheckResult,
  definition: ResourceDefinition,
  context: ProviderContext,
): Promise<readonly Failure[]> {
  if (failures.length > 0) return [];
  for (const line of (await definition.previewWarnings?.(resource, inputs)) ?? []) context.warn(line);
  if (adopts !== true) return [];
  context.trackSecrets(inputs);
  const adoption = await definition.previewAdoption?.(inputs);
  for (const line of adoption?.lines ?? []) context.log(line);
  return adoption?.failures ?? [];
}
