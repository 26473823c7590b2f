import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { canary, leaks } from "../../testkit/canary";
import { temporaryFolder } from "../../testkit/folder";
import { schemaExamples } from "../../testkit/schema-examples";
import { generateSdk, plugins } from "../../testkit/sdk";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { provideCompanion } from "../../tools/pulumi-cli/companions";
import { providePulumi } from "../../tools/pulumi-cli/provision";

const password = canary("python-password");

const program = (topics: string): string => `
import pulumi
import pulumi_datapipes as datapipes

orders = datapipes.Pipe(
    "orders",
    source=datapipes.PipeSourceArgs(
        kafka=datapipes.KafkaSourceArgs(
            brokers="kafka.example.com:9092",
            topics="orders",
            credentials=datapipes.CredentialsArgs(username="loader", password=${JSON.stringify(password)}),
        ),
    ),
    destination={"table": "orders", "managed_table": True, "columns": [{"name": "id", "type": "UInt64"}],
                 "table_definition": {"sorting_key": ["id"]}},
    field_mappings=[{"source_field": "$.id", "destination_field": "id"}],
    name="${topics}",
    deletion_policy="delete",
)
pulumi.export("state", orders.state)
pulumi.export("password", orders.source.kafka.credentials.password)
pulumi.export("pipes", datapipes.get_pipes_output().apply(lambda result: [pipe.name for pipe in result.pipes]))
`;

const run = promisify(execFile);

/** The folder of a virtual environment with the SDK that is generated from the plugin's schema, and other packages. */
async function newEnvironment(...packages: readonly string[]): Promise<string> {
  const folder = await temporaryFolder("python");
  const [sdk, environment] = [path.join(folder, "sdk"), path.join(folder, "venv")];
  await generateSdk("python", sdk);
  await run("python3", ["-m", "venv", environment]);
  await run(path.join(environment, "bin/pip"), ["install", "--quiet", sdk, ...packages]);
  return environment;
}

/** A stack whose program is in Python. */
async function newPythonStack(program: string, simulator: Simulator): Promise<TestStack> {
  const environment = await newEnvironment();
  const host = await provideCompanion("pulumi-language-python", await providePulumi({ quiet: true }));
  const runtime = { name: "python", options: { virtualenv: environment } };
  const project = JSON.stringify({ name: "datapipes-test", runtime, plugins });
  // The host that is a Go module runs the first Python on the PATH; those of official releases read the option.
  const first = [path.dirname(host), path.join(environment, "bin")];
  return newStack({ simulator, path: first, files: { "Pulumi.yaml": project, "__main__.py": program } });
}

const probe = ["-c", "import venv, sys; assert sys.version_info >= (3, 10)"];
const hasPython = spawnSync("python3", probe).status === 0;
const pythonTest = hasPython ? test : test.skip;
const inPython = hasPython ? "in Python" : "(needs python3 3.10 or newer, with venv: not found)";

pythonTest(
  `a program ${inPython} goes up with the generated SDK, shows an empty preview, changes its pipe, and is destroyed`,
  async () => {
    const simulator = await newSimulator();
    const stack = await newPythonStack(program("first"), simulator);
    const up = await stack.up();
    expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["POST"]);
    expect(pipeNamed(simulator, "first").destination).toMatchObject({ table: "orders", managedTable: true });
    await stack.preview({ expectNoChanges: true });
    await stack.refresh({ flags: ["--expect-no-changes"] });
    expect(await stack.outputs()).toMatchObject({ state: "Running", password });

    await stack.writeFile("__main__.py", program("second"));
    const preview = await stack.preview({ diff: true });
    expect(preview.output).toMatch(/name *: "first" => "second"/);
    await stack.up();
    expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["PATCH"]);

    const destroy = await stack.destroy();
    expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE"]);
    const texts = { up: up.output, preview: preview.output, destroy: destroy.output };
    expect(leaks({ ...texts, stored: await stack.storedText() }, [password])).toEqual([]);
  },
);

pythonTest(`the schema's examples ${inPython} have the types of the generated SDK`, async () => {
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
