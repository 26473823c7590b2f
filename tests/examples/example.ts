import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { newStack, type RunOptions, type StackOptions, type TestStack } from "../../testkit/stack";

const folder = path.resolve(__dirname, "../../examples");

/** The folders of Pulumi projects. `pipelines` has files to copy into a project. */
export const examples = readdirSync(folder).filter((name) =>
  existsSync(path.join(folder, name, "Pulumi.yaml")),
);

export const textOf = (example: string, file: string): string =>
  readFileSync(path.join(folder, example, file), "utf8");

/** What the first comment of an example asks for, beside the connection to the API. */
type Configured = Pick<StackOptions, "simulator" | "config" | "secrets">;

/** A stack of an example, and its simulator. */
export async function stackOf(
  example: string,
  { simulator, ...configured }: Configured = {},
): Promise<{ simulator: Simulator; stack: TestStack }> {
  const service = simulator ?? (await newSimulator());
  const copyOf = path.join(folder, example);
  return { simulator: service, stack: await newStack({ simulator: service, copyOf, ...configured }) };
}

/** The types of a program have been checked by its first run. */
export const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** Deploys an example, and previews and refreshes it without a difference. */
export async function deploy(stack: TestStack, options?: RunOptions): Promise<void> {
  const { output } = await stack.up(options);
  expect(output).toContain("Outputs:");
  await stack.preview({ expectNoChanges: true, env: transpileOnly });
  await stack.refresh({ flags: ["--expect-no-changes"] });
}

/** Destroys an example, which leaves the stack empty. */
export async function destroy(stack: TestStack): Promise<void> {
  await stack.destroy();
  expect((await stack.export()).resources).toEqual([]);
}
