import * as pulumi from "@pulumi/pulumi";
import { QUERIES } from "../../provider/src/program/functions/queries";
import * as datapipes from "../../provider/src/index";
import { failureOf } from "../kit/client";
import { readDocument } from "../kit/documents";
import { serviceId } from "../kit/lifecycle";
import { later, setMocks } from "./mocked-program";

type Name = Exclude<keyof typeof datapipes & `get${string}`, `${string}Output`>;

test.each<[name: Name, given: unknown[], message: string]>([
  ["getPipe", [], "it requires exactly one of `id` and `name`."],
  ["getPipe", [{}], "it requires exactly one of `id` and `name`."],
  ["getPipe", [{ id: serviceId, name: "n" }], "it requires exactly one of `id` and `name`."],
  ["getPipe", [{ name: "" }], 'name must not be empty, got "".'],
  ["getPipe", [{ id: "" }], 'id must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000, got "".'],
  ["getPipe", [{ id: pulumi.output("i") }], "id must be a string, got an object."],
  ["getPipeSettings", [], "pipeId is required (string)."],
  ["getPipes", [{ id: "i" }], "id is not an argument; expected one of organizationId, serviceId."],
  ["getPipes", [{ service_id: "s" }], 'service_id is not an argument; did you mean "serviceId"?'],
  [
    "getPipe",
    [{ nam: 7, id: 7 }],
    'id must be a string, got 7. nam is not an argument; did you mean "name"?',
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
  });
  beforeEach(() => {
    calls.length = 0;
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
