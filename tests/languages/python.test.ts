import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../kit/cleanup";
import { schemaExamples } from "./schema-examples";
import { generateSdk, hostFolder } from "../kit/sdk";
import { expectShopDeploys, type Runtime } from "./shop";
import { testWith } from "./tools";

const run = promisify(execFile);

/** The folder of a virtual environment with the SDK that is generated from the plugin's schema, and other packages. */
async function newEnvironment(...packages: readonly string[]): Promise<string> {
  const folder = await temporaryFolder("python");
  const sdk = path.join(folder, "sdk");
  const environment = path.join(folder, "venv");
  await generateSdk("python", sdk);
  await run("python3", ["-m", "venv", environment]);
  await run(path.join(environment, "bin/pip"), ["install", "--quiet", sdk, ...packages]);
  return environment;
}

const probe = ["-c", "import venv, sys; assert sys.version_info >= (3, 10)"];
const hasPython = spawnSync("python3", probe).status === 0;
const pythonTest = testWith("python3 3.10 or newer, with venv", hasPython);

async function newRuntime(): Promise<Runtime> {
  const environment = await newEnvironment();
  return {
    language: "python",
    options: { virtualenv: environment },
    // The host that is a Go module runs the first Python on the PATH; those of official releases read the option.
    path: [await hostFolder("python"), path.join(environment, "bin")],
  };
}

pythonTest("the example in Python deploys to two accounts, changes one setting, and is destroyed", async () =>
  expectShopDeploys(await newRuntime()),
);

pythonTest("the schema's examples in Python have the types of the generated SDK", async () => {
  const { programs, wrong } = schemaExamples("python");
  const files = Object.fromEntries(programs.map((program, index) => [`example_${index}.py`, program]));
  const folder = await temporaryFolder("python", { ...files, "wrong.py": wrong });
  const environment = await newEnvironment("mypy==2.4.1");
  const mypy = (...names: readonly string[]) =>
    run(path.join(environment, "bin/mypy"), [...names], { cwd: folder });
  await expect(mypy(...Object.keys(files))).resolves.toMatchObject({
    stdout: expect.stringContaining("Success: no issues found") as unknown,
  });
  await expect(mypy("wrong.py")).rejects.toMatchObject({
    stdout: expect.stringContaining("error") as unknown,
  });
});
