import { canary, leaks } from "../../testkit/canary";
import { hasPython, newPythonStack } from "./python";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";

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

const pythonTest = hasPython ? test : test.skip;
const inPython = hasPython ? "in Python" : "(needs python3 3.10 or newer, with venv: not found)";

pythonTest(
  `a program ${inPython} goes up with the generated SDK, shows an empty preview, changes its pipe, and is destroyed`,
  async () => {
    const simulator = await newSimulator();
    const stack = await newPythonStack(program("first"), { simulator });
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
