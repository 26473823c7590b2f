import { complete, creationBody, manyPipes } from "../kit/pipes";
import { listReads, newSimulator, takeWrites, type Simulator } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { folderWith, importInto, resultOf } from "./imported";

/** Two names that differ only by a character that nobody sees. */
const ALIKE = ["reversed", "reversed\u200b"];

const importing = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
const newProject = (simulator: Simulator) => newStack({ simulator, language: "typescript" });

test("takes over 50 pipes of four kinds without a change, in each mode, in 1,500 lines", async () => {
  const simulator = await newSimulator();
  const alike = ALIKE.map((name) => creationBody(name, complete.kafka));
  simulator.control.seedPipes([...manyPipes(48), ...alike]);
  const adopting = await newProject(simulator);
  await importInto(adopting, "--force", "--split", "kind");
  await expect(adopting.readFile("import.json")).rejects.toThrow("ENOENT");
  const { output } = await adopting.up();
  expect(output.match(/as it is/g)).toHaveLength(2 * 50);
  await adopting.preview({ expectNoChanges: true });
  await adopting.refresh();
  await adopting.preview({ expectNoChanges: true });

  const stack = await newProject(simulator);
  await importInto(stack, "--mode", "import", "--force");
  const program = await stack.readFile("index.ts");
  expect(program.split("\n").length).toBeLessThanOrEqual(1500);
  expect(program.match(/syncIntervalSeconds: 30/g)).toHaveLength(6);
  const constants = [...program.matchAll(/^const (\w+) =/gm)].map(([, name = ""]) => name);
  expect(constants.filter((name) => !/(Settings|Source|^destination)$/.test(name))).toEqual([]);
  await stack.pulumi(importing);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
  const [edited] = simulator.control.state().pipes.filter(({ source }) => source.postgres);
  const source = { postgres: { settings: { syncIntervalSeconds: 600 } } };
  simulator.control.editPipe(edited?.id ?? "", { source });
  await stack.refresh();
  expect((await stack.preview({ diff: true })).output).toMatch(/syncIntervalSeconds *: 600 => /);
});

test("skips and counts what the stack manages, also with --only, and takes none of its names", async () => {
  const simulator = await newSimulator();
  const [orders, read] = simulator.control.seedPipes(
    ["orders", "read"].map((name) => creationBody(name, complete.kafka)),
  );
  const stack = await newProject(simulator);
  await importInto(stack, "--only", "orders", "--force", "--mode", "import");
  await stack.pulumi(importing);
  const program = await stack.readFile("index.ts");
  await stack.write(`${program}\ndatapipes.Pipe.get("read", "${read?.id ?? ""}");\n`);
  await stack.up();
  const [late] = simulator.control.seedPipes([creationBody("orders", complete.kinesis)]);
  const run = await importInto(stack, "--json", "--out", "new");
  expect(run.stderr).toContain("3 in the service, 1 managed, 2 new.\n");
  const { pipes, skipped } = resultOf(run);
  const serviceId = simulator.account.serviceIds[0] ?? "";
  const { id = "" } = orders ?? {};
  expect(pipes.map((pipe) => pipe.id).sort()).toEqual([read?.id, late?.id].sort());
  expect(skipped).toEqual([{ id, name: "orders", serviceId, reason: "the stack manages it already" }]);
  const second = `orders-${late?.id.slice(0, 8) ?? ""}`;
  expect(await stack.readFile("new/index.ts")).toContain(
    `new datapipes.Pipe("${second}", {\n  adopt: "${late?.id ?? ""}",\n  name: "orders",`,
  );
  const again = await importInto(stack, "--force");
  expect(again.stderr).toContain("does not declare what the stack manages already: 1 pipe.");
  const only = await importInto(stack, "--only", id, "--out", "none");
  expect(only.stderr).toContain(`Skipped pipe "orders" (${id}): the stack manages it already.`);
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
