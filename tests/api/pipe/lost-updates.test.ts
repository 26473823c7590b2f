import { isDatapipesError } from "../../../provider/src/errors";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { FaultKind, Simulator } from "../../../simulator/src/index";
import { takeWrites, writes } from "../../../testkit/simulator";
import { rendered } from "../../../testkit/rendered";
import { online, partOf } from "../../../testkit/online";

let simulator: Simulator;
const processed: [what: string, fault: FaultKind][] = [
  ["cut after it was done", { kind: "reset-after" }],
  ["answered with 500 after it was done", { kind: "status", status: 500, processed: true }],
  ["answered with a page after it was done", { kind: "html", processed: true }],
  ["answered with broken JSON after it was done", { kind: "bad-json", processed: true }],
];
const unprocessed: [what: string, fault: FaultKind][] = [
  ["cut before it was done", { kind: "reset-before" }],
  ["answered with 503 and not done", { kind: "status", status: 503 }],
];

const mapping = (table: string) => ({ sourceSchemaName: "public", sourceTable: table, targetTable: table });
const pipe = (name: string, ...tables: string[]) => ({
  name,
  source: { postgres: { host: "db", port: 5432, database: "d", tableMappings: tables.map(mapping) } },
  destination: { database: "default" },
});
const tablesOf = (): string[] =>
  simulator.control
    .state()
    .pipes.flatMap(({ source }) => source.postgres?.tableMappings ?? [])
    .map(({ sourceTable }) => sourceTable ?? "");

async function existing() {
  const run = await online(pipeDefinition);
  simulator = run.simulator;
  const { organizationId, serviceIds } = simulator.account;
  const serviceId = serviceIds[0] ?? "";
  const inputs = (...args: Parameters<typeof pipe>) => ({ organizationId, serviceId, ...pipe(...args) });
  const { id, outputs } = await run.lifecycle.create(inputs("orders", "a", "b"));
  takeWrites(simulator);
  return { ...run, id, outputs, inputs };
}

describe("an update of table mappings that is", () => {
  test.each(processed)("%s is not sent again", async (_, fault) => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", ...fault });
    const after = await lifecycle.update(id, outputs, inputs("orders", "b", "c"));
    expect(writes(simulator)).toHaveLength(1);
    expect(tablesOf()).toEqual(["b", "c"]);
    expect(after).toMatchObject(inputs("orders", "b", "c"));
  });

  test.each(unprocessed)("%s is sent again, after a look", async (_, fault) => {
    const { lifecycle, lines, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", ...fault });
    await lifecycle.update(id, outputs, inputs("orders", "b", "c"));
    const [first, second, ...more] = takeWrites(simulator);
    expect([second, more]).toEqual([first, []]);
    expect(tablesOf()).toEqual(["b", "c"]);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^update pipe "orders" \\(${id}\\): (no response|status) .*; checking what the API has changed$`,
        ),
      ),
      `update pipe "orders" (${id}): the API has not made all changes; sending the rest`,
    ]);
  });

  test("lost, while another client made a part of it, is completed with the rest", async () => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", kind: "reset-before" });
    simulator.control.editPipe(id, { source: { postgres: { tableMappings: ["b", "c"].map(mapping) } } });
    await lifecycle.update(id, outputs, inputs("renamed", "b", "c"));
    expect(takeWrites(simulator).at(-1)?.body).toEqual({ name: "renamed" });
    expect(simulator.control.state().pipes).toMatchObject([{ name: "renamed" }]);
  });

  const excluding = (inputs: ReturnType<typeof pipe>) => {
    const [first, ...others] = inputs.source.postgres.tableMappings;
    const tableMappings = [{ ...first, excludedColumns: ["secret"] }, ...others];
    return { ...inputs, source: { postgres: { ...inputs.source.postgres, tableMappings } } };
  };
  const busy = { operationId: "updatePipe", kind: "status", status: 409, after: 1 } as const;

  test("refused while the removal before it still runs is repeated until it ends", async () => {
    const { lifecycle, lines, sleeps, id, outputs, inputs } = await existing();
    simulator.control.fault({ ...busy, times: 2 });
    await lifecycle.update(id, outputs, excluding(inputs("orders", "a", "b")));
    expect(takeWrites(simulator)).toHaveLength(4);
    expect(tablesOf().sort()).toEqual(["a", "b"]);
    expect(sleeps.slice(-2)).toEqual([2000, 4000]);
    expect(lines.at(-1)).toBe(
      "updatePipe: status 409, because the previous update may still be in progress; retrying in 4 s",
    );
  });

  test("refused for longer than a minute is an error, and the state has the tables that exist", async () => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ ...busy, times: 99 });
    const left = await partOf(lifecycle.update(id, outputs, excluding(inputs("orders", "a", "b"))));
    expect(left.message).toContain("returned 409");
    expect(left.outputs).toMatchObject(inputs("orders", "b"));
    expect(writes(simulator)).toHaveLength(7);
  });

  test("lost again and again is an error after some attempts", async () => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", kind: "reset-before", times: 99 });
    const error: unknown = await lifecycle
      .update(id, outputs, inputs("orders", "b"))
      .catch((reason: unknown) => reason);
    expect(isDatapipesError(error) && error.message).toMatch(
      /^update pipe "orders" \(\S+\) failed: PATCH \S+\/pipes\/… got no response: /,
    );
    expect(writes(simulator)).toHaveLength(3);
  });

  test("lost, with a list that cannot be read, is an error that says so", async () => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", kind: "reset-after" });
    simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, times: 9 });
    await expect(rendered(lifecycle.update(id, outputs, inputs("orders", "b")))).rejects.toThrow(
      /The provider cannot find out whether pipe "orders" \(\S+\) was changed, because it cannot read it \(status 500\)\. Run `pulumi refresh`, then `pulumi up`\.$/,
    );
  });

  test("lost, of a pipe that no longer exists, is an error that says so", async () => {
    const { lifecycle, id, outputs, inputs } = await existing();
    simulator.control.fault({ operationId: "updatePipe", kind: "reset-before" });
    simulator.control.deletePipe(id);
    await expect(rendered(lifecycle.update(id, outputs, inputs("orders", "b")))).rejects.toThrow(
      /Since then, the list no longer has pipe "orders" \(\S+\)\. Run `pulumi refresh`, which finds out whether it still exists\.$/,
    );
  });
});

describe("an update of a service's lists that is", () => {
  const settings = { name: "Demo", ipAccessList: [{ source: "10.0.0.1", description: "office" }] };
  const bodies = (): unknown[] => takeWrites(simulator).map(({ body }) => body);
  const entries = () => simulator.control.state().services[0]?.ipAccessList;
  const whole = {
    name: "Demo",
    ipAccessList: { add: settings.ipAccessList },
    transparentDataEncryptionKeyId: "key-2",
  };

  async function applied(fault: FaultKind) {
    const { lifecycle, ...run } = await online(serviceSettingsDefinition);
    simulator = run.simulator;
    const { organizationId, serviceIds } = simulator.account;
    simulator.control.fault({ operationId: "updateService", ...fault });
    const inputs = {
      organizationId,
      serviceId: serviceIds[0] ?? "",
      ...settings,
      transparentDataEncryptionKeyId: "key-2",
    };
    return { lifecycle, ...(await lifecycle.create(inputs)) };
  }

  test.each(processed)(
    "%s is verified with an empty update, and only missing entries are sent again",
    async (_, fault) => {
      await applied(fault);
      expect(bodies()).toEqual([whole, {}, { name: "Demo" }]);
      expect(entries()).toEqual(settings.ipAccessList);
    },
  );

  test.each(unprocessed)("%s is sent again", async (_, fault) => {
    await applied(fault);
    expect(bodies()).toEqual([whole, {}, whole]);
    expect(entries()).toEqual(settings.ipAccessList);
  });

  test("lost while it removes is not sent again when the entries are gone", async () => {
    const { lifecycle, id, outputs } = await applied({ kind: "slow", ms: 0 });
    takeWrites(simulator);
    simulator.control.fault({ operationId: "updateService", kind: "reset-after" });
    await lifecycle.delete(id, { ...outputs, deletionPolicy: "delete" });
    expect(bodies()).toEqual([{ ipAccessList: { remove: settings.ipAccessList } }, {}]);
    expect(entries()).toEqual([]);
  });

  test("lost for good removes the sent field from the state, so that a reverted program sends it again", async () => {
    const { lifecycle, id, outputs } = await applied({ kind: "slow", ms: 0 });
    const put = (name: string) => ({ ...outputs, name }) as typeof outputs;
    simulator.control.fault({ operationId: "updateService", kind: "reset-after", times: 9 });
    const { outputs: left } = await partOf(lifecycle.update(id, outputs, put("Shop")));
    expect(left).not.toHaveProperty("name");
    expect(left).toMatchObject({ ipAccessList: settings.ipAccessList });
    simulator.control.clearFaults();
    takeWrites(simulator);
    expect(lifecycle.diff(id, left, put("Demo")).changed).toBe(true);
    expect(await lifecycle.update(id, left, put("Demo"))).toMatchObject({ name: "Demo" });
    expect(bodies()).toEqual([{ name: "Demo" }]);
  });
});
