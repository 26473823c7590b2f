import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { answer, newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { deployStack, newStack, type TestStack } from "../kit/stack";

describe("of a service with managed pipes, others, and two for the same data,", () => {
  let simulator: Simulator;
  let stack: TestStack;
  const status = (...args: readonly string[]) =>
    stack.datapipes(["status", ...args], { expectFailure: "either" });
  const idOf = (name: string): string => pipeNamed(simulator, name).id;

  beforeAll(async () => {
    const { kafka, kinesis, postgres } = minimal;
    ({ simulator, stack } = await deployStack(
      pipesProgram({ orders: kafka, returns: kinesis, shop: postgres }),
    ));
    simulator.control.seedPipes([creationBody("Double", kafka)]);
    simulator.control.editPipe(idOf("returns"), { state: "Failed" });
  });

  test("the table names each pipe and its duplicate after one list, and is at most 100 wide", async () => {
    simulator.control.clearRequests();
    const { code, stdout } = await status();
    expect(code).toBe(1);
    const lines = stdout.split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const [header, ...rows] = lines.map((line) => line.split(/ {2,}/));
    expect(header).toEqual(["NAME", "ID", "STATE", "SOURCE", "TABLE", "MANAGED BY", "SAME AS"]);
    expect(rows.slice(0, 4).map((row) => row.slice(0, 2))).toEqual(
      ["Double", "orders", "returns", "shop"].map((name) => [name, idOf(name)]),
    );
    expect(lines[1]).toMatch(/Running +kafka +\S+\.few +no resource +orders$/);
    expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  });

  test("the JSON names the resource and the duplicates of each pipe", async () => {
    const { code, stdout } = await status("--json", "--fail-on", "paused", "--stack", "dev");
    expect(code).toBe(0);
    const { pipes } = JSON.parse(stdout) as { pipes: { table: string }[] };
    const { urn } = (await stack.export()).named("orders");
    expect(pipes).toHaveLength(4);
    expect(pipes[1]).toEqual({
      id: idOf("orders"),
      name: "orders",
      serviceId: simulator.account.serviceIds[0],
      state: "Running",
      kind: "kafka",
      table: expect.stringMatching(/^\w+\.few$/) as string,
      resource: urn,
      duplicates: [idOf("Double")],
    });
    expect(pipes[0]).not.toHaveProperty("resource");
  });

  test("`--fail-on` and `--unmanaged` decide the exit code", async () => {
    expect((await status("--fail-on", "paused", "--unmanaged")).code).toBe(1);
    expect((await status("--fail-on", ",")).code).toBe(2);
  });

  test("a managed pipe that its service does not list any more is named", async () => {
    const id = idOf("shop");
    simulator.control.deletePipe(id);
    const { stdout, output } = await status();
    expect(stdout).not.toContain(id);
    const { urn } = (await stack.export()).named("shop");
    expect(output).toContain(`warning: pipe ${id} of resource ${urn} is not in the list of its service.`);
  });
});

test("repeats the table until it is interrupted, and names a service that cannot be read", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator });
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 403 });
  const first = await stack.datapipes(["status"], { expectFailure: true });
  expect(first.code).toBe(1);
  expect(first.stdout).toBe("");
  expect(first.output).toMatch(/error: list the pipes of service \S+ failed: .*403/);
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 403 });
  const until = { text: "There are no pipes.", times: 2 };
  const watched = await stack.datapipes(["status", "--watch", "1"], { until, expectFailure: true });
  expect(watched.output).toMatch(/error: list the pipes of service \S+ failed: .*403/);
  expect(watched.stdout.split(until.text).length).toBeGreaterThan(until.times);
});

test("null in place of a list of pipes is an error, without a table", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator });
  simulator.control.fault({ operationId: "listPipes", ...answer(null) });
  const { stdout, output } = await stack.datapipes(["status"], { expectFailure: true });
  expect(stdout).toBe("");
  expect(output).toContain("failed: the server returned null in place of a list. Run the command again.");
});

test("`--watch` goes on after a failure of the Pulumi CLI", async () => {
  const stack = await newStack({ simulator: await newSimulator() });
  const until = { text: "error: ", times: 2 };
  const args = ["status", "--stack", "missing", "--watch", "1"];
  const watched = await stack.datapipes(args, { until, expectFailure: true });
  expect(watched.output.match(/no stack named 'missing' found/g)?.length).toBeGreaterThanOrEqual(2);
});
