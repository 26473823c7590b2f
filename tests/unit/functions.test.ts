import * as pulumi from "@pulumi/pulumi";
import { QUERIES } from "../../provider/src/program/functions/queries";
import * as datapipes from "../../provider/src/index";
import { failureOf } from "../kit/client";
import { readDocument } from "../kit/documents";
import { organizationId, serviceId } from "../kit/lifecycle";
import { later, setMocks } from "./mocked-program";

type Name = Exclude<keyof typeof datapipes & `get${string}`, `${string}Output`>;

test.each<[name: Name, given: unknown[], message: string]>([
  ["getPipe", [], "it requires exactly one of `id` and `name`."],
  ["getPipe", [{}], "it requires exactly one of `id` and `name`."],
  [
    "getPipe",
    [{ id: "0a1b2c3d-0000-4000-8000-00000000aaaa", name: "n" }],
    "it requires exactly one of `id` and `name`.",
  ],
  ["getPipe", [{ name: "" }], 'name must not be empty, got "".'],
  [
    "getPipe",
    [{ id: "orders" }],
    'id must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000, got "orders".',
  ],
  ["getPipe", [{ id: pulumi.output("i") }], "id must be a string, got an object."],
  [
    "getPipeSettings",
    [{ id: "i" }],
    "pipeId is required (string). id is not an argument; expected one of pipeId, organizationId, serviceId.",
  ],
  ["getPipes", [{ service_id: "s" }], 'service_id is not an argument; did you mean "serviceId"?'],
  [
    "getPipe",
    [{ nme: 7, id: 7 }],
    'id must be a string, got 7. nme is not an argument; did you mean "name"?',
  ],
  ["getPipes", [{}, { provider: {} }], "its option provider must be a Provider of this package."],
])("%s of %j says what is wrong", async (name, given, message) => {
  const call = datapipes[name] as (...given: unknown[]) => Promise<unknown>;
  const failure = await failureOf(call(...given));
  expect(failure.code).toBe("invalid-argument");
  expect(failure.message).toEqual(`${name} failed: ${message}`);
});

test.each(Object.keys(QUERIES))("README names %s", (name) => {
  expect(readDocument("README.md").inlineCode).toContain(name);
});

describe("in a unit test", () => {
  const calls: pulumi.runtime.MockCallArgs[] = [];
  beforeAll(async () => {
    await setMocks({
      call: (args) => {
        calls.push(args);
        return { said: args.token };
      },
    });
    // Nothing listens at this address: a request would fail.
    const account = { apiKeyId: "id", apiKeySecret: "not-a-key", organizationId, serviceId, maxRetries: "0" };
    const settings = Object.entries({ ...account, baseUrl: "http://127.0.0.1:9" });
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, text]) => [`datapipes:${name}`, text])),
    );
  });
  beforeEach(() => {
    calls.length = 0;
  });
  afterAll(() => {
    pulumi.runtime.setAllConfig({});
  });

  const known = pulumi.output("later");

  type Form = keyof typeof datapipes & `get${string}`;
  const CALLS: Readonly<Record<Form, { args?: object; inputs: object }>> = {
    getPipes: { args: { serviceId: "any" }, inputs: { serviceId: "any" } },
    getPipesOutput: { args: { serviceId: known }, inputs: { serviceId: "later" } },
    getPipe: { args: { name: "orders" }, inputs: { name: "orders" } },
    getPipeOutput: { args: { id: known }, inputs: { id: "later" } },
    getPipeSettings: { args: { pipeId: "any" }, inputs: { pipeId: "any" } },
    getPipeSettingsOutput: { args: { pipeId: known }, inputs: { pipeId: "later" } },
    getBackups: { inputs: {} },
    getBackupsOutput: { inputs: {} },
  };

  test.each(Object.keys(CALLS) as Form[])("%s calls the mocks with its arguments", async (form) => {
    const { args, inputs } = CALLS[form];
    const call = datapipes[form] as (args?: object) => pulumi.Input<unknown>;
    const token = `datapipes:index:${form.replace(/Output$/, "")}`;
    expect(await later(call(args))).toEqual({ said: token });
    expect(calls).toMatchObject([{ token, inputs }]);
  });

  test("a data function hands its provider to the mocks", async () => {
    await datapipes.getPipes({}, { provider: new datapipes.Provider("eu") });
    expect(calls).toMatchObject([{ provider: expect.stringContaining("eu") as unknown }]);
  });
});
