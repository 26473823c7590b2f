import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { temporaryFolder } from "../kit/cleanup";
import { runDatapipes } from "../kit/cli";
import { accountOf, answer, newSimulator, pipeNamed, variablesOf, type Simulator } from "../kit/simulator";
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

  test("a service whose ID the stack has in capitals is listed once", async () => {
    const [serviceId = ""] = simulator.account.serviceIds;
    await stack.setConfig({ serviceId: serviceId.toUpperCase() });
    simulator.control.clearRequests();
    const { stdout } = await status("--json");
    expect((JSON.parse(stdout) as { pipes: object[] }).pipes).toHaveLength(4);
    expect(simulator.control.requests()).toHaveLength(1);
    await stack.setConfig({ serviceId });
  });

  test("`--fail-on` and `--unmanaged` decide the exit code", async () => {
    const { code, stderr } = await status("--fail-on", "paused", "--unmanaged");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: \d pipes? that no resource of the stack manages\.$/m);
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

describe("of a stack with explicit providers", () => {
  const other = accountOf(1);
  let here: Simulator;
  let there: Simulator;
  let stack: TestStack;
  let provider: string;
  const farPipe = pipesProgram({ far: minimal.kinesis }, "{ provider }");
  const status = (...args: readonly string[]) =>
    stack.datapipes(["status", ...args], { expectFailure: "either" });

  beforeAll(async () => {
    here = await newSimulator();
    there = await newSimulator({ accounts: [other] });
    const { apiKeyId, organizationId, serviceIds } = other;
    const args = { apiKeyId, organizationId, serviceId: serviceIds[0] ?? "", baseUrl: there.url };
    const secret = 'new pulumi.Config("app").require("secret")';
    provider = `new datapipes.Provider("us", { ...${JSON.stringify(args)}, apiKeySecret: ${secret} })`;
    stack = await newStack({
      simulator: here,
      secrets: { "app:secret": other.apiKeySecret },
      program: `${pipesProgram({ orders: minimal.kafka })}
const provider = ${provider};
${farPipe}`,
    });
    await stack.up();
  });

  const line = new RegExp(
    `warning: service ${other.serviceIds[0]} is not listed: its pipes have the provider "us", .*in an empty folder`,
  );

  test("what the key of the stack reads is listed, and a line says how to list the rest", async () => {
    const { code, stdout, stderr } = await status("--unmanaged");
    expect(code).toBe(0);
    expect(stdout).toContain("orders");
    expect(stdout).not.toContain("far");
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain("Check that organizationId");
    expect(Object.keys(JSON.parse((await status("--json")).stdout) as object)).toEqual(["pipes"]);
  });

  test("in an empty folder with the settings of the other account, its pipes are listed", async () => {
    const cwd = await temporaryFolder("other-account");
    const run = await runDatapipes(["status"], { cwd, env: { ...process.env, ...variablesOf(there) } });
    expect(run.stdout).toContain("far");
  });

  test("a service of the stack that does not answer is an error below the table of the others", async () => {
    here.control.fault({ operationId: "listPipes", kind: "status", status: 403 });
    const { code, stdout, stderr } = await status("--json");
    expect(code).toBe(1);
    const { pipes, unread } = JSON.parse(stdout) as { pipes: object[]; unread: { serviceId: string }[] };
    expect(pipes).toEqual([]);
    expect(unread.map(({ serviceId }) => serviceId)).toEqual([here.account.serviceIds[0]]);
    expect(stderr).toMatch(/error: list the pipes of service \S+ failed: .*403/);
  });

  test("a stack whose services all have explicit providers passes the nightly check", async () => {
    await stack.write(`const provider = ${provider};\n${farPipe}`);
    await stack.up();
    for (const key of ["apiKeyId", "organizationId", "serviceId"]) await stack.removeConfig(key);
    const { code, stdout, stderr } = await status();
    expect(code).toBe(0);
    expect(stdout).toBe("There are no pipes.\n");
    expect(stderr).toMatch(line);
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

test("`--watch` continues after a failure of the Pulumi CLI", async () => {
  const stack = await newStack({ simulator: await newSimulator() });
  const until = { text: "error: ", times: 2 };
  const args = ["status", "--stack", "missing", "--watch", "1"];
  const watched = await stack.datapipes(args, { until, expectFailure: true });
  expect(watched.output.match(/no stack named 'missing' found/g)?.length).toBeGreaterThanOrEqual(2);
});

test("`--watch` ends when its output is closed", async () => {
  const command = path.resolve("provider/bin/datapipes.js");
  const env = { ...process.env, ...variablesOf(await newSimulator()) };
  const child = spawn(process.execPath, [command, "status", "--watch", "1"], {
    cwd: await temporaryFolder("watch"),
    env,
  });
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await once(child, "close")).toEqual([0, null]);
});
