import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator } from "../kit/simulator";
import { deployStack, newStack } from "../kit/stack";

test("lists what the services have: managed pipes, others, and what loads twice", async () => {
  const { simulator, stack } = await deployStack(
    pipesProgram({ orders: minimal.kafka, returns: minimal.kinesis, shop: minimal.postgres }),
  );
  const { control, account } = simulator;
  const [double] = control.seedPipes([creationBody("Double", minimal.kafka)]);
  const [serviceId = ""] = account.serviceIds;
  const { orders = "", returns = "" } = Object.fromEntries(
    control.state().pipes.map(({ id, name }) => [name, id]),
  );
  control.editPipe(returns, { state: "Failed" });
  control.clearRequests();
  const status = (...args: readonly string[]) =>
    stack.datapipes(["status", ...args], { expectFailure: "either" });

  const table = await status();
  expect(table.code).toBe(1);
  const lines = table.stdout.split("\n");
  const idsOf = (name: string): string => control.state().pipes.find((pipe) => pipe.name === name)?.id ?? "";
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(lines[0]?.split(/ {2,}/)).toEqual([
    "NAME",
    "ID",
    "STATE",
    "SOURCE",
    "TABLE",
    "MANAGED BY",
    "SAME AS",
  ]);
  expect(lines.slice(1, 5).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
    ["Double", "orders", "returns", "shop"].map((name) => [name, idsOf(name)]),
  );
  expect(lines[1]).toMatch(/Running +kafka +\S+\.few +no resource +orders$/);
  expect(control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);

  const json = await status("--json", "--fail-on", "paused", "--stack", "dev");
  expect(json.code).toBe(0);
  const { pipes } = JSON.parse(json.stdout) as { pipes: { table: string }[] };
  const { urn } = (await stack.export()).named("orders");
  expect(pipes).toHaveLength(4);
  expect(pipes[1]).toEqual({
    id: orders,
    name: "orders",
    serviceId,
    state: "Running",
    kind: "kafka",
    table: expect.stringMatching(/^\w+\.few$/) as string,
    resource: urn,
    duplicates: [double?.id],
  });
  expect(pipes[0]).not.toHaveProperty("resource");

  expect((await status("--fail-on", "paused", "--unmanaged")).code).toBe(1);
  expect((await status("--fail-on", ",")).code).toBe(2);
  const help = await status("--help");
  for (const option of ["--stack", "--fail-on", "--unmanaged", "--watch", "--json"])
    expect(help.stdout).toContain(option);
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
