import { UNKNOWN, type PropertyMap } from "../../../provider/src/core/property-value";
import { secretMarker, undefinedIn, UNKNOWN_MARKER } from "../../../testkit/protocol";
import { answering, rejection, testProvider, SOURCE } from "./test-provider";
import { apiAnswer } from "./test-resource";

describe("what the engine sends", () => {
  test("reaches an operation with unknown values as the marker, at any depth, and without the protocol's own", async () => {
    const seen: PropertyMap[] = [];
    const { provider } = testProvider({
      create: (inputs) => {
        seen.push(inputs);
        return Promise.resolve({ id: "1", current: apiAnswer(inputs) });
      },
    });
    const books = [{ title: UNKNOWN_MARKER }, { title: `not ${UNKNOWN_MARKER}` }];
    const place = { room: UNKNOWN_MARKER };
    await provider.create({ name: UNKNOWN_MARKER, place, books, __provider: SOURCE });
    const received = [{ title: UNKNOWN }, { title: `not ${UNKNOWN_MARKER}` }];
    expect(seen).toEqual([{ name: UNKNOWN, place: { room: UNKNOWN }, books: received }]);
  });

  test("passes old inputs, new inputs and observed values to an update", async () => {
    const { provider } = testProvider({
      update: ({ id, olds, news, lastRead: observed, changes }) => {
        expect([id, olds, news, observed]).toEqual(["1", { name: "a" }, { name: "b" }, { name: "a", x: 1 }]);
        expect(changes.map(({ path }) => path)).toEqual(["name"]);
        return Promise.resolve(apiAnswer(news));
      },
    });
    const olds = { name: "a", state: "Running", observed: { name: "a", x: 1 }, __provider: SOURCE };
    const { outs } = await provider.update("1", olds, { name: "b", __provider: SOURCE });
    expect(outs).toEqual({ name: "b", state: "Running", observed: apiAnswer({ name: "b" }) });
  });

  test("configures at once, before the first wait", () => {
    const { provider, configured } = testProvider();
    const config = { get: (key: string) => (key === "datapipes:apiKeyId" ? "key" : undefined) };
    void provider.configure({ config } as Parameters<typeof provider.configure>[0]);
    expect(configured.map((read) => [read("datapipes:apiKeyId"), read("other")])).toEqual([
      ["key", undefined],
    ]);
  });
});

test("a null that the API returned is stored as null", async () => {
  const answer = { note: null, list: [null] };
  const { outs } = await answering(answer).create({ name: "a" });
  expect(outs).toEqual({ name: "a", observed: answer });
});

test("a secret is marked as a whole, without marks inside it, and an absent one is not marked", async () => {
  const answer = {
    a: { credentials: { b: 1, credentials: "inner", absent: undefined } },
    list: [{ credentials: "x" }],
    none: { credentials: null },
    absent: { credentials: undefined },
  };
  const { outs } = await answering(answer).create({ name: "a" });
  expect(outs?.["observed"]).toEqual({
    a: { credentials: secretMarker({ b: 1, credentials: "inner" }) },
    list: [{ credentials: secretMarker("x") }],
    none: { credentials: null },
    absent: {},
  });
  expect(undefinedIn(outs)).toEqual([]);
});

describe("check", () => {
  const [olds, moved] = [{ place: { room: "a" }, __provider: SOURCE }, { place: { room: "b" } }];

  test("returns unknown values as the engine's marker and secrets wrapped, at any depth", async () => {
    const { provider } = testProvider();
    const news = {
      name: UNKNOWN_MARKER,
      lock: { credentials: "hush" },
      books: [{ title: "t", credentials: UNKNOWN_MARKER }],
      place: { floor: null, room: undefined },
    };
    const result = await provider.check({}, { ...news, __provider: SOURCE });
    expect(result).toEqual({
      inputs: {
        name: UNKNOWN_MARKER,
        lock: { credentials: secretMarker("hush") },
        books: [{ title: "t", credentials: secretMarker(UNKNOWN_MARKER) }],
        place: {},
      },
      failures: [],
    });
    expect(undefinedIn(result)).toEqual([]);
  });

  test("puts the path into the reason and names no property, because the engine would print its whole value", async () => {
    const { provider } = testProvider();
    const news = { name: 1, lock: { credentials: 2 }, nme: "x" };
    const { failures } = await provider.check({}, news);
    expect(failures).toEqual([
      { property: "", reason: "name must be a string, got 1" },
      { property: "", reason: "lock.credentials must be a string" },
      { property: "", reason: 'nme is not an argument; did you mean "name"?' },
    ]);
  });

  test("compares nothing, neither for a new resource nor for one in the stack", async () => {
    const { provider } = testProvider();
    for (const stored of [{}, olds]) expect((await provider.check(stored, moved)).failures).toEqual([]);
  });

  test("refuses a replacement when the engine asks again after the diff", async () => {
    const { provider } = testProvider();
    const { inputs } = await provider.check(olds, moved);
    await provider.diff("1", olds, inputs ?? {});
    expect((await provider.check({}, moved)).failures).toEqual([
      { property: "", reason: expect.stringMatching(/^place\.room cannot be changed in place/) as string },
    ]);
  });
});

describe("diff", () => {
  const olds = { name: "a", place: { room: "x" }, __provider: SOURCE };

  test("reports that nothing changes", async () => {
    const stored = { ...olds, state: "Gone", observed: { name: "z" } };
    expect(await testProvider().provider.diff("1", stored, olds)).toEqual({ changes: false });
  });

  test("leaves it to the engine to compute what changes", async () => {
    const result = await testProvider().provider.diff("1", olds, { ...olds, name: "b" });
    expect(result).toStrictEqual({ replaces: [], deleteBeforeReplace: false });
  });

  test("reports a change only if an update must run and no input shows that", async () => {
    const { provider } = testProvider({ needsUpdate: ({ open }, { name }) => open === true && name !== "c" });
    const stored = { ...olds, observed: { open: true } };
    const plan = { replaces: [], deleteBeforeReplace: false };
    expect(await provider.diff("1", stored, olds)).toStrictEqual({ changes: true, ...plan });
    expect(await provider.diff("1", stored, { ...olds, name: "b" })).toStrictEqual(plan);
    expect(await provider.diff("1", { ...stored, name: "c" }, { ...olds, name: "c" })).toStrictEqual({
      changes: false,
    });
    expect(await provider.diff("1", olds, olds)).toStrictEqual({ changes: false });
  });

  test.each([
    ["created before the old one is left", {}, false],
    ["created after the old one is deleted", { deletionPolicy: "delete" }, true],
  ])(
    "reports the fields that replace, and that the new resource is %s",
    async (_, policy, deleteBeforeReplace) => {
      const news = { ...olds, place: { room: "y" }, replacementPolicy: "allow", ...policy };
      const { provider } = testProvider();
      const { inputs } = await provider.check(olds, news);
      expect(await provider.diff("1", olds, inputs ?? {})).toStrictEqual({
        replaces: ["place.room"],
        deleteBeforeReplace,
      });
    },
  );

  test("reports no replacement where the engine only previews a dependent", async () => {
    const news = { ...olds, place: { room: "y" }, deletionPolicy: "delete" };
    expect(await testProvider().provider.diff("1", olds, news)).toStrictEqual({
      replaces: [],
      deleteBeforeReplace: true,
    });
  });

  test.each(["refuse", "allow", UNKNOWN_MARKER])(
    "reports no change where the engine previews an unknown value, with the policy %j",
    async (replacementPolicy) => {
      const stored = { ...olds, replacementPolicy, deletionPolicy: "delete" };
      const news = { ...stored, place: UNKNOWN_MARKER };
      expect(await testProvider().provider.diff("1", stored, news)).toStrictEqual({ changes: false });
    },
  );
});

describe("a secret that a server repeats", () => {
  const secretTextsOf = ({ lock }: PropertyMap) => {
    const { credentials } = lock as { credentials: string };
    return (text: string): boolean => text.includes(credentials);
  };
  const lock = { credentials: "hush" };
  const answered = { note: "it is hush", list: ["hush", "open"], deep: { hidden: "hush" }, state: "hush" };
  const marked = {
    note: secretMarker("it is hush"),
    list: [secretMarker("hush"), "open"],
    deep: { hidden: secretMarker("hush") },
  };

  test("is secret in the outputs that the program does not declare, and nowhere else", async () => {
    const provider = answering(answered, { secretTextsOf });
    const { outs } = await provider.create({ name: "hush", lock });
    const hush = secretMarker("hush");
    const observed = { ...marked, state: hush };
    expect(outs).toEqual({ name: "hush", lock: { credentials: hush }, state: hush, observed });
    const { props } = await provider.read("1", { name: "hush", lock, observed: {} });
    expect(props).toMatchObject({ observed: marked, state: secretMarker("hush") });
  });

  test("is secret in the stored outputs of a failed create", async () => {
    const { provider } = testProvider(
      {
        create: (inputs, progress) => {
          progress.checkpoint("1", inputs, answered);
          throw new Error("too late");
        },
      },
      { secretTextsOf },
    );
    const failure = await rejection(provider.create({ name: "a", lock }));
    expect(failure).toMatchObject({ properties: { observed: marked } });
  });
});

describe("what is returned", () => {
  const declared = { lock: { credentials: "hush" }, books: [{ title: "t" }], name: undefined };
  const answered = {
    ...declared,
    state: undefined,
    echo: [{ credentials: "echoed", deep: { credentials: ["list"] } }],
    credentials: "",
    gone: undefined,
  };
  const outputs = {
    lock: { credentials: secretMarker("hush") },
    books: [{ title: "t" }],
    observed: {
      lock: { credentials: secretMarker("hush") },
      books: [{ title: "t" }],
      echo: [{ credentials: secretMarker("echoed"), deep: { credentials: secretMarker(["list"]) } }],
      credentials: secretMarker(""),
    },
  };

  test("by create holds no undefined and wraps secrets in the observed part too", async () => {
    const result = await answering(answered).create({ ...declared, __provider: SOURCE });
    expect(result).toStrictEqual({ id: "1", outs: outputs });
  });

  test("by update has what another client changed, so that the next preview shows it", async () => {
    const elsewhere = { name: "else", books: [{ title: "new" }] };
    const provider = answering(elsewhere);
    const olds = { name: "a", books: [{ title: "old" }], observed: { name: "a", books: [{ title: "old" }] } };
    const { outs } = await provider.update("1", olds, { name: "a", books: [{ title: "new" }] });
    expect(outs).toMatchObject({ name: "else", books: [{ title: "new" }] });
    expect(await provider.read("1", outs)).toMatchObject({ inputs: elsewhere });
  });

  test("by update that cannot repair another client's change still has it, however often it runs", async () => {
    const elsewhere = { name: "a", place: { room: "else" } };
    const provider = answering(elsewhere);
    const news = { name: "a", place: { room: "hall" } };
    const first = await provider.update("1", { ...news, observed: news }, news);
    const second = await provider.update("1", first.outs ?? {}, news);
    expect([first.outs, second.outs]).toMatchObject([elsewhere, elsewhere]);
  });

  test("by update stays as declared where the API only spells it in another way", async () => {
    const spelled = { name: "A", books: [{ title: "new" }] };
    const provider = answering(spelled);
    const olds = { name: "a", books: [{ title: "old" }], observed: { name: "A", books: [{ title: "old" }] } };
    const { outs } = await provider.update("1", olds, { name: "a", books: [{ title: "new" }] });
    expect(outs).toMatchObject({ name: "a" });
  });

  test("by update holds no undefined and wraps secrets in the observed part too", async () => {
    expect(await answering(answered).update("1", { name: "a" }, declared)).toStrictEqual({ outs: outputs });
  });

  test("by an update that sends nothing is what was known, with the program's values", async () => {
    const observed = { name: "a", state: "Running" };
    const olds = { name: "a", deletionPolicy: "delete", state: "Running", observed };
    const { outs } = await answering(undefined).update("1", olds, { name: "a" });
    expect(outs).toStrictEqual({ name: "a", state: "Running", observed });
  });

  test("by read holds no undefined and wraps secrets in inputs, outputs and the observed part", async () => {
    const observed = { books: [{ title: "t" }] };
    const properties = { ...declared, state: "Running", observed, __provider: SOURCE };
    const result = await answering(answered).read("1", properties);
    const { observed: _, ...inputs } = outputs;
    expect(result).toStrictEqual({ id: "1", props: outputs, inputs });
  });

  test("by read is empty for a deleted resource", async () => {
    const read = await answering(undefined).read("1", { name: "a", observed: { name: "a" } });
    expect(read).toStrictEqual({});
  });

  test("by the read of a resource that is not managed is all that the API has", async () => {
    const inputs = { name: "a", place: { floor: 2 } };
    const result = await answering(apiAnswer(inputs)).read("1", { name: null });
    const props = { ...inputs, state: "Running", observed: apiAnswer(inputs) };
    expect(result).toStrictEqual({ id: "1", inputs, props });
  });
});
