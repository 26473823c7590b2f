import { hostFolder, plugins } from "../kit/sdk";
import { newStack, type StackOptions, type TestStack } from "../kit/stack";

/** A program in YAML; JSON is YAML as well. Its plugins are the built one, unless it names others. */
export type YamlProgram = Readonly<
  Partial<Record<"plugins" | "config" | "variables" | "resources" | "outputs", object>>
>;

export const yamlProject = (program: YamlProgram): string =>
  JSON.stringify({ name: "datapipes-test", runtime: "yaml", plugins, ...program }, undefined, 2);

export async function newYamlStack(
  program: YamlProgram,
  options: Omit<StackOptions, "program" | "files" | "copyOf"> = {},
): Promise<TestStack> {
  const path = [await hostFolder("yaml"), ...(options.path ?? [])];
  return newStack({ ...options, path, files: { "Pulumi.yaml": yamlProject(program) } });
}

export const rewrite = (stack: TestStack, program: YamlProgram): Promise<void> =>
  stack.writeFile("Pulumi.yaml", yamlProject(program));
