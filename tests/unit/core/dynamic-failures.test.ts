import { inspect } from "node:util";
import { secretMarker, undefinedIn } from "../../../testkit/protocol";
import { render } from "../../../provider/src/next-steps";
import { DatapipesError } from "../../../provider/src/errors";
import { withoutRepeatedErrors } from "../../../provider/src/core/dynamic";
import { rejection, testProvider, SOURCE } from "./test-provider";
import { apiAnswer, type TestOperations } from "./test-resource";

const away = new Error("The API is away.");
const fail = (): Promise<never> => Promise.reject(away);

describe("a failure after something exists", () => {
  const inputs = { name: "a", lock: { credentials: "hush" }, __provider: SOURCE };

  const partial = {
    id: "1",
    message: "The API is away.",
    reasons: ["The API is away."],
    properties: {
      name: "a",
      lock: { credentials: secretMarker("hush") },
      state: "Running",
      observed: { name: "a", state: "Running", note: "filled in" },
      __provider: SOURCE,
    },
  };

  test("of create keeps the id, all that is known, and what the next operation needs", async () => {
    const { provider } = testProvider({
      create: (declared, progress) => {
        progress.checkpoint("1", declared, apiAnswer({ name: "a" }));
        return fail();
      },
    });
    const error = await rejection(provider.create(inputs));
    expect(error).toMatchObject(partial);
    expect(undefinedIn({ ...(error as object) })).toEqual([]);
  });

  test("of update keeps the new inputs' handler and the checkpoint", async () => {
    const { provider } = testProvider({
      update: ({ id, news }, progress) => {
        progress.checkpoint(id, news, apiAnswer({ name: "a" }));
        return fail();
      },
    });
    expect(await rejection(provider.update("1", { name: "z", __provider: "old" }, inputs))).toMatchObject(
      partial,
    );
  });

  test("has the latest checkpoint", async () => {
    const { provider } = testProvider({
      create: (declared, progress) => {
        progress.checkpoint("1", declared, { state: "Provisioning" });
        progress.checkpoint("1", declared, { state: "Failed" });
        return fail();
      },
    });
    const error = await rejection(provider.create(inputs));
    expect(error).toMatchObject({ properties: { state: "Failed" } });
  });
});

describe("the message of an error that carries facts", () => {
  const cause = new DatapipesError("server-error", "It failed.", {
    answer: { status: 500, repeatable: true },
  });
  const fail = (): Promise<never> =>
    Promise.reject(new DatapipesError("timeout", "It was looked for.", { cause }));
  const nextStep = "Wait until the server has recovered; the next run repeats the request.";

  test("of a create that has left the resource in the stack says so, between the facts and one next step", async () => {
    const create: TestOperations["create"] = (declared, progress) => {
      progress.checkpoint("1", declared, {});
      return fail();
    };
    const error = await rejection(testProvider({ create }, { render }).provider.create({ name: "a" }));
    const message = `It failed. It was looked for. The resource stays in the stack. ${nextStep}`;
    expect(error).toMatchObject({ id: "1", message, reasons: [message] });
  });

  test("of a replacement that was not created says so to the renderer", async () => {
    const { provider } = testProvider(
      { create: () => Promise.reject(away) },
      { render: (error, failed) => `${(error as Error).message} ${JSON.stringify(failed)}` },
    );
    const stored = { place: { room: "x" }, __provider: SOURCE };
    const news = { place: { room: "y" }, replacementPolicy: "allow" };
    const { inputs } = await provider.check(stored, news);
    await provider.diff("1", stored, inputs ?? {});
    const replacement = await provider.check({}, news);
    const error = await rejection(provider.create(replacement.inputs ?? {}));
    expect(error).toMatchObject({ message: 'The API is away. {"isReplacement":true}' });
  });

  test.each(["read", "delete"] as const)("of %s says nothing of the stack", async (method) => {
    const { provider } = testProvider({ [method]: fail }, { render });
    const error = await rejection(provider[method]("1", { name: "a", observed: {} }));
    expect(error).toMatchObject({ message: `It failed. It was looked for. ${nextStep}` });
  });

  test("of an update in part says nothing of the stack, where the resource was before", async () => {
    const update: TestOperations["update"] = ({ id, news }, progress) => {
      progress.checkpoint(id, news, {});
      return fail();
    };
    const { provider } = testProvider({ update }, { render });
    const error = await rejection(provider.update("1", { name: "z" }, { name: "a" }));
    expect(error).toMatchObject({ id: "1", message: `It failed. It was looked for. ${nextStep}` });
  });
});

describe("a failure before anything exists", () => {
  test.each(["create", "update"] as const)("of %s is the error alone", async (method) => {
    const { provider } = testProvider({ [method]: fail });
    const work =
      method === "create" ? provider.create({}) : provider.update("1", { name: "a" }, { name: "b" });
    const error = await rejection(work);
    expect(error).toBe(away);
    expect(error).not.toHaveProperty("properties");
  });
});

describe("an error that the plugin process prints", () => {
  // It prints a stack before the engine prints the message.
  test.each(["read", "delete"] as const)(
    "of %s shows no stack, and leaves the message to the engine",
    async (method) => {
      const { provider } = testProvider({ [method]: fail });
      const error = await rejection(provider[method]("1", { name: "a", observed: {} }));
      expectNoStack(error, "The API is away.");
    },
  );

  test.each(["check", "diff"] as const)(
    "of %s shows no stack, and leaves the message to the engine",
    async (method) => {
      const { provider } = testProvider();
      const broken = new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("This cannot be read.");
          },
        },
      );
      const error = await rejection(
        method === "check" ? provider.check({}, broken) : provider.diff("1", {}, broken),
      );
      expectNoStack(error, "This cannot be read.");
    },
  );

  test("of the read of a resource that is not there says what to check", async () => {
    const { provider } = testProvider({ read: () => Promise.resolve(undefined) }, { render });
    const error = await rejection(provider.read("1", {}));
    expect(error).toMatchObject({
      message: "TestResource 1 does not exist. Check the id, organizationId and serviceId.",
    });
  });

  function expectNoStack(error: unknown, message: string): void {
    const { stack = "", message: said } = error as Error;
    expect(said).toBe(message);
    expect(inspect(error)).not.toMatch(/^\s+at /m);
    expect(`${String(error)} ${stack}`).toBe("TestResource failed; the error of the resource says why.");
  }
});

describe("a line for the user", () => {
  test("names a value that the API took otherwise, and shows no secret", async () => {
    const { provider, lines } = testProvider({
      create: () =>
        Promise.resolve({ id: "1", current: { name: "A", books: [{ title: "t", credentials: "else" }] } }),
    });
    await provider.create({ name: "a", books: [{ title: "t", credentials: "hush" }], place: { floor: 1 } });
    expect(lines[0]).toContain('TestResource 1: name was sent as "a", but the API returned "A"');
    expect(lines.join("\n")).not.toMatch(/hush|else/);
  });

  test("names what was removed from the program and stays, at every preview while the state still has it", async () => {
    const { provider, lines } = testProvider({ update: () => Promise.resolve(undefined) });
    const olds = { name: "a", observed: { name: "a" } };
    await provider.diff("1", olds, {});
    expect(lines).toEqual([]);
    const { inputs } = await provider.check({ ...olds, __provider: SOURCE }, {});
    await provider.diff("1", olds, inputs ?? {});
    expect(lines).toEqual([
      "warning: TestResource 1: the program no longer declares name, but the API has no way to unset it. The provider sends nothing, and the value stays.",
    ]);
    await provider.update("1", olds, inputs ?? {});
    expect(lines).toHaveLength(1);
  });
});

test("the plugin process prints no error that the engine shows, and everything else", async () => {
  const { provider } = testProvider({ read: fail });
  const { stack } = (await rejection(provider.read("1", {}))) as Error;
  const printed: unknown[][] = [];
  const print = withoutRepeatedErrors((...values) => printed.push(values));
  for (const values of [[stack], ["another error", stack], [away], [`${String(stack)} But why?`]])
    print(...values);
  expect(printed).toEqual([["another error", stack], [away], [`${String(stack)} But why?`]]);
});

describe("a secret in a message", () => {
  const redact = (text: string): string => text.replaceAll("hush-hush", "[secret]");

  test("is taken out of the failure of a check", async () => {
    const { provider } = testProvider({}, { redact });
    const { failures } = await provider.check({}, { __provider: SOURCE, "hush-hush": 1 });
    expect(JSON.stringify(failures)).toContain("[secret] is not an argument");
  });

  test("is tracked before a failure of a check, which may quote it, and not without one", async () => {
    const tracked: unknown[] = [];
    const { provider } = testProvider({}, { trackSecrets: (...given) => tracked.push(...given) });
    await provider.check({}, { name: "a", __provider: SOURCE });
    expect(tracked).toEqual([]);
    await provider.check({}, { name: 1, __provider: SOURCE });
    expect(tracked).toEqual([{ name: 1 }]);
  });

  test.each(["create", "delete"] as const)("is taken out of the error of a %s", async (method) => {
    const { provider } = testProvider(
      { [method]: () => Promise.reject(new Error("quoted hush-hush")) },
      { redact },
    );
    const work = { create: () => provider.create({}), delete: () => provider.delete("1", {}) }[method]();
    expect(await rejection(work)).toMatchObject({ message: "quoted [secret]" });
  });
});
