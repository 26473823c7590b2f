import path from "node:path";
import { exampleCases, simulatorOf } from "./cases";
import { examplesFolder } from "../kit/program";
import type { Simulator } from "../kit/simulator";
import { newStack, type StackOptions, type TestStack } from "../kit/stack";

type Configured = Pick<StackOptions, "simulator" | "config" | "secrets" | "cold">;

/** A stack of an example, and its simulator. Those that exist in YAML, too, are configured as there. */
export async function stackOf(
  example: string,
  { simulator, ...configured }: Configured = {},
): Promise<{ simulator: Simulator; stack: TestStack }> {
  const { config = {}, secrets = {} } = exampleCases[example] ?? {};
  const service = simulator ?? (await simulatorOf(example));
  const copyOf = path.join(examplesFolder, example);
  return {
    simulator: service,
    stack: await newStack({ simulator: service, copyOf, config, secrets, ...configured }),
  };
}

/** The types of a program have been checked by its first run. */
export const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
export async function destroy(stack: TestStack): Promise<void> {
  await stack.destroy();
  expect((await stack.export()).resources).toEqual([]);
}
