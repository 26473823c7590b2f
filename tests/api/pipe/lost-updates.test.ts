import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { FaultKind } from "../../../simulator/src/index";
import { failureOf } from "../../kit/client";
import { minimal, tableMapping } from "../../kit/pipes";
import { takeBodies, writes } from "../../kit/simulator";
import { deployResource, stateAfterRefresh, up, type ResourceRun } from "../../kit/run";

const operationId = "updatePipe";
const orders = { name: "orders", ...minimal.kafka };
const renamed = { ...orders, name: "renamed" };
const MAX_RETRIES = 4;

const existing = (args: object) => deployResource(pipeDefinition, args, {}, { maxRetries: MAX_RETRIES });
const namesIn = ({ control }: ResourceRun): unknown[] => control.state().pipes.map(({ name }) => name);

test.each<[what: string, fault: FaultKind]>([
  ["the connection was cut after it was done", { kind: "reset-after" }],
  ["the connection was cut before it was done", { kind: "reset-before" }],
  ["a gateway answered 504 after it was done", { kind: "status", status: 504, processed: true }],
])("an update whose answer is lost is sent again, because %s", async (_, fault) => {
  const { run, control, before } = await existing(orders);
  control.fault({ operationId, ...fault });
  const { outputs } = await up(run, renamed, before);
  expect(outputs["name"]).toBe("renamed");
  expect(takeBodies(run.simulator)).toEqual([{ name: "renamed" }, { name: "renamed" }]);
  expect(namesIn(run)).toEqual(["renamed"]);
  expect(run.lines).toEqual([
    expect.stringMatching(
      /^update pipe "renamed" \(\S+\): (status 50\d|no response \(ECONNRESET\)); retrying \(1 of 4\)$/,
    ),
  ]);
});

describe("an update of table mappings", () => {
  const a = tableMapping("a");
  const b = tableMapping("b");
  const c = tableMapping("c");
  const pipe = (...tableMappings: unknown[]) => ({
    name: "orders",
    source: { postgres: { host: "db", port: 5432, database: "d", tableMappings } },
    destination: { database: "default" },
  });
  const excluding = pipe({ ...a, excludedColumns: ["secret"] }, b);
  const tablesOf = ({ control }: ResourceRun): unknown[] =>
    control
      .state()
      .pipes.flatMap(({ source }) => source.postgres?.tableMappings ?? [])
      .map(({ sourceTable }) => sourceTable)
      .sort();

  test("whose repetition is refused says that the first may have succeeded; a refresh shows it", async () => {
    const { run, control, before } = await existing(pipe(a, b));
    control.fault({ operationId, kind: "reset-after" });
    const { message } = await failureOf(up(run, pipe(b, c), before));
    expect(message).toMatch(
      /^update pipe "orders" \(\S+\) failed: the server returned 400 .*\. An earlier attempt of this request may have succeeded\. Run `pulumi refresh`, which shows the fields of the pipe now, then `pulumi up`\.$/,
    );
    expect(takeBodies(run.simulator)).toHaveLength(2);
    control.advance(120);
    run.nextRun();
    const after = await stateAfterRefresh(run, before);
    expect(after?.outputs).toMatchObject(pipe(c, b));
    await up(run, pipe(b, c), after);
    expect(takeBodies(run.simulator)).toEqual([]);
    expect(tablesOf(run)).toEqual(["b", "c"]);
  });

  test("only of members that the service has filled in sends nothing; another value is sent", async () => {
    const { run, control, before } = await existing(pipe(a, b));
    const filled = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: ["id"] };
    control.editPipe(before.id, { source: { postgres: { tableMappings: [{ ...a, ...filled }, b] } } });
    const read = await stateAfterRefresh(run, before);
    const writtenOut = await up(run, pipe({ ...a, ...filled }, b), read);
    expect(writtenOut.outputs).toMatchObject(pipe({ ...a, ...filled }, b));
    // A program that no longer declares what is false or empty wants nothing else.
    await up(run, pipe({ ...a, sortingKeys: ["id"] }, b), writtenOut);
    expect(writes(run.simulator)).toEqual([]);
    expect(run.lines).toEqual([]);
    const custom = await up(run, pipe({ ...a, ...filled, useCustomSortingKey: true }, b), read);
    expect(writes(run.simulator)).toHaveLength(2);
    await up(run, pipe(a, b), custom);
    expect(writes(run.simulator)).toHaveLength(4);
  });

  test("refused while the removal before it still runs is repeated until it ends", async () => {
    const { run, control, before } = await existing(pipe(a, b));
    control.fault({ operationId, kind: "status", status: 409, after: 1, times: 2 });
    await up(run, excluding, before);
    expect(writes(run.simulator)).toHaveLength(4);
    expect(tablesOf(run)).toEqual(["a", "b"]);
    expect(run.sleeps).toHaveLength(2);
    expect(run.lines.at(-1)).toMatch(/^update pipe "orders" .*: status 409; retrying in \d s \(2 of 5\)$/);
  });
});
