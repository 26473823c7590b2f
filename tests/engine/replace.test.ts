import { isNative, retainMark } from "../../testkit/adapter";
import { expectNoChanges, expectNoWrites, writesByPipe } from "./expectations";
import { complete, mapValues, minimal, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { CREATE_FIRST, DELETE_FIRST, planOf } from "../../testkit/plan";
import { declaration } from "../../testkit/program";
import { newSimulator, takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed } from "../../testkit/stack";

const topics = "source.kafka.topics";
const threads = "settings.dbmsMaxThreads";
const allowed: JsonObject = { ...minimal.kafka, replacementPolicy: "allow" };
const elsewhere = withValue(allowed, "destination.table", "other");
const deleted: JsonObject = { ...complete.kafka, replacementPolicy: "allow", deletionPolicy: "delete" };

const before = pipesProgram({
  kept: allowed,
  deleted,
  "by-option": withValue(allowed, threads, 2),
  "deleted-first": allowed,
});
const after = (topic: string, more: JsonObject = {}): string =>
  [
    pipesProgram({
      kept: { ...withValue(allowed, topics, topic), ...more },
      deleted: withValue(deleted, "destination.roles", ["other"]),
    }),
    pipesProgram({ "by-option": withValue(allowed, threads, 3) }, `{ replaceOnChanges: ["${threads}"] }`),
    declaration("Pipe", "deleted-first", elsewhere, "{ deleteBeforeReplace: true }"),
  ].join("");

/** The ids of the pipes of that name, the oldest first. */
const idsOf = (simulator: Simulator, name: string): string[] =>
  simulator.control.state().pipes.flatMap((pipe) => (pipe.name === name ? [pipe.id] : []));

test("replaces pipes whose policy allows it, in the order of their policies and options, as the preview says", async () => {
  const { simulator, stack } = await deployed(before);
  takeWrites(simulator);
  await stack.write(after("second"));
  expect((await planOf(stack)).steps).toEqual({
    kept: CREATE_FIRST,
    deleted: DELETE_FIRST,
    "by-option": CREATE_FIRST,
    "deleted-first": DELETE_FIRST,
  });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toMatch(/topics *: "orders" => "second"/);
  const [deletedId = ""] = idsOf(simulator, "deleted");
  const names = new Map([[deletedId, "deleted"]]);
  const { output } = await stack.up();
  expect(output).toMatch(new RegExp(`Pipe kept deleted original \\(.*\\)${retainMark}`));
  expect(mapValues(writesByPipe(simulator, names), (writes) => writes.map(([method]) => method))).toEqual({
    ...{ kept: ["POST"], deleted: ["DELETE", "POST"], "by-option": ["POST"], "deleted-first": ["POST"] },
  });
  expect(idsOf(simulator, "deleted")).toHaveLength(1);
  expect(idsOf(simulator, "kept")).toHaveLength(2);
  await expectNoChanges(stack);

  // The advice after an unclear create of a replacement takes over what it created, and creates nothing more.
  simulator.control.fault({ operationId: "createPipe", kind: "echo", processed: true });
  await stack.write(after("third"));
  const failed = await stack.up({ expectFailure: true });
  const created = idsOf(simulator, "kept").at(-1) ?? "";
  expect(idsOf(simulator, "kept")).toHaveLength(3);
  expect(failed.output).toContain(`has appeared: ${created}`);
  const [, advised = ""] =
    /run `pulumi (state delete '.+')` and set adopt to its id/.exec(failed.output) ?? [];
  expect(advised).toBe(`state delete '${(await stack.export()).named("kept").urn}'`);
  await stack.pulumi(["state", "delete", (await stack.export()).named("kept").urn, "--yes"]);
  takeWrites(simulator);
  await stack.write(after("third", { adopt: created }));
  await stack.up();
  expectNoWrites(simulator);
  expect((await stack.export()).named("kept").id).toBe(created);
});

test("a replacement whose deletion is refused leads to no second pipe, whatever the program declares next", async () => {
  const simulator = await newSimulator({ deletes: false });
  const { stack } = await deployed(pipesProgram({ orders: minimal.kafka }), { simulator });
  takeWrites(simulator);
  const [id = ""] = idsOf(simulator, "orders");
  const replaced = { ...withValue(allowed, topics, "other"), deletionPolicy: "delete" };
  await stack.write(pipesProgram({ orders: replaced }));
  const refused = await stack.up({ expectFailure: true });
  expect(refused.output).toContain(
    isNative ? 'deletionPolicy: "retain"' : "set adopt to its id, with the old values",
  );
  for (const orders of [allowed, minimal.kafka]) {
    await stack.write(pipesProgram({ orders }));
    const { output } = await stack.up({ expectFailure: !isNative });
    if (!isNative) expect(output).toContain(`set adopt to ${id} if that still exists`);
  }
  if (!isNative) {
    await stack.pulumi(["state", "delete", (await stack.export()).named("orders").urn, "--yes"]);
    await stack.write(pipesProgram({ orders: { ...minimal.kafka, adopt: id } }));
    await stack.up();
  }
  expect(takeWrites(simulator).filter(({ method }) => method === "POST")).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});
