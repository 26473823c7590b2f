import { secretsIn } from "../../../provider/src/api/secrets/redaction";
import { UNKNOWN, type PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { secretMarker, UNKNOWN_MARKER } from "../../kit/json";
import { answering, DELETE, SOURCE, thing } from "./thing";

const HUSH = secretMarker("hush");

/** What an API would return for a resource with these inputs. */
const apiAnswer = (inputs: PropertyMap) => ({ ...inputs, state: "Running", remark: "filled in" });

describe("what the engine sends", () => {
  test("reaches an operation with unknown values as the marker, at any depth", async () => {
    const create = jest.fn((inputs: PropertyMap) => Promise.resolve({ id: "1", current: apiAnswer(inputs) }));
    const inputs = (unknown: PropertyMap[string]): PropertyMap => ({
      name: unknown,
      immutableObject: { room: unknown },
      books: [{ title: unknown }, { title: `not ${UNKNOWN_MARKER}` }],
    });
    await thing({ create }).provider.create({ ...inputs(UNKNOWN_MARKER), __provider: SOURCE });
    expect(create.mock.calls.map(([given]) => given)).toEqual([inputs(UNKNOWN)]);
  });

  test("configures at once, before the first wait", () => {
    const { provider, configured } = thing();
    const config = { get: (key: string) => (key === "datapipes:apiKeyId" ? "key" : undefined) };
    void provider.configure({ config } as Parameters<typeof provider.configure>[0]);
    const values = configured.map((read) => [read("datapipes:apiKeyId"), read("other")]);
    expect(values).toEqual([["key", undefined]]);
  });
});

describe("check", () => {
  const NME = 'nme is not an argument; did you mean "name"?';
  const state = { immutableObject: { room: "a" }, __provider: SOURCE };
  const moved = { immutableObject: { room: "b" } };

  test("puts the path into the reason and names no property, whose value the engine would print", async () => {
    const { failures } = await thing().provider.check(
      {},
      { name: 1, secretObject: { credentials: 2 }, nme: "x" },
    );
    const reasons = ["name must be a string, got 1", "secretObject.credentials must be a string", NME];
    expect(failures).toEqual(reasons.map((reason) => ({ property: "", reason })));
  });

  test.each([
    ["of a resource of the dynamic provider", state],
    ["of the native plugin, whose outputs have no handler", { immutableObject: { room: "a" } }],
  ])("refuses a replacement when the engine asks again after the diff: %s", async (_, stored) => {
    const { provider } = thing();
    const { inputs } = await provider.check(stored, { ...moved, __key: "Thing::a" });
    expect(inputs).toEqual({ ...moved, __key: "Thing::a" });
    await provider.diff("1", stored, inputs);
    const reason = expect.stringMatching(/^immutableObject\.room cannot be changed in place/) as unknown;
    expect((await provider.check({}, inputs)).failures).toEqual([{ property: "", reason }]);
  });
});

describe("diff", () => {
  const state = { name: "a", immutableObject: { room: "x" }, __provider: SOURCE };
  const moved = { ...state, immutableObject: { room: "y" } };
  const plan = (replaces: string[], deleteBeforeReplace = false) => ({ replaces, deleteBeforeReplace });
  const { __provider: _, ...ofPlugin } = state;
  const outputs = { state: "Gone", observed: { name: "z" } };

  test.each<[what: string, stored: PropertyMap, newInputs: PropertyMap, result: object]>([
    ["no change where nothing changes", { ...state, ...outputs }, state, { changes: false }],
    ["a change of what the native plugin made, which gets the handler", ofPlugin, state, { changes: true }],
    ["neither where the engine computes what changes", state, { ...state, name: "b" }, plan([])],
    ["no replacement where it only previews a dependent", state, { ...moved, ...DELETE }, plan([], true)],
  ])("reports %s", async (_what, stored, newInputs, result) => {
    expect(await thing().provider.diff("1", stored, newInputs)).toStrictEqual(result);
  });

  test("reports a change only if an update must run and no input shows that", async () => {
    const { provider } = thing({ needsUpdate: ({ open }, { name }) => open === true && name !== "c" });
    const stored = { ...state, observed: { open: true } };
    const b = { name: "b" };
    const c = { name: "c" };
    expect(await provider.diff("1", stored, state)).toStrictEqual({ changes: true, ...plan([]) });
    expect(await provider.diff("1", stored, { ...state, ...b })).toStrictEqual(plan([]));
    const none = { changes: false };
    expect(await provider.diff("1", { ...stored, ...c }, { ...state, ...c })).toStrictEqual(none);
    expect(await provider.diff("1", state, state)).toStrictEqual(none);
  });

  test.each(["refuse", "allow", UNKNOWN_MARKER])(
    "reports no change where the engine previews an unknown value, with the policy %j",
    async (replacementPolicy) => {
      const stored = { ...state, replacementPolicy, ...DELETE };
      const newInputs = { ...stored, immutableObject: UNKNOWN_MARKER };
      expect(await thing().provider.diff("1", stored, newInputs)).toStrictEqual({ changes: false });
    },
  );
});

describe("a secret that a server repeats is secret", () => {
  const secretTextsOf = (...all: readonly PropertyMap[]) => {
    const secrets = all.flatMap(({ secretObject }) => secretsIn({ secretObject }));
    return (text: string): boolean => secrets.some((secret) => text.includes(secret));
  };
  const secretObject = { credentials: "hush" };
  const answered = { remark: "it is hush", list: ["hush", "open"], deep: { hidden: "hush" }, state: "hush" };
  const marked = { remark: secretMarker("it is hush"), list: [HUSH, "open"], deep: { hidden: HUSH } };

  test("in the outputs that the program does not declare, and nowhere else", async () => {
    const provider = answering(answered, { secretTextsOf });
    const { outs } = await provider.create({ name: "hush", secretObject });
    expect(outs).toMatchObject({
      name: "hush",
      secretObject: { credentials: HUSH },
      state: HUSH,
      observed: marked,
    });
    const { props } = await provider.read("1", { name: "hush", secretObject, observed: {} });
    expect(props).toMatchObject({ observed: marked, state: HUSH });
  });

  test("in the answer to the update that changes it", async () => {
    const provider = answering(answered, { secretTextsOf });
    const before = { name: "hush", secretObject, observed: {} };
    const { outs } = await provider.update("1", before, { name: "x", secretObject: { credentials: "new" } });
    expect(outs).toMatchObject({ observed: marked, state: HUSH });
  });
});

describe("what is returned", () => {
  const declared = { secretObject: { credentials: "hush" }, books: [{ title: "t" }], name: undefined };
  const answered = {
    ...declared,
    state: undefined,
    echo: [{ credentials: "echoed", deep: { credentials: ["list"] } }],
    whole: { credentials: { b: 1, credentials: "inner", absent: undefined } },
    credentials: "",
    none: { credentials: null, list: [null] },
    gone: undefined,
  };
  const inputs = { secretObject: { credentials: HUSH }, books: [{ title: "t" }] };
  const outputs = {
    ...inputs,
    observed: {
      secretObject: inputs.secretObject,
      echo: [{ credentials: secretMarker("echoed"), deep: { credentials: secretMarker(["list"]) } }],
      // Marked as a whole, without marks inside.
      whole: { credentials: secretMarker({ b: 1, credentials: "inner" }) },
      credentials: secretMarker(""),
      none: { credentials: null, list: [null] },
    },
  };

  test("by create and update holds no undefined, keeps nulls, and wraps secrets everywhere", async () => {
    const provider = answering(answered);
    const created = await provider.create({ ...declared, __key: "Thing::a", __provider: SOURCE });
    const key = secretMarker("Thing::a");
    expect(created).toStrictEqual({ id: "1", outs: { ...outputs, __privateState: { key, written: true } } });
    const { outs } = await provider.update("1", { name: "a" }, declared);
    const sent = ["books", "secretObject"];
    expect(outs).toStrictEqual({ ...outputs, __privateState: { written: true, sent } });
  });

  test("by read does so in inputs, outputs and the observed part", async () => {
    const properties = { ...declared, state: "Running", observed: { books: [{ title: "t" }] } };
    const result = await answering(answered).read("1", { ...properties, __provider: SOURCE });
    expect(result).toStrictEqual({ id: "1", props: outputs, inputs });
  });
});
