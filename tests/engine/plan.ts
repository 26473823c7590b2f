import type { Run } from "../kit/cli";
import { isNative } from "../kit/program";
import type { TestStack } from "../kit/stack";

export const nameIn = (urn: string): string => urn.split("::").at(-1) ?? "";

interface PreviewJson {
  steps?: { op: string; urn: string; oldState?: { id?: string; retainOnDelete?: boolean } }[];
  diagnostics?: { message: string }[];
}

export function previewOf({ stdout }: Run) {
  const { steps = [], diagnostics = [] } = JSON.parse(stdout) as PreviewJson;
  return {
    /** `id` is the one before, and `retains` whether the preview shows `delete[retain]`, which the native plugin cannot set. */
    steps: steps.map(({ op, urn, oldState }) => ({
      op,
      urn,
      id: oldState?.id,
      retains: isNative ? undefined : oldState?.retainOnDelete === true,
    })),
    lines: diagnostics.map(({ message }) => message),
  };
}

export type Preview = ReturnType<typeof previewOf>;

export async function planOf(stack: TestStack) {
  const run = await stack.preview({ json: true, flags: ["--show-replacement-steps"] });
  const { steps, lines } = previewOf(run);
  /** For each resource of this package that is not left as it is, the operations in their order, by its logical name. */
  const planned: Record<string, string[]> = {};
  for (const { op, urn } of steps)
    if (op !== "same" && urn.includes("datapipes:")) (planned[nameIn(urn)] ??= []).push(op);
  return { steps: planned, lines };
}

export const CREATE_FIRST = ["create-replacement", "replace", "delete-replaced"];
export const DELETE_FIRST = ["delete-replaced", "replace", "create-replacement"];
