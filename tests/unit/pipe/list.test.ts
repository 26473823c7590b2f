import { WireList } from "../../../provider/src/api/wire";
import type { PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { LAG_MS, PipeLists, timeOf, type PipeList } from "../../../provider/src/resources/pipe/list";
import { ManualClock } from "../../kit/clock";
import { organizationId, pipeId, serviceId } from "../../kit/lifecycle";

const SCOPE = { organizationId, serviceId };
const PIPE = { id: pipeId, name: "orders" };
const MINUTE = 60_000;

const answer = (...pipes: readonly (typeof PIPE)[]): WireList => new WireList(pipes);

/** Lists of a service, on a clock that a test moves. `list` tells what the service answers at a time. */
function listsOf(
  list: (seconds: number) => WireList | Error,
  { cancelAt = Infinity, isDeleted = (_id: string): boolean => false, knowsTime = true } = {},
) {
  const clock = new ManualClock();
  /** When each list was asked for, in seconds, and how often its request may be repeated. */
  const reads: number[] = [];
  const maxRetries: (number | undefined)[] = [];
  const client = {
    serverNow: () => (knowsTime ? clock.now() : undefined),
    listPipes: (_scope: object, options: { sent?: (() => void) | undefined; maxRetries?: number } = {}) => {
      options.sent?.();
      reads.push(clock.now() / 1000);
      maxRetries.push(options.maxRetries);
      const result = list(clock.now() / 1000);
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  };
  const isCancelled = (): boolean => clock.now() >= cancelAt;
  const lists = new PipeLists(() => client, Object.assign(clock, { isCancelled }), isDeleted);
  return { clock, reads, maxRetries, lists };
}

const find = (pipes: PipeList["pipes"]) => pipes.get(pipeId);
const away = new Error("The API is away.");

describe("waiting for a list that shows a pipe", () => {
  test.each<[what: string, shownAt: number, reads: number[], found: boolean]>([
    ["at once", 0, [0], true],
    ["after a second", 1, [0, 1], true],
    ["after 20 s", 20, [0, 1, 3, 7, 15, 31], true],
    ["after a minute", 60, [0, 1, 3, 7, 15, 31, 60], true],
    ["never", Infinity, [0, 1, 3, 7, 15, 31, 60], false],
  ])("asks for lists at growing intervals, of which one shows it %s", async (_, shownAt, reads, found) => {
    const run = listsOf((now) => (now >= shownAt ? answer(PIPE) : answer()));
    const awaited = await run.clock.runDuring(run.lists.await(SCOPE, find));
    expect(awaited.found).toBe(found ? PIPE : undefined);
    expect(run.reads).toEqual(reads);
    expect(run.clock.now()).toBe(1000 * (reads.at(-1) ?? NaN));
  });

  test.each<[lag: number, reads: number[]]>([
    [500, [0, 1]],
    [5_000, [0, 1, 3, 5]],
  ])(
    "asks for two lists at least, and for none after the %d ms that lists may be behind",
    async (lag, reads) => {
      const run = listsOf(() => answer());
      await run.clock.runDuring(run.lists.await(SCOPE, find, lag));
      expect(run.reads).toEqual(reads);
    },
  );

  const partial = new WireList([], [{ id: "1" }]);

  test.each<[what: string, first: WireList | Error, last: WireList, isAbsent: boolean]>([
    ["absent: two complete lists lack it", answer(), answer(), true],
    ["not absent: the first list cannot be read", away, answer(), false],
    ["not absent: the first list is incomplete", partial, answer(), false],
    ["not absent: the last list is incomplete", answer(), partial, false],
    ["not absent: the last list shows it", answer(), answer(PIPE), false],
  ])("says that a pipe is %s", async (_, first, last, isAbsent) => {
    const run = listsOf((now) => (now < 1 ? first : last));
    const awaited = await run.clock.runDuring(run.lists.await(SCOPE, find, 0));
    expect(awaited.isAbsent).toBe(isAbsent);
    expect(run.reads).toEqual([0, 1]);
  });

  test("asks again for a list that cannot be read", async () => {
    const { clock, lists, reads } = listsOf((now) => (now < 3 ? away : answer(PIPE)));
    expect((await clock.runDuring(lists.await(SCOPE, find))).found).toBe(PIPE);
    expect(reads).toEqual([0, 1, 3]);
  });

  test("fails if the last list cannot be read", async () => {
    const { clock, lists, reads } = listsOf(() => away);
    await expect(clock.runDuring(lists.await(SCOPE, find, 5_000))).rejects.toBe(away);
    expect(reads).toEqual([0, 1, 3, 5]);
  });

  test("ends with one more list when the run was canceled", async () => {
    const { clock, lists, reads } = listsOf(() => answer(), { cancelAt: 4_000 });
    await clock.runDuring(lists.await(SCOPE, find));
    expect(reads).toEqual([0, 1, 3, 7]);
  });
});

describe("the list of a service", () => {
  test("is read again for a create after a minute, and for a check never", async () => {
    const { lists, reads, clock } = listsOf(() => answer(PIPE));
    const readRecent = () => lists.read(SCOPE, clock.now() - LAG_MS);
    await lists.readOnce(SCOPE);
    await clock.run(MINUTE - 1);
    await readRecent();
    expect(reads).toEqual([0]);
    await clock.run(MINUTE);
    await Promise.all([lists.readOnce(SCOPE), readRecent(), readRecent()]);
    expect(reads).toEqual([0, 60]);
  });

  test("is asked for by a check without retries", async () => {
    const { lists, maxRetries } = listsOf(() => away);
    await expect(lists.readOnce(SCOPE)).rejects.toBe(away);
    expect(maxRetries).toEqual([0]);
  });

  test.each<[what: string, unidentified: WireList["leftOut"], isComplete: boolean]>([
    ["complete with all pipes", [], true],
    ["incomplete beside a pipe whose ID is not a UUID", [{ id: "1" }], false],
  ])("is %s", async (_, unidentified, isComplete) => {
    const list = await listsOf(() => new WireList([PIPE], unidentified)).lists.read(SCOPE);
    expect(list).toEqual({ pipes: new Map([[pipeId, PIPE]]), unidentified, isComplete });
  });

  test("does not have a pipe that this run has deleted", async () => {
    const other = { ...PIPE, id: serviceId };
    const { lists } = listsOf(() => answer(PIPE, other), { isDeleted: (id) => id === pipeId });
    const { pipes } = await lists.read(SCOPE);
    expect([...pipes.values()]).toEqual([other]);
  });
});

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

test.each<[what: string, createdAt: PropertyValue, updatedAt: PropertyValue, lag: number]>([
  ["a minute after a create of this moment", at(100), undefined, MINUTE],
  ["the rest of the minute after the last update", at(10), at(70), 30_000],
  ["no time after an old write", at(10), at(39), 0],
  ["a minute at most, if the clock of the service is ahead", at(500), undefined, MINUTE],
  ["a minute, if the service tells no times", undefined, null, MINUTE],
  ["a minute, if no time can be read", "January 1, 1970", "soon", MINUTE],
])("lists may be behind for %s", async (_, createdAt, updatedAt, lag) => {
  const { lists, clock } = listsOf(() => answer());
  await clock.run(100_000);
  expect(lists.lagOf({ createdAt, updatedAt })).toBe(lag);
});

test("the time of this machine counts until an answer has told that of the service", () => {
  const { lists } = listsOf(() => answer(), { knowsTime: false });
  const before = Date.now();
  const now = lists.serverNow();
  expect(before <= now).toBe(true);
  expect(now <= Date.now()).toBe(true);
});

test.each<[text: PropertyValue, time: number | undefined]>([
  ["2026-01-31T12:00:00Z", Date.UTC(2026, 0, 31, 12)],
  ["2026-01-31T12:00:00.5z", Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
  ["2026-01-31T12:00:00+01:00", Date.UTC(2026, 0, 31, 11)],
  ["2026-01-31T12:00:00-0130", Date.UTC(2026, 0, 31, 13, 30)],
  ["2026-01-31T12:00:00", Date.UTC(2026, 0, 31, 12)],
  ["2026-01-31 12:00:00.5", Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
  ["2026-01-31Z", undefined],
  ["yesterdayT12Z", undefined],
  [1_700_000_000, undefined],
])("the time of %j is %p", (text, time) => {
  expect(timeOf(text)).toBe(time);
});
