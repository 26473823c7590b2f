import * as pulumi from "@pulumi/pulumi";
import { idToRead, markSecrets } from "../../../provider/src/program/datapipes-resource";
import { hiddenInputsOf } from "../../../provider/src/program/program-resource";
import { Pipe } from "../../../provider/src/index";
import { startProgram } from "../mocked-program";

test.each([
  ["text", "some-id"],
  ["an output", pulumi.output("some-id")],
  ["a promise", Promise.resolve("some-id")],
])("get accepts %s as the ID", (_, id) => {
  expect(idToRead("Pipe", "found", id)).toBe(id);
});

test.each(["", undefined, null] as string[])("get refuses %j as the ID", (id) => {
  expect(() => idToRead("Pipe", "found", id)).toThrow(
    'Pipe.get("found"): the ID is missing. Pass the ID of an existing resource.',
  );
});

test("a reference to a resource of the engine by its URN has no hidden inputs", () => {
  expect(hiddenInputsOf("Thing", "a", { urn: "urn:pulumi:s::p::t::a" })).toStrictEqual({});
});

test.each([
  ["an output", pulumi.output({ password: "p" })],
  ["a date", new Date(0)],
  ["null", null],
])("markSecrets returns %s in the arguments as the same value", (_, value) => {
  const marked = markSecrets({ value }, new Set(["password"])) as { value: unknown };
  expect(marked.value).toBe(value);
});

test("a resource has the native plugin's type as its last alias; one that is read has none", async () => {
  await startProgram();
  const transform = jest.fn<undefined, [pulumi.ResourceTransformationArgs]>();
  const transformations = [transform];
  new Pipe("plain", { source: { kafka: {} } }, { transformations });
  new Pipe("renamed", { source: { kafka: {} } }, { transformations, aliases: [{ name: "old" }] });
  Pipe.get("found", "some-id", {}, { transformations });
  const native = { type: "datapipes:index:Pipe" };
  const aliases = transform.mock.calls.map(([{ opts }]) => opts.aliases);
  expect(aliases).toEqual([[native], [{ name: "old" }, native], undefined]);
});

test("a policy of deletion leaves the program's own deleteBeforeReplace as it is", async () => {
  await startProgram();
  const transform = jest.fn<undefined, [pulumi.ResourceTransformationArgs]>();
  const options = { transformations: [transform], deleteBeforeReplace: false };
  new Pipe("own", { source: { kafka: {} }, deletionPolicy: "delete" }, options);
  expect(transform.mock.lastCall?.[0].opts).toMatchObject({ deleteBeforeReplace: false });
});
