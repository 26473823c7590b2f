import type { Json } from "../kit/json";
import { takeWrites, type Simulator } from "../kit/simulator";
import type { Run } from "../kit/cli";
import type { TestStack } from "../kit/stack";

export const pipeNames = (simulator: Simulator): ReadonlyMap<string, string> =>
  new Map(simulator.control.state().pipes.map(({ id, name }) => [id, name]));

/** Methods and bodies of the writes since the last look at the requests, by the pipe's name: that of the map, or of the body. */
export function writesByPipe(
  simulator: Simulator,
  names: ReadonlyMap<string, string> = pipeNames(simulator),
): Record<string, [method: string, body: Json][]> {
  const writes: Record<string, [string, Json][]> = {};
  for (const { method, path, body } of takeWrites(simulator)) {
    const { name } = (body ?? {}) as { name?: string };
    const id = path.split("/").at(-1) ?? "";
    (writes[names.get(id) ?? name ?? path] ??= []).push([method, body]);
  }
  return writes;
}

export const expectNoChanges = (stack: TestStack): Promise<Run> =>
  stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

/** The output from the diagnostics on, in one line: the display shows each line once more during the run. */
export const diagnosticsOf = (output: string): string =>
  output.slice(output.lastIndexOf("Diagnostics:")).replace(/\s+/g, " ");

/** How a preview shows each deletion, by its logical name. */
export function deletionsIn(output: string): Record<string, string> {
  const lines = output.matchAll(/datapipes:(?:index:)?\w+ (\S+) (delete\S*)/g);
  return Object.fromEntries([...lines].map(([, name = "", operation = ""]) => [name, operation]));
}
