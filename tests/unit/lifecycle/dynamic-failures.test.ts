import { inspect } from "node:util";
import { withoutRepeatedErrors } from "../../../provider/src/lifecycle/protocol/dynamic";
import { DatapipesError } from "../../../provider/src/messages/errors";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { secretMarker } from "../../kit/json";
import { rejection } from "../../kit/client";
import { away, failingAfter, SOURCE, thing } from "./thing";

const fail = (): Promise<never> => Promise.reject(away);

const cause = new DatapipesError("server-error", "It failed.", {
  answer: { status: 500, failure: "server-error" },
});
const withFacts = new DatapipesError("timeout", "It was looked for.", { cause });
const nextStep = "Wait until the server has recovered; the next run repeats the request.";

describe("a failure after something exists", () => {
  const key = "Thing::a";
  const inputs = { name: "a", secretObject: { credentials: "hush" }, __key: key, __provider: SOURCE };
  const { provider } = thing(
    failingAfter([{ state: "Failed" }, { name: "a", state: "Running", remark: "filled in" }]),
  );

  test.each([
    ["create", () => provider.create(inputs)],
    ["update", () => provider.update("1", { name: "z", __provider: "old" }, inputs)],
  ])("of %s keeps the id, all of the latest answer, and what the next operation needs", async (_, work) => {
    const error = await rejection(work());
    expect(error).toMatchObject({ id: "1", message: away.message, reasons: [away.message] });
    expect((error as Partial<Record<string, unknown>>)["properties"]).toStrictEqual({
      name: "a",
      secretObject: { credentials: secretMarker("hush") },
      state: "Running",
      observed: { name: "a", state: "Running", remark: "filled in" },
      __privateState: expect.objectContaining({ key: secretMarker(key) }) as unknown,
      __provider: SOURCE,
    });
  });
});

describe("the message of an error that carries facts", () => {
  test("of a create that left the resource in the stack says so, before the next step", async () => {
    const { provider } = thing(failingAfter([{}], withFacts));
    const message = `It failed. It was looked for. The thing stays in the stack. ${nextStep}`;
    const error = await rejection(provider.create({ name: "a" }));
    expect(error).toMatchObject({ id: "1", message, reasons: [message] });
  });

  test("of a replacement that was not created says how to keep the old resource", async () => {
    const { provider } = thing({ create: fail });
    const stored = { immutableObject: { room: "x" }, __provider: SOURCE };
    const newInputs = { immutableObject: { room: "y" }, replacementPolicy: "allow", __key: "Thing::a" };
    const { inputs } = await provider.check(stored, newInputs);
    await provider.diff("1", stored, inputs);
    const replacement = await provider.check({}, newInputs);
    const error = await rejection(provider.create(replacement.inputs));
    expect(error).toHaveProperty("message", expect.stringContaining("The API is away. To keep the old one,"));
  });

  test("of an update in part, where the resource was before, says nothing of the stack", async () => {
    const { provider } = thing(failingAfter([{}], withFacts));
    const message = `It failed. It was looked for. ${nextStep}`;
    expect(await rejection(provider.update("1", {}, { name: "a" }))).toMatchObject({ message });
  });
});

describe("an error that the plugin process prints", () => {
  const ownKeys = (): never => {
    throw new Error("This cannot be read.");
  };
  const broken = new Proxy({}, { ownKeys });
  const { provider } = thing({ read: fail, delete: fail });
  // It prints a stack before the engine prints the message.
  test.each<[method: string, work: () => Promise<unknown>, message: string]>([
    ["read", () => provider.read("1", { observed: {} }), away.message],
    ["delete", () => provider.delete("1", { observed: {} }), away.message],
    ["check", () => provider.check({}, broken), "This cannot be read."],
    ["diff", () => provider.diff("1", {}, broken), "This cannot be read."],
  ])("of %s shows no stack, and leaves the message to the engine", async (_, work, message) => {
    const error = (await rejection(work())) as Error;
    expect(error.message).toBe(message);
    expect(inspect(error)).not.toMatch(/^\s+at /m);
    expect(error.stack).toBe("The engine shows this error.");
  });

  test("is not printed again, and everything else is", async () => {
    const { stack } = (await rejection(provider.read("1", { observed: {} }))) as Error;
    const printed: unknown[][] = [];
    const print = withoutRepeatedErrors((...values) => printed.push(values));
    const others = [["another error", stack], [away], [`${String(stack)} But why?`]];
    for (const values of [[stack], ...others]) print(...values);
    expect(printed).toEqual(others);
  });
});

describe("fields that the program no longer declares", () => {
  const declared = { name: "a", note: "b", size: 1, immutableObject: { room: "c" } };
  const state = { ...declared, observed: declared, __provider: SOURCE };
  const updating = () => thing({ update: () => Promise.resolve(undefined) });

  test("are named once by preview and update, also those that cannot be changed", async () => {
    const { provider, lines } = updating();
    const { inputs } = await provider.check(state, { __key: "Thing::a" });
    await provider.diff("1", state, inputs);
    await provider.update("1", state, inputs);
    const names = "name, note, size and 1 more";
    expect(lines).toEqual([
      `warning: Thing 1: the program no longer declares ${names}. The service keeps the current values, because the API cannot unset a field.`,
    ]);
  });

  test("are not named of a resource that is replaced, which keeps nothing", async () => {
    const { provider, lines } = updating();
    const before = { ...state, immutableText: "a" };
    const { inputs } = await provider.check(before, { __key: "Thing::a", immutableText: "b" });
    await provider.diff("1", before, inputs);
    expect(lines).toEqual([]);
  });

  test("are not named in the run that imports the resource, whose state has all fields", async () => {
    const { provider, lines } = thing({ read: () => Promise.resolve(declared) });
    const { props = {} } = await provider.read("1");
    const { inputs } = await provider.check(props, { __key: "Thing::a" });
    await provider.diff("1", props, inputs);
    expect(lines).toEqual([]);
  });

  test("are not named of a resource that was not checked", async () => {
    const { provider, lines } = updating();
    await provider.diff("1", state, {});
    expect(lines).toEqual([]);
  });
});

describe("a secret in a message", () => {
  const readable = (text: string): string => text.replaceAll("hush_hush", "[secret]");
  const messageOf = (error: unknown): string => readable((error as Error).message);

  test("is taken out of the failure of a check", async () => {
    const { failures } = await thing({}, { readable }).provider.check({}, { hush_hush: 1 });
    expect(JSON.stringify(failures)).toContain("[secret] is not an argument");
  });

  test.each<[claim: string, state: PropertyMap, name: PropertyMap[string]]>([
    ["of a new resource, which may be compared with others", {}, "a"],
    ["of a resource in the stack, whose change may be compared with others", { name: "a" }, "a"],
    ["that fails, which may quote it", { name: "a" }, 1],
  ])("in a name is tracked in a check %s", async (_, state, name) => {
    const tracked: unknown[] = [];
    const { provider } = thing({}, { trackSecrets: (...given) => tracked.push(...given) });
    await provider.check(state, { name, __provider: SOURCE });
    expect(tracked).toEqual([{ name }]);
  });

  test("is taken out of the error of a create and of a delete", async () => {
    const quoting = () => Promise.reject(new Error("quoted hush_hush"));
    const { provider } = thing({ create: quoting, delete: quoting }, { messageOf });
    for (const work of [() => provider.create({}), () => provider.delete("1", {})])
      expect(await rejection(work())).toMatchObject({ message: "quoted [secret]" });
  });
});
