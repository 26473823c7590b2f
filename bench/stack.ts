import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { withPulumi } from "../tests/kit/cli";
import { plugins } from "../tests/kit/sdk";
import { newSimulator, servicePath } from "../tests/kit/simulator";
import { newStack, type TestStack } from "../tests/kit/stack";

/** The compared providers: each has its program in `programs/`. */
export const PROVIDERS = ["floor", "ours", "native"] as const;
/** The name of one. */
export type ProviderName = (typeof PROVIDERS)[number];

const PROGRAMS = path.join(__dirname, "programs");

/** A stack of one provider, with its own simulator, before its first `up`. */
export async function stackOf(provider: ProviderName, pipes: number): Promise<TestStack> {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, cold: true });
  for (const file of await readdir(PROGRAMS))
    await stack.writeFile(file.replace(/ts$/, "js"), await compiled(path.join(PROGRAMS, file)));
  await stack.writeFile("index.js", `require("./${provider}.js");\n`);
  await stack.writeFile("Pulumi.yaml", projectOf(provider));
  const serviceId = path.basename(servicePath(simulator));
  await stack.writeFile("shape.json", JSON.stringify({ pipes, serviceId }));
  return stack;
}

/** One line of shell that runs the CLI for this stack, wherever it starts. */
export async function lineOf(stack: TestStack, args: string, more: Record<string, string> = {}) {
  const { cwd, env } = stack.place();
  const own = Object.entries({ ...(await withPulumi(env)), ...more })
    .filter(([name, value]) => process.env[name] !== value)
    .map(([name, value = ""]) => `${name}='${value}'`);
  return `env ${own.join(" ")} pulumi --cwd '${cwd}' ${args} --non-interactive --color never`;
}

/** JSON is YAML, too. */
const projectOf = (provider: ProviderName): string =>
  JSON.stringify({
    name: "datapipes-test",
    runtime: "nodejs",
    ...(provider === "native" && { plugins }),
  });

/** A program compiled to JavaScript, so that no run includes the compiler. */
async function compiled(file: string): Promise<string> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(await readFile(file, "utf8"), { compilerOptions }).outputText;
}
