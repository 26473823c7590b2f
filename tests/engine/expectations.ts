import type { Json } from "../kit/json";
import { takeWrites, type Call, type Simulator } from "../kit/simulator";
import type { Run } from "../kit/cli";
import type { TestStack } from "../kit/stack";

/** A write that a test expects: its method, or method and path; with the body where that matters. */
export type ExpectedWrite = string | readonly [request: string, body: unknown];

/** Expects these writes since the last look at the requests, in this order. */
export function expectWrites(simulator: Simulator, ...expected: readonly ExpectedWrite[]): void {
  const sent = takeWrites(simulator).map((call, index) => comparable(call, expected[index]));
  expect(sent).toEqual(expected);
}

function comparable({ method, path, body }: Call, expected: ExpectedWrite = ""): ExpectedWrite {
  const [request, ...more] = typeof expected === "string" ? [expected] : expected;
  const shown = request.includes(" ") ? `${method} ${path}` : method;
  return more.length === 0 ? shown : [shown, body];
}

export const expectNoWrites = (simulator: Simulator): void => {
  expectWrites(simulator);
};

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
