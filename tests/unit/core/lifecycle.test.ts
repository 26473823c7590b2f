import { describeFailure } from "../../../provider/src/core/validation";
import { PRIVATE_STATE } from "../../../provider/src/core/private-state";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { PartialFailure, type ResourceDefinition } from "../../../provider/src/core/lifecycle";
import { preview } from "../../../testkit/preview";
import { schema, testLifecycle } from "./test-lifecycle";

describe("a preview of an adoption", () => {
  const adopting = { name: "a", adopt: "b" };

  test.each<[what: string, olds: PropertyMap | undefined, news: PropertyMap, asks: boolean]>([
    ["of a new resource that adopts", undefined, adopting, true],
    ["not of a new one that does not", undefined, { name: "a" }, false],
    ["not while something is wrong with the arguments", undefined, { ...adopting, name: 1 }, false],
    ["not of a resource in the stack", { name: "a" }, adopting, false],
  ])("%s", async (_, olds, news, asks) => {
    const asked: unknown[] = [];
    const { lifecycle, lines } = testLifecycle({
      previewAdoption: ({ adopt }) => {
        asked.push(adopt);
        return Promise.resolve({ lines: ["b will change"], failures: [{ path: ["adopt"], reason: "no" }] });
      },
    });
    const failures = await lifecycle.checkAdoption(lifecycle.check(olds, news));
    expect(asked).toEqual(asks ? ["b"] : []);
    expect(lines).toEqual(asks ? ["b will change"] : []);
    expect(failures.map(describeFailure)).toEqual(asks ? ["adopt no"] : []);
  });

  test("logs nothing for a resource type without such a preview", async () => {
    const { lifecycle, lines } = testLifecycle();
    expect(await lifecycle.checkAdoption(lifecycle.check(undefined, adopting))).toEqual([]);
    expect(lines).toEqual([]);
  });
});

describe("a change at preview", () => {
  test.each<[what: string, news: PropertyMap, changed: boolean]>([
    ["nothing", { name: "a" }, false],
    ["what is only sent along", { name: "a", validate: true }, false],
    ["what steers the provider", { name: "a", adopt: "b" }, true],
    ["a field", { name: "b" }, true],
  ])("of %s", (_, news, changed) => {
    expect(testLifecycle().lifecycle.diff("1", { name: "a" }, news).changed).toBe(changed);
  });

  test("is not compared while something is wrong with the arguments", () => {
    const outputs = { serviceId: "s", name: "a", place: { room: "x", floor: "1" } };
    const news = { name: "a", place: { room: 2, floor: "3", flor: "4" } };
    expect(preview(testLifecycle().lifecycle, { id: "1", outputs }, news).failures).toEqual([
      "place.room must be a string, got 2",
      'place.flor is not an argument; did you mean "floor"?',
    ]);
  });

  test("needs no permission where the resource type has no policy", () => {
    const free = testLifecycle({ schema: schema().omit({ replacementPolicy: true }) }).lifecycle;
    const outputs = { serviceId: "s", name: "a", place: { room: "x" } };
    const news = { ...outputs, place: { room: "y" } };
    expect(preview(free, { id: "1", outputs }, news).failures).toEqual([]);
    expect(preview(testLifecycle().lifecycle, { id: "1", outputs }, news).failures).toHaveLength(1);
  });
});

describe("a preview, where the service returns another value than the declared one", () => {
  const linesOf = (declared: PropertyMap, observed: PropertyMap): (string | undefined)[] => {
    const { lifecycle, lines } = testLifecycle();
    preview(
      lifecycle,
      { id: "1", outputs: { name: "a", ...declared, observed } },
      { name: "a", ...declared },
    );
    return lines;
  };
  const two = [{ name: "a" }, { name: "b" }];

  test.each<[what: string, declared: PropertyMap, observed: PropertyMap, line: string]>([
    ["a number", { size: 5 }, { size: 4 }, "size is declared as 5, but the API returns 4"],
    ["a flag", { open: true }, { open: false }, "open is declared as true, but the API returns false"],
  ])("warns of %s", (_, declared, observed, line) => {
    expect(linesOf(declared, observed)).toEqual([
      `warning: Thing 1: ${line}: the service has ignored the declared value.`,
    ]);
  });

  test("after a write, says only what the answer to the write had, until a read", () => {
    const { lifecycle, lines } = testLifecycle();
    const outputs = {
      name: "a",
      size: 5,
      observed: { size: 0 },
      [PRIVATE_STATE]: { key: "k", written: true },
    };
    preview(lifecycle, { id: "1", outputs }, { name: "a", size: 5 });
    expect(lines).toEqual([
      "Thing 1: size is declared as 5, but the API returned 0 when the provider sent it. Run `pulumi refresh` to read the current value.",
    ]);
  });

  test.each<[what: string, hasReadOperation: true | undefined, size: number, lines: string[]]>([
    ["nothing once a read returns the declared value", undefined, 5, []],
    ["nothing once a read returns the declared value, also where it is not stored twice", true, 5, []],
    [
      "that the service has ignored the value, once a read returns another one",
      undefined,
      0,
      [
        "warning: Thing 1: size is declared as 5, but the API returns 0: the service has ignored the declared value.",
      ],
    ],
  ])("after a write, says %s", async (_, hasReadOperation, size, expected) => {
    const { lifecycle, lines } = testLifecycle({
      read: () => Promise.resolve({ name: "a", size }),
      ...(hasReadOperation && { hasReadOperation }),
    });
    const outputs = {
      name: "a",
      size: 5,
      observed: { size: 0 },
      [PRIVATE_STATE]: { key: "k", written: true },
    };
    const read = await lifecycle.read("1", outputs);
    preview(lifecycle, { id: "1", outputs: read?.outputs ?? {} }, { name: "a", size: 5 });
    expect(lines).toEqual(expected);
  });

  test.each<[what: string, declared: PropertyMap, observed: PropertyMap]>([
    ["a list with more elements than declared", { tags: [{ name: "a" }] }, { tags: two }],
    ["a list with fewer elements than declared", { tags: two }, { tags: [] }],
    ["a declared empty list", { tags: [] }, { tags: two }],
    ["another spelling of a text", { note: "A" }, { note: "a" }],
  ])("does not warn of %s", (_, declared, observed) => {
    expect(linesOf(declared, observed)).toEqual([]);
  });
});

describe("a read", () => {
  const now = { name: "a", note: "n", state: "up", place: { room: "x" } };
  const reading = (more: Partial<ResourceDefinition> = {}) =>
    testLifecycle({ read: () => Promise.resolve(now), ...more }).lifecycle;

  test.each<[what: string, properties: PropertyMap]>([
    ["only the id is given", {}],
    ["only the id and the service are given", { serviceId: "s" }],
    ["less is given than a program must declare", { serviceId: "s", note: "other" }],
  ])("shows all declarable fields where %s", async (_, properties) => {
    const read = await reading().read("1", properties);
    expect(read?.inputs).toEqual({ serviceId: "s", name: "a", note: "n", place: { room: "x" } });
    expect(read?.outputs).toEqual({ ...read?.inputs, state: "up", observed: now });
  });

  test("fails with its own code where the resource does not exist", async () => {
    const absent = reading({ read: () => Promise.resolve(undefined) });
    await expect(absent.read("1", {})).rejects.toMatchObject({
      code: "not-found",
      message: "Thing 1 does not exist.",
    });
  });

  test("keeps the key and the adopted id in the state, and forgets what was sent", async () => {
    const kept = { key: "k", adopt: "a" };
    const privateState = { ...kept, written: true, sent: ["name"], former: { name: "b" } };
    const read = await reading().read("1", { name: "a", observed: now, [PRIVATE_STATE]: privateState });
    expect(read?.outputs[PRIVATE_STATE]).toEqual(kept);
  });

  test("shows only the declared fields of a resource that the program declares", async () => {
    const declared = { serviceId: "s", name: "a" };
    expect((await reading().read("1", declared))?.inputs).toEqual(declared);
    expect((await reading().read("1", { ...declared, observed: {} }))?.inputs).toEqual(declared);
    expect((await reading().read("1", { observed: now }))?.inputs).toEqual({ serviceId: "s" });
  });

  test("shows only the declared fields of a type without required ones, if there are any", async () => {
    const loose = reading({ schema: schema().partial() });
    expect((await loose.read("1", { serviceId: "s" }))?.inputs).toHaveProperty("note", "n");
    expect((await loose.read("1", { name: "a" }))?.inputs).not.toHaveProperty("note");
  });
});

describe("an update", () => {
  const olds = { name: "a", note: "n", observed: { name: "a", note: "n" } };

  test("sends the changed fields, and not those that the program no longer declares", async () => {
    const sent: string[][] = [];
    const { lifecycle } = testLifecycle({
      update: ({ changes }) => {
        sent.push(changes.map(({ path }) => path));
        return Promise.resolve({ name: "b", note: "n" });
      },
    });
    await lifecycle.update("1", olds, { name: "b" });
    expect(sent).toEqual([["name"]]);
  });

  test("warns of a sent field that the API returns with another value, and of no other", async () => {
    const { lifecycle, lines } = testLifecycle({ update: () => Promise.resolve({ name: "B", note: "N" }) });
    const outputs = await lifecycle.update("1", olds, { name: "b", note: "n" });
    // Sent fields stay as declared; the next preview shows what another client changed.
    expect(outputs).toMatchObject({ name: "b", note: "N" });
    expect(lines).toEqual([
      'warning: Thing 1: name was sent as "b", but the API returned "B". The service may have ignored the value.',
    ]);
  });

  test("leaves changes of other clients to the next refresh, where the API can read the resource", async () => {
    const answer = { name: "B", note: "N" };
    const { lifecycle } = testLifecycle({
      hasReadOperation: true,
      update: () => Promise.resolve(answer),
      read: () => Promise.resolve(answer),
    });
    const outputs = await lifecycle.update(
      "1",
      { name: "a", note: "n", observed: {} },
      { name: "b", note: "n" },
    );
    expect(outputs).toMatchObject({ name: "b", note: "n", observed: { name: "B" } });
    expect((await lifecycle.read("1", outputs))?.inputs).toMatchObject({ name: "b", note: "N" });
  });

  test("with nothing to send logs nothing, and keeps the observed values", async () => {
    const { lifecycle, lines } = testLifecycle({ update: () => Promise.resolve(undefined) });
    const known = { ...olds, state: "up", observed: { ...olds.observed, state: "up" } };
    const outputs = await lifecycle.update("1", known, { name: "a", note: "n", adopt: "b" });
    expect(outputs).toEqual({ ...known, adopt: "b" });
    expect(lines).toEqual([]);
  });
});

describe("after a create, a warning names", () => {
  const linesOf = async (inputs: PropertyMap, current: PropertyMap): Promise<(string | undefined)[]> => {
    const { lifecycle, lines } = testLifecycle({ create: () => Promise.resolve({ id: "1", current }) });
    await lifecycle.create(inputs);
    return lines;
  };
  const otherwise = (path: string, sent: string, states: string): string =>
    `warning: Thing 1: ${path} was sent as ${sent}, but the API returned ${states}. The service may have ignored the value.`;

  test.each<[what: string, inputs: PropertyMap, current: PropertyMap, lines: string[]]>([
    ["another value than was sent", { name: "a" }, { name: "A" }, [otherwise("name", '"a"', '"A"')]],
    ["no secret, which services mask", { key: "hush" }, { key: "else" }, []],
    [
      "a value without the secret inside it",
      { tags: [{ name: "t", key: "hush" }] },
      { tags: [{ name: "T", key: "else" }] },
      [otherwise("tags", '[{"name":"t","key":"[secret]"}]', '[{"name":"T","key":"[secret]"}]')],
    ],
    ["no field that the API leaves out", { name: "a", note: "n" }, { name: "a" }, []],
    ["no field of the provider alone", { adopt: "b" }, {}, []],
    ["no field that the API never returns", { login: "a" }, { login: "b" }, []],
    ["no field that the program does not declare", { name: "a" }, { name: "a", note: "n" }, []],
  ])("%s", async (_, inputs, current, lines) => {
    expect(await linesOf(inputs, current)).toEqual(lines);
  });
});

test.each<[what: string, cause: Error, message: string]>([
  ["an error", new Error("The API is away."), "The API is away."],
  // What other libraries reject with is not always an error.
  ["anything else", "away" as unknown as Error, "away"],
])("a failure after something exists says why, and keeps its cause: %s", async (_, cause, message) => {
  const { lifecycle } = testLifecycle({
    create: (inputs, progress) => {
      progress.checkpoint("1", inputs, { state: "new" });
      return Promise.reject(cause);
    },
  });
  const failure: unknown = await lifecycle.create({ name: "a" }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PartialFailure);
  expect(failure).toMatchObject({ id: "1", message, cause, properties: { name: "a", state: "new" } });
});

describe("defaults from the logical name", () => {
  const named = testLifecycle({ defaultsOf: (name) => ({ name: name.toLowerCase() }) }).lifecycle;

  test.each<[what: string, news: PropertyMap, logicalName: string | undefined, name: unknown]>([
    ["fill in what the program leaves out", {}, "orders", "orders"],
    ["fill in what the program gives as null", { name: null }, "orders", "orders"],
    ["give way to what the program gives", { name: "returns" }, "orders", "returns"],
    ["are none where the adapter knows no logical name", {}, undefined, undefined],
  ])("%s", (_, news, logicalName, name) => {
    expect(named.check(undefined, news, logicalName).inputs["name"]).toBe(name);
  });

  test("are none for a type that has no such defaults", () => {
    expect(testLifecycle().lifecycle.check(undefined, {}, "orders").inputs).toEqual({ serviceId: "s" });
  });
});
