import type { TestStack } from "./stack";

interface PreviewJson {
  steps: { op: string; urn: string }[];
  diagnostics?: { message: string }[];
}

export async function planOf(stack: TestStack) {
  const { stdout } = await stack.preview({ json: true, flags: ["--show-replacement-steps"] });
  const { steps, diagnostics = [] } = JSON.parse(stdout) as PreviewJson;
  /** For each resource of this package that is not left as it is, the operations in their order, by its logical name. */
  const planned: Record<string, string[]> = {};
  for (const { op, urn } of steps) {
    if (op === "same" || !urn.includes("datapipes:")) continue;
    (planned[urn.split("::").at(-1) ?? ""] ??= []).push(op);
  }
  return { steps: planned, lines: diagnostics.map(({ message }) => message) };
}

export const CREATE_FIRST = ["create-replacement", "replace", "delete-replaced"];
export const DELETE_FIRST = ["delete-replaced", "replace", "create-replacement"];
