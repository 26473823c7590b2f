import { withValue, type JsonObject } from "../kit/json";
import { creationBody, minimal, pipesProgram } from "../kit/pipes";
import { newSimulator, pipeNamed, takeWrites, until, writes } from "../kit/simulator";
import { isNative } from "../kit/program";
import { deployStack } from "../kit/stack";

const before: JsonObject = { ...minimal.kafka, replacementPolicy: "allow" };
const second = withValue(minimal.kafka, "source.kafka.topics", "second");
const replaced: JsonObject = { ...second, replacementPolicy: "allow" };

test("the advice after a replacement with a lost create takes over what it created", async () => {
  const config = { requestTimeoutSeconds: "10" };
  const { simulator, stack } = await deployStack(pipesProgram({ orders: before }), { config });
  takeWrites(simulator);
  simulator.control.fault({ operationId: "createPipe", kind: "hang" });
  await stack.write(pipesProgram({ orders: replaced }));
  const run = stack.up({ expectFailure: true });
  await until(() => writes(simulator).length > 0);
  const made = creationBody("orders", second);
  const [created, another] = simulator.control.seedPipes([made, made]).map(({ id }) => id);
  const failed = await run;
  expect(failed.output).toMatch(/The list shows several new pipes with this name/);
  simulator.control.deletePipe(another ?? "");
  const advice = "`pulumi state delete <URN of the resource>` and set adopt to the ID of the new one";
  expect(failed.output.replace(/\s+/g, " ")).toContain(advice);
  const { urn } = (await stack.export()).named("orders");
  await stack.pulumi(["state", "delete", urn, "--yes"]);
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: { ...replaced, adopt: created ?? "" } }));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).named("orders").id).toBe(created);
});

test("a replacement whose deletion is refused leads to no second pipe against the policy", async () => {
  const simulator = await newSimulator({ deletes: false });
  const { stack } = await deployStack(pipesProgram({ orders: minimal.kafka }), { simulator });
  takeWrites(simulator);
  const { id } = pipeNamed(simulator, "orders");
  const deleted = { ...replaced, deletionPolicy: "delete" };
  await stack.write(pipesProgram({ orders: deleted }));
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toContain(isNative ? 'deletionPolicy: "retain"' : "set adopt to its ID");
  await stack.write(pipesProgram({ orders: minimal.kafka }));
  const { output } = await stack.up({ expectFailure: !isNative });
  if (!isNative) expect(output).toContain(`set adopt: "${id}"`);
  if (!isNative) {
    await stack.pulumi(["state", "delete", (await stack.export()).named("orders").urn, "--yes"]);
    await stack.write(pipesProgram({ orders: { ...minimal.kafka, adopt: id } }));
    await stack.up();
  }
  expect(takeWrites(simulator).filter(({ method }) => method === "POST")).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});
