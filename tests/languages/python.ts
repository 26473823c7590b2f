import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { provideCompanion } from "../../tools/pulumi-cli/companions";
import { providePulumi } from "../../tools/pulumi-cli/provision";
import { temporaryFolder } from "../../testkit/folder";
import { generateSdk, plugins } from "../../testkit/sdk";
import { newStack, type StackOptions, type TestStack } from "../../testkit/stack";

const run = promisify(execFile);

const probe = ["-c", "import venv, sys; assert sys.version_info >= (3, 10)"];

/** Whether this machine can run programs in Python. */
export const hasPython = spawnSync("python3", probe).status === 0;

/** A stack of the real engine whose program is in Python, and uses the SDK that is generated from the plugin's schema. */
export async function newPythonStack(
  program: string,
  options: Omit<StackOptions, "program" | "files" | "copyOf"> = {},
): Promise<TestStack> {
  const folder = await temporaryFolder("python");
  const [sdk, environment] = [path.join(folder, "sdk"), path.join(folder, "venv")];
  await generateSdk("python", sdk);
  await run("python3", ["-m", "venv", environment]);
  await run(path.join(environment, "bin/pip"), ["install", "--quiet", sdk]);
  const host = await provideCompanion("pulumi-language-python", await providePulumi({ quiet: true }));
  const runtime = { name: "python", options: { virtualenv: environment } };
  const project = JSON.stringify({ name: "datapipes-test", runtime, plugins });
  const files = { "Pulumi.yaml": project, "__main__.py": program };
  // The host that is a Go module runs the first Python on the PATH; those of official releases read the option.
  const first = [path.dirname(host), path.join(environment, "bin")];
  return newStack({ ...options, path: [...first, ...(options.path ?? [])], files });
}
