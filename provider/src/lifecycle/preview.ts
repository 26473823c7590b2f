import type { CheckResult } from "./definition";
import { isNamedByReplace, type LifecycleOfStack } from "./replaced-adoption";
import type { Failure } from "./validation";

/** Logs what the run will do with a checked resource. Returns why it cannot adopt what it names. */
export async function preview(
  { inputs, failures, adopts = false, resource: { key, creation } }: CheckResult,
  lifecycle: LifecycleOfStack,
): Promise<readonly Failure[]> {
  if (failures.length > 0) return [];
  const { definition, context, stack } = lifecycle;
  const { adopt } = inputs;
  const isNew = adopts && typeof adopt === "string" && (await isNamedByReplace(lifecycle, key, adopt));
  // The engine deletes what the replaced one has, if its policy says so.
  if (isNew) context.ids.release({ type: definition.type, id: adopt, key });
  const resource = { key, ...(isNew ? { creation: { stack } } : creation && { creation }) };
  for (const line of (await definition.previewWarnings?.(resource, inputs)) ?? []) context.warn(line);
  if (!adopts || isNew) return [];
  context.trackSecrets(inputs);
  const adoption = await definition.previewAdoption?.(inputs);
  for (const line of adoption?.lines ?? []) context.log(line);
  return adoption?.failures ?? [];
}
