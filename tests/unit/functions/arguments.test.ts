import * as pulumi from "@pulumi/pulumi";
import { isDatapipesError } from "../../../provider/src/errors";
import * as datapipes from "../../../provider/src/index";

/** A program in JavaScript may call the functions with anything. */
type Loose = (args?: unknown, opts?: unknown) => Promise<unknown>;
const functions = {
  getPipes: datapipes.getPipes as unknown as Loose,
  getPipe: datapipes.getPipe as unknown as Loose,
  getPipeSettings: datapipes.getPipeSettings as unknown as Loose,
  getBackups: datapipes.getBackups as unknown as Loose,
};
const { getPipes, getPipe, getPipeSettings, getBackups } = functions;

/** Code and message of the error with which a call ends; it must be one of this package. */
async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => new Error("It did not fail."),
    (reason: unknown) => reason,
  );
  if (!isDatapipesError(error)) throw error;
  return { code: error.code, message: error.message };
}

/** As the SDK marks its resources: to make a real one takes an engine. */
const resourceOf = (type: string): object => ({ __pulumiResource: true, __pulumiType: type });

test.each<[what: string, call: () => Promise<unknown>, message: string]>([
  ["no arguments", () => getPipe(), "getPipe failed: it requires exactly one of `id` and `name`."],
  ["neither id nor name", () => getPipe({}), "getPipe failed: it requires exactly one of `id` and `name`."],
  [
    "both id and name",
    () => getPipe({ id: "i", name: "n" }),
    "getPipe failed: it requires exactly one of `id` and `name`.",
  ],
  ["null", () => getPipes(null), "getPipes failed: its arguments must be an object, but are null."],
  ["a text", () => getPipe("orders"), "getPipe failed: its arguments must be an object, but are a string."],
  ["a list", () => getBackups([]), "getBackups failed: its arguments must be an object, but are a list."],
  [
    "an output",
    () => getPipes(pulumi.output({})),
    "getPipes failed: its arguments must be an object, but are an Output.",
  ],
  ["no pipeId", () => getPipeSettings(), "getPipeSettings failed: pipeId is required."],
  [
    "id in place of pipeId",
    () => getPipeSettings({ id: "i" }),
    "getPipeSettings failed: id is not an argument; expected one of pipeId, organizationId, serviceId. pipeId is required.",
  ],
  [
    "a misspelt name",
    () => getPipes({ service_id: "s" }),
    'getPipes failed: service_id is not an argument; did you mean "serviceId"?',
  ],
  [
    "several that are wrong",
    () => getPipe({ nme: "n", id: 7 }),
    'getPipe failed: nme is not an argument; did you mean "name"? id must be a string, but is a number.',
  ],
  ["an empty name", () => getPipe({ name: "" }), "getPipe failed: name must not be empty."],
  [
    "an output in place of a text",
    () => getPipe({ id: pulumi.output("i") }),
    "getPipe failed: id is not known yet: use getPipeOutput.",
  ],
  [
    "an object in place of a service",
    () => getBackups({ serviceId: {} }),
    "getBackups failed: serviceId must be a string, but is an object.",
  ],
  [
    "options that are null",
    () => getPipes({}, null),
    "getPipes failed: its options must be an object, but are null.",
  ],
  [
    "a provider that is a text",
    () => getPipes({}, { provider: "eu" }),
    "getPipes failed: its option provider must be a Provider of this package, but is a string.",
  ],
  [
    "another package's provider",
    () => getPipes({}, { provider: resourceOf("pulumi:providers:aws") }),
    "getPipes failed: its option provider must be a Provider of this package, but is a resource of type pulumi:providers:aws.",
  ],
])("a data function that gets %s says what is wrong, and sends nothing", async (_, call, message) => {
  expect(await failureOf(call())).toEqual({ code: "invalid-argument", message });
});

test("no error repeats a value, which may be secret", async () => {
  const { message } = await failureOf(getPipe({ id: ["canary-secret"], name: { a: "canary-secret" } }));
  expect(message).not.toContain("canary");
});
