import type { Identified, WireObject } from "../../../provider/src/api/document/wire";
import { candidatesOf, creationTimeOf } from "../../../provider/src/resources/pipe/candidates";
import { matchOf } from "../../../provider/src/resources/pipe/match";
import { DatapipesError, type DatapipesErrorCode } from "../../../provider/src/messages/errors";
import { isOutcomeUnknown } from "../../../provider/src/resources/outcome";

const body: WireObject = { name: "orders", destination: { table: "t" } };
const SENT = Date.parse("2026-01-31T12:00:00.000Z");
const iso = (moment: number): string => new Date(moment).toISOString();
/** What the clock of the server is known to have shown, to 200 ms. */
const sent = { from: SENT - 100, to: SENT + 100 };

const OLD_LIST = 1_001;
const FRESH_LIST = 1_000;

const BEFORE = "created before the request";
const PERHAPS = "perhaps created before the request";
const DIFFERS = "differs from the program";

function classified(createdAt: unknown, listAge: number, clock?: typeof sent): string {
  const pipe = { ...body, id: "1", createdAt } as Identified;
  const { created, doubtful } = candidatesOf({ body, sent: clock, listAge }, [pipe], new Map());
  return doubtful[0]?.doubt ?? (created.length === 1 ? "created" : "none");
}

test.each<[what: string, createdAt: unknown, oldList: string, freshList: string]>([
  ["4 s before", iso(SENT - 4_000), BEFORE, BEFORE],
  ["4 s before, in another zone", "2026-01-31T13:59:56.000+02:00", BEFORE, BEFORE],
  ["4 s before, in whole seconds", "2026-01-31T11:59:56Z", BEFORE, BEFORE],
  ["2 s before", iso(SENT - 1_999), PERHAPS, "created"],
  ["1 s after", iso(SENT + 1_001), "created", "created"],
  ["in the same second", "2026-01-31T12:00:00Z", PERHAPS, "created"],
  ["a second later, in whole seconds", "2026-01-31T12:00:01Z", "created", "created"],
  ["at no time", undefined, PERHAPS, "created"],
  ["at an unreadable time", "yesterday", PERHAPS, "created"],
  ["at a time without a zone", "2026-01-31T11:00:00.000", PERHAPS, "created"],
  ["on a day", "2026-01-31", PERHAPS, "created"],
])("checks a similar pipe that was created %s", (_, createdAt, oldList, freshList) => {
  expect(classified(createdAt, OLD_LIST, sent)).toBe(oldList);
  expect(classified(createdAt, FRESH_LIST, sent)).toBe(freshList);
});

test("without the server's clock, only a list of just before proves that a pipe is new", () => {
  for (const createdAt of [iso(SENT - 4_000), iso(SENT + 4_000)]) {
    expect(classified(createdAt, OLD_LIST)).toBe(PERHAPS);
    expect(classified(createdAt, FRESH_LIST)).toBe("created");
  }
});

test("a pipe between the first request and its repetition may be the first one's", () => {
  const pipe = { ...body, id: "1", createdAt: iso(SENT - 20_000) };
  const firstSent = { from: SENT - 30_000, to: SENT - 30_000 };
  const { created, doubtful } = candidatesOf({ body, sent, firstSent, listAge: OLD_LIST }, [pipe], new Map());
  expect([created.length, doubtful[0]?.doubt]).toEqual([0, PERHAPS]);
});

test("older and different pipes are no candidates, and a normalized one is doubtful", () => {
  const capitals = { ...body, id: "3", name: "Orders" };
  const pipes = [{ ...body, id: "A" }, { ...body, id: "2", name: "returns" }, capitals];
  const found = candidatesOf({ body, sent, listAge: 0 }, pipes, new Map([["a", true]]));
  expect(found).toEqual({ created: [], doubtful: [{ pipe: pipes[2], doubt: DIFFERS }] });
});

const cased = { ...body, id: "1", createdAt: iso(SENT + 1_000) };
const second = { ...cased, id: "2" };
const inUpperCase: WireObject = { name: "orders", destination: { table: "T" } };

test.each<[what: string, pipes: Identified[], found: string]>([
  ["created when only it came", [cased, { ...second, name: "returns" }], "1: created"],
  ["doubtful at no known time", [{ ...cased, createdAt: null }], `1: ${PERHAPS}`],
  ["doubtful at about the time of the request", [{ ...cased, createdAt: iso(SENT) }], `1: ${PERHAPS}`],
  ["doubtful beside another pipe", [cased, second], `1: ${DIFFERS}, 2: ${DIFFERS}`],
  ["doubtful beside a similar name", [cased, { ...second, name: "Orders" }], `1: ${DIFFERS}, 2: ${DIFFERS}`],
  ["doubtful beside its equal", [cased, { ...second, ...inUpperCase }], `2: created, 1: ${DIFFERS}`],
])("a pipe whose table the service has written in lower case is %s", (_, pipes, found) => {
  const { created, doubtful } = candidatesOf({ body: inUpperCase, sent, listAge: 0 }, pipes, new Map());
  const told = [
    ...created.map(({ id }) => `${id}: created`),
    ...doubtful.map((each) => `${each.pipe.id}: ${each.doubt}`),
  ];
  expect(told.join(", ")).toBe(found);
});

test.each<[createdAt: string, from: number, to: number]>([
  ["2026-01-31T12:00:00.123Z", 123, 124],
  ["2026-01-31T12:00:00.123456Z", 123, 124],
  ["2026-01-31T12:00:00.5Z", 450, 600],
  ["2026-01-31T12:00:00.000Z", -500, 1_000],
  ["2026-01-31T12:00:00Z", -500, 1_000],
  ["2026-01-31T13:00:00+0100", -500, 1_000],
])("%s is a moment from %d to %d ms after noon", (createdAt, from, to) => {
  expect(creationTimeOf(createdAt)).toEqual({ from: SENT + from, to: SENT + to });
});

test("what is no moment with a second and a zone cannot be compared", () => {
  const texts = ["2026-01-31T12:00Z", "2026-01-31 12:00:00", "31 Jan 2026 12:00 GMT", "2026-13-31T12:00:00Z"];
  expect([...texts, 7, null].filter((createdAt) => creationTimeOf(createdAt) !== undefined)).toEqual([]);
});

const requested: WireObject = {
  name: "Orders",
  source: {
    kafka: { brokers: "B:9092", topics: "orders", credentials: { username: "u", password: "p" } },
    validateSamples: true,
  },
  destination: { database: "default", table: "Orders" },
};
const kafka = (more: WireObject): WireObject => ({ ...requested, source: { kafka: more } });

const storage = (path: string, more: WireObject = {}): WireObject => ({
  ...requested,
  source: { objectStorage: { path, connectionString: "AccountKey=k", ...more } },
});
const nulls = { name: "Orders", source: null, destination: { table: null } };
const kinesis = (streamName: string): WireObject => ({ ...requested, source: { kinesis: { streamName } } });
const into = (destination: WireObject): WireObject => ({ ...requested, destination });

test.each<[match: ReturnType<typeof matchOf>, what: string, pipe: WireObject, asked?: WireObject]>([
  ["exact", "all the same", requested],
  ["exact", "without what is never returned", kafka({ brokers: "B:9092", topics: "orders" })],
  ["exact", "a secret member of another value", kafka({ credentials: { username: "another" } })],
  ["exact", "a summary of it", { name: "Orders" }],
  ["exact", "nulls in place of what is absent", nulls],
  ["exact", "null for a member", kafka({ brokers: "B:9092", topics: null })],
  ["exact", "null for another kind of source", { ...requested, source: { kinesis: null } }],
  ["exact", "a list in place of a text", kafka({ brokers: ["another:9092"], topics: "orders" })],
  ["exact", "a broker in another case", kafka({ brokers: "b:9092 " })],
  ["exact", "made at any time", { ...requested, createdAt: "2020-01-31T11:55:00Z" }],
  ["exact", "and no source was requested", requested, { name: "Orders" }],
  ["exact", "and null was requested", requested, kafka({ brokers: "B:9092", topics: null })],
  ["exact", "and another list was requested", kafka({ brokers: ["two"] }), kafka({ brokers: ["one"] })],
  ["exact", "and a list was requested in place of a text", requested, kafka({ brokers: ["one"] })],
  ["exact", "a masked connection string", storage("in", { connectionString: "***" }), storage("in")],
  ["normalized", "its table in another case", into({ table: "orders" })],
  ["normalized", "its path without superfluous slashes", storage("in/*.json"), storage("/in//*.json/")],
  ["normalized", "and a masked secret", storage("in", { connectionString: "***" }), storage("/in")],
  ["possible", "a slash inside of its path", storage("ina.json"), storage("in/a.json")],
  ["possible", "another path", storage("out"), storage("in")],
  ["possible", "its name in another case", { ...requested, name: "orders" }],
  ["possible", "its name with a space", { ...requested, name: "Orders " }],
  ["possible", "another database", into({ database: "another", table: "Orders" })],
  ["possible", "another topic", kafka({ topics: "returns" })],
  ["none", "another name", { ...requested, name: "returns" }],
  ["none", "another table", into({ table: "returns" })],
  ["none", "another kind of source", kinesis("orders")],
  ["none", "no name", { source: requested["source"] }],
])("the match is %s: %s", (...[match, , pipe, asked = requested]) => {
  expect(matchOf(asked, pipe)).toBe(match);
});

test.each<[isUnknown: boolean, code: DatapipesErrorCode, ...answers: DatapipesError["answer"][]]>([
  [true, "timeout", {}],
  [true, "server-error", { status: 500 }],
  [true, "invalid-response", { status: 200 }],
  [true, "connection", {}, { arrived: true }],
  [false, "connection", { arrived: false }],
  [true, "unexpected-status", {}, { status: 307 }, { status: 399 }, { status: 408 }, { status: 499 }],
  [false, "unexpected-status", { status: 400 }, { status: 418 }],
  [false, "bad-request", { status: 400 }],
  [true, "rate-limited", { status: 429, isPage: true }],
  [false, "rate-limited", { status: 429, isRateLimit: true }],
  [false, "conflict", { status: 409 }],
])("whether a request may have had an effect is %p after %s %j", (isUnknown, code, ...answers) => {
  const errors = answers.map((answer) => new DatapipesError(code, "m", { answer }));
  expect(errors.map(isOutcomeUnknown)).toEqual(answers.map(() => isUnknown));
});

test("an error of another package leaves nothing unknown", () => {
  expect([new Error("m"), undefined, { code: "timeout" }].filter(isOutcomeUnknown)).toEqual([]);
});
