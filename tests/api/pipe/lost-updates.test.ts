import { DatapipesError } from "../../../provider/src/messages/errors";
import { retryWhileBusy } from "../../../provider/src/resources/send-update";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import type { Fault, FaultKind } from "../../../simulator/src/index";
import { failureOf } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";
import { tableMapping } from "../../../testkit/pipes";
import { takeBodies, takeWrites, writes } from "../../../testkit/simulator";
import { deployedOnline, online, partOf, refreshed, up } from "../../../testkit/online";
import type { Online } from "../../../testkit/online";

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

describe("an update of table mappings that is", () => {
  const operationId = "updatePipe";
  const [a, b, c] = ["a", "b", "c"].map((table) => tableMapping(table));
  const pipe = (...tableMappings: unknown[]) => ({
    name: "orders",
    source: { postgres: { host: "db", port: 5432, database: "d", tableMappings } },
    destination: { database: "default" },
  });
  const excluding = pipe({ ...a, excludedColumns: ["secret"] }, b);
  const existing = () => deployedOnline(pipeDefinition, pipe(a, b));
  const tablesOf = ({ control }: Online): unknown[] =>
    control
      .state()
      .pipes.flatMap(({ source }) => source.postgres?.tableMappings ?? [])
      .map(({ sourceTable }) => sourceTable)
      .sort();

  test("only of members that the service has filled in sends nothing; another value is sent", async () => {
    const { run, control, before } = await existing();
    const filled = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: ["id"] };
    control.editPipe(before.id, { source: { postgres: { tableMappings: [{ ...a, ...filled }, b] } } });
    const read = await refreshed(run, before);
    const spelledOut = await up(run, pipe({ ...a, ...filled }, b), read);
    expect(spelledOut.outputs).toMatchObject(pipe({ ...a, ...filled }, b));
    // A program that no longer declares what is false or empty wants nothing else.
    await up(run, pipe({ ...a, sortingKeys: ["id"] }, b), spelledOut);
    expect([writes(run.simulator), run.lines]).toEqual([[], []]);
    await up(run, pipe({ ...a, ...filled, useCustomSortingKey: true }, b), read);
    expect(writes(run.simulator)).toHaveLength(2);
  });

  test.each(processed)("%s is not sent again", async (_, fault) => {
    const { run, control, before } = await existing();
    control.fault({ operationId, ...fault });
    expect((await up(run, pipe(b, c), before)).outputs).toMatchObject(pipe(b, c));
    expect([writes(run.simulator).length, tablesOf(run)]).toEqual([1, ["b", "c"]]);
  });

  test.each(unprocessed)("%s is sent again, after a look", async (_, fault) => {
    const { run, control, before } = await existing();
    control.fault({ operationId, ...fault });
    await up(run, pipe(b, c), before);
    const [first, second, ...more] = takeWrites(run.simulator);
    // The server may go on with a request for two seconds.
    expect([second, more, tablesOf(run), run.sleeps]).toEqual([first, [], ["b", "c"], [2000]]);
    const what = `update pipe "orders" (${before.id}): `;
    expect(run.lines.map((line) => line.replace(what, ""))).toEqual([
      expect.stringMatching(/^(no response|status) .*; checking what the API has changed$/),
      "the API has not made all changes; sending the rest",
    ]);
    expect(run.lines.every((line) => line.startsWith(what))).toBe(true);
  });

  test("lost, while another client made a part of it, is completed with the rest", async () => {
    const { run, control, before } = await existing();
    control.fault({ operationId, kind: "reset-before" });
    control.editPipe(before.id, { source: { postgres: { tableMappings: [b, c] } } });
    await up(run, { ...pipe(b, c), name: "renamed" }, before);
    expect(takeBodies(run.simulator).at(-1)).toEqual({ name: "renamed" });
    expect(control.state().pipes).toMatchObject([{ name: "renamed" }]);
  });

  test("refused while the removal before it still runs is repeated until it ends", async () => {
    const { run, control, before } = await existing();
    control.fault({ operationId, kind: "status", status: 409, after: 1, times: 2 });
    await up(run, excluding, before);
    const lastSleeps = run.sleeps.slice(-2);
    expect([writes(run.simulator).length, tablesOf(run), lastSleeps]).toEqual([4, ["a", "b"], [2000, 4000]]);
    expect(run.lines.at(-1)).toBe(
      "updatePipe: status 409, because the previous update may still be in progress; retrying in 4 s",
    );
  });

  test("refused for longer than a minute is an error, and the state has the tables that exist", async () => {
    const { run, control, before } = await existing();
    control.fault({ operationId, kind: "status", status: 409, after: 1, times: 99 });
    const left = await partOf(up(run, excluding, before));
    expect(left.message).toContain("returned 409");
    expect(left.outputs).toMatchObject(pipe(b));
    expect(writes(run.simulator)).toHaveLength(7);
  });

  test("refused until the deadline of its call is an error before that, with no wait that would pass it", async () => {
    const clock = Object.assign(new InstantClock(), { deadline: () => ({ seconds: 5, at: 5000 }) });
    const refused = new DatapipesError("conflict", "refused");
    const sent = retryWhileBusy({ clock, log: () => undefined, warn: () => undefined }, () =>
      Promise.reject(refused),
    );
    await expect(sent).rejects.toBe(refused);
    expect(clock.slept).toEqual([2000]);
  });

  const [broken, unread, gone] = [
    /^update pipe "orders" \(\S+\) failed: PATCH \S+\/pipes\/… got no response: /,
    /The provider cannot find out whether pipe "orders" \(\S+\) was changed, because it cannot read it \(status 500\)\. Run `pulumi refresh`, then `pulumi up`\.$/,
    /Since then, the list no longer has pipe "orders" \(\S+\)\. Run `pulumi refresh`, which finds out whether it still exists\.$/,
  ];
  const noLists: Fault = { operationId: "listPipes", kind: "status", status: 500, times: 9 };
  const cut: Fault = { operationId, kind: "reset-before" };

  test.each<[what: string, says: RegExp, requests: number, faults: Fault[], isDeleted?: true]>([
    ["again and again is an error after some attempts", broken, 3, [{ ...cut, times: 99 }]],
    ["with a list that cannot be read is an error", unread, 1, [{ ...cut, kind: "reset-after" }, noLists]],
    ["with the pipe itself is an error that says so", gone, 1, [cut], true],
  ])("lost %s", async (...[, says, requests, faults, isDeleted]) => {
    const { run, control, before } = await existing();
    for (const fault of faults) control.fault(fault);
    if (isDeleted) control.deletePipe(before.id);
    expect((await failureOf(up(run, pipe(b), before))).message).toMatch(says);
    expect(writes(run.simulator)).toHaveLength(requests);
  });
});

describe("an update of a service's lists that is", () => {
  const operationId = "updateService";
  const ipAccessList = [{ source: "10.0.0.1", description: "office" }];
  const settings = { name: "Demo", ipAccessList, transparentDataEncryptionKeyId: "key-2" };
  const whole = { ...settings, ipAccessList: { add: ipAccessList } };
  const entries = ({ control }: Online) => control.state().services[0]?.ipAccessList;

  test.each([
    ...processed.map(([what, fault]) => [what, "the fields", fault, { name: "Demo" }] as const),
    ...unprocessed.map(([what, fault]) => [what, "all", fault, whole] as const),
  ])(
    "%s is verified with an empty update, and %s that may be missing are sent again",
    async (...[, , fault, again]) => {
      const run = await online(serviceSettingsDefinition);
      run.control.fault({ operationId, ...fault });
      await up(run, settings);
      expect(takeBodies(run.simulator)).toEqual([whole, {}, again]);
      expect(entries(run)).toEqual(ipAccessList);
    },
  );

  test("lost while it removes is not sent again when the entries are gone", async () => {
    const { run, control, before } = await deployedOnline(serviceSettingsDefinition, settings);
    control.fault({ operationId, kind: "reset-after" });
    await run.lifecycle.delete(before.id, { ...before.outputs, deletionPolicy: "delete" });
    expect(takeBodies(run.simulator)).toEqual([{ ipAccessList: { remove: ipAccessList } }, {}]);
    expect(entries(run)).toEqual([]);
  });
});
