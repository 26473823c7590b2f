import { complete, creationBody, manyPipes } from "../kit/pipes";
import { listReads, newSimulator, takeWrites } from "../kit/simulator";
import { folderWith, importing, importInto, newProject, resultOf } from "./imported";

/** Pipes of four kinds, of which two have names that differ only by an invisible character. */
const FIFTY = [
  ...manyPipes(48),
  creationBody("reversed", complete.kafka),
  creationBody("reversed\u200b", complete.kafka),
];

test("adopts 50 pipes of four kinds without a change, also after a refresh", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes(FIFTY);
  const stack = await newProject(simulator);
  await importInto(stack, "--force", "--split", "kind");
  await expect(stack.readFile("import.json")).rejects.toThrow("ENOENT");
  const { output } = await stack.up();
  expect(output.match(/as it is/g)).toHaveLength(2 * 50);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});

test("writes 50 pipes of four kinds in at most 1,500 lines", async () => {
  const { importPipes, read } = await folderWith(...FIFTY);
  await importPipes();
  expect((await read("index.ts")).split("\n").length).toBeLessThanOrEqual(1500);
});

/** A stack that manages the pipe "orders", whose resource has its name. */
async function managingOrders() {
  const simulator = await newSimulator();
  const seeds = ["orders", "read"].map((name) => creationBody(name, complete.kafka));
  const [orders = "", read = ""] = simulator.control.seedPipes(seeds).map(({ id }) => id);
  const stack = await newProject(simulator);
  await importInto(stack, "--only", "orders", "--force", "--mode", "import");
  await stack.pulumi(importing);
  return { simulator, stack, orders, read };
}

test("skips and counts what the stack manages, also with --only, but not what it only reads", async () => {
  const { simulator, stack, orders, read } = await managingOrders();
  const program = await stack.readFile("index.ts");
  await stack.write(`${program}\ndatapipes.Pipe.get("read", "${read}");\n`);
  await stack.up();
  const run = await importInto(stack, "--json", "--out", "new");
  expect(run.stderr).toContain("2 in the service, 1 managed, 1 new.\n");
  const { pipes, skipped } = resultOf(run);
  const serviceId = simulator.account.serviceIds[0] ?? "";
  expect(pipes.map(({ id }) => id)).toEqual([read]);
  expect(skipped).toEqual([
    { id: orders, name: "orders", serviceId, reason: "the stack manages it already" },
  ]);
  const again = await importInto(stack, "--force");
  expect(again.stderr).toContain("does not declare what the stack manages already: 1 pipe.");
  const only = await importInto(stack, "--only", orders, "--out", "none");
  expect(only.stderr).toContain(`Skipped pipe "orders" (${orders}): the stack manages it already.`);
});

test("gives a new pipe a logical name that no managed pipe has", async () => {
  const { simulator, stack } = await managingOrders();
  const [late = ""] = simulator.control
    .seedPipes([creationBody("orders", complete.kinesis)])
    .map(({ id }) => id);
  await importInto(stack, "--out", "new");
  expect(await stack.readFile("new/index.ts")).toContain(
    `new datapipes.Pipe("orders-${late.slice(0, 8)}", {\n  adopt: "${late}",\n  name: "orders",`,
  );
});

test("writes 1,100 pipes from one list", async () => {
  const seeds = Array.from({ length: 1100 }, (_, index) => creationBody(`orders ${index}`, complete.kafka));
  const { simulator, importPipes, read } = await folderWith(...seeds);
  const run = await importPipes("--json");
  expect(run.code).toBe(0);
  expect(resultOf(run).pipes).toHaveLength(1100);
  expect(listReads(simulator)).toHaveLength(1);
  expect((await read("index.ts")).match(/new datapipes\.Pipe\(/g)).toHaveLength(1100);
});
