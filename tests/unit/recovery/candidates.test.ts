import { candidatesOf, creationTimeOf } from "../../../provider/src/resources/recovery/candidates";
import type { WireObject } from "../../../provider/src/api/wire";

const body: WireObject = { name: "orders", destination: { table: "t" } };
const SENT = Date.parse("2026-01-31T12:00:00.000Z");
const iso = (moment: number): string => new Date(moment).toISOString();
/** What the clock of the server is known to have shown, to 200 ms. */
const sent = { from: SENT - 100, to: SENT + 100 };

const OLD_LIST = 1_001;
const FRESH_LIST = 1_000;

function classified(createdAt: unknown, listAge: number, clock: typeof sent | undefined = sent): string {
  const pipe = { ...body, id: "1", createdAt } as WireObject & { id: string };
  const { created, doubtful } = candidatesOf({ body, sent: clock, listAge }, [pipe], new Map());
  return doubtful[0]?.doubt ?? (created.length === 1 ? "created" : "none");
}

test.each<[what: string, createdAt: unknown, oldList: string, freshList: string]>([
  ["4 s before", iso(SENT - 4_000), "created before the request", "created before the request"],
  [
    "4 s before, in another zone",
    "2026-01-31T13:59:56.000+02:00",
    "created before the request",
    "created before the request",
  ],
  ["1 s before", iso(SENT - 1_000), "perhaps created before the request", "created"],
  ["1 s after", iso(SENT + 1_001), "created", "created"],
  [
    "4 s before, in whole seconds",
    "2026-01-31T11:59:56Z",
    "created before the request",
    "created before the request",
  ],
  ["in the same second", "2026-01-31T12:00:00Z", "perhaps created before the request", "created"],
  ["a second later, in whole seconds", "2026-01-31T12:00:01Z", "created", "created"],
  ["at no time", undefined, "perhaps created before the request", "created"],
  ["at an unreadable time", "yesterday", "perhaps created before the request", "created"],
  ["at a time without a zone", "2026-01-31T11:00:00.000", "perhaps created before the request", "created"],
  ["on a day", "2026-01-31", "perhaps created before the request", "created"],
])("checks a similar pipe that was created %s", (_, createdAt, oldList, freshList) => {
  expect(classified(createdAt, OLD_LIST)).toBe(oldList);
  expect(classified(createdAt, FRESH_LIST)).toBe(freshList);
});

test("without the server's clock, only a list of just before proves that a pipe is new", () => {
  for (const createdAt of [iso(SENT - 4_000), iso(SENT + 4_000)]) {
    const at = (listAge: number): string => {
      const pipe = { ...body, id: "1", createdAt };
      const found = candidatesOf({ body, sent: undefined, listAge }, [pipe], new Map());
      return found.doubtful[0]?.doubt ?? "created";
    };
    expect([at(OLD_LIST), at(FRESH_LIST)]).toEqual(["perhaps created before the request", "created"]);
  }
});

test("a pipe between the first request and its repetition may be the first one's", () => {
  const pipe = { ...body, id: "1", createdAt: iso(SENT - 20_000) };
  const firstSent = { from: SENT - 30_000, to: SENT - 30_000 };
  const { created, doubtful } = candidatesOf({ body, sent, firstSent, listAge: OLD_LIST }, [pipe], new Map());
  expect([created.length, doubtful[0]?.doubt]).toEqual([0, "perhaps created before the request"]);
});

test("older and different pipes are no candidates, and a normalized one is doubtful", () => {
  const pipes = [
    { ...body, id: "A" },
    { ...body, id: "2", name: "returns" },
    { ...body, id: "3", name: "Orders" },
  ];
  const found = candidatesOf({ body, sent, listAge: 0 }, pipes, new Map([["a", true]]));
  expect(found).toEqual({ created: [], doubtful: [{ pipe: pipes[2], doubt: "differs from the program" }] });
});

describe("a pipe whose table the service has written in lower case", () => {
  const asked: WireObject = { name: "orders", destination: { table: "T" } };
  const pipe = { ...body, id: "1", createdAt: iso(SENT + 1_000) };
  const sorted = (...pipes: (WireObject & { id: string })[]) => {
    const { created, doubtful } = candidatesOf({ body: asked, sent, listAge: 0 }, pipes, new Map());
    return [
      ...created.map(({ id }) => `${id}: created`),
      ...doubtful.map((each) => `${each.pipe.id}: ${each.doubt}`),
    ];
  };

  test("counts as created when only it appeared after the request", () => {
    expect(sorted(pipe, { ...pipe, id: "2", name: "returns" })).toEqual(["1: created"]);
  });

  test("is doubtful when only the age of the list says that it is new", () => {
    expect(sorted({ ...pipe, createdAt: null })).toEqual(["1: perhaps created before the request"]);
    expect(sorted({ ...pipe, createdAt: iso(SENT) })).toEqual(["1: perhaps created before the request"]);
  });

  test("is doubtful beside another pipe of the name", () => {
    const differs = "differs from the program";
    expect(sorted(pipe, { ...pipe, id: "2" })).toEqual([`1: ${differs}`, `2: ${differs}`]);
    expect(sorted(pipe, { ...pipe, id: "2", name: "Orders" })).toEqual([`1: ${differs}`, `2: ${differs}`]);
    expect(sorted(pipe, { ...pipe, id: "2", ...asked })).toEqual(["2: created", `1: ${differs}`]);
  });
});

test.each<[createdAt: string, from: number, to: number]>([
  ["2026-01-31T12:00:00.123Z", 123, 124],
  ["2026-01-31T12:00:00.123456Z", 123, 124],
  ["2026-01-31T12:00:00.5Z", 450, 600],
  ["2026-01-31T12:00:00.000Z", -500, 1_000],
  ["2026-01-31T12:00:00Z", -500, 1_000],
])("%s is a moment from %d to %d ms after noon", (createdAt, from, to) => {
  expect(creationTimeOf(createdAt)).toEqual({ from: SENT + from, to: SENT + to });
});

test.each([
  "2026-01-31T12:00Z",
  "2026-01-31 12:00:00",
  "31 Jan 2026 12:00:00 GMT",
  "2026-13-31T12:00:00Z",
  7,
  null,
])("%j is no moment that can be compared", (createdAt) => {
  expect(creationTimeOf(createdAt)).toBeUndefined();
});
