import * as pulumi from "@pulumi/pulumi";
import { idToRead, markSecrets } from "../../../provider/src/program/datapipes-resource";
import { hiddenInputsOf } from "../../../provider/src/program/program-resource";
import { Pipe } from "../../../provider/src/index";
import { startProgram } from "../mocked-program";

test("the id of a get may be a text, an output or a promise, and must not be missing", () => {
  for (const id of ["some-id", pulumi.output("some-id"), Promise.resolve("some-id")])
    expect(idToRead("Pipe", "found", id)).toBe(id);
  for (const id of ["", undefined, null] as string[])
    expect(() => idToRead("Pipe", "found", id)).toThrow(
      'Pipe.get("found"): the ID is missing. Pass the ID of an existing resource.',
    );
});

const keyed = { __key: "Thing::a" };

test.each<[what: string, opts: pulumi.CustomResourceOptions, hidden: object]>([
  ["its key", {}, keyed],
  ["nothing if the program reads it by its id", { id: "1" }, {}],
  ["nothing if the engine has its URN", { urn: "urn:pulumi:s::p::t::a" }, {}],
])("a resource sends the plugin %s", (_, opts, hidden) => {
  expect(hiddenInputsOf("Thing", "a", opts)).toStrictEqual(hidden);
});

describe("in the arguments of a resource", () => {
  const names = new Set(["password"]);

  test("a secret is marked before it leaves the program, also in lists", async () => {
    const args = { logins: [{ user: "u", password: "p" }], password: undefined };
    const marked = markSecrets(args, names) as { logins: { password: pulumi.Output<string> }[] };
    expect(marked).toMatchObject({ logins: [{ user: "u" }], password: undefined });
    expect(await pulumi.isSecret(pulumi.output(marked.logins[0]?.password))).toBe(true);
  });

  test.each([
    ["an output", pulumi.output({ password: "p" })],
    ["a date", new Date(0)],
    ["nothing", null],
  ])("%s stays what it is", (_, value) => {
    expect((markSecrets({ value }, names) as { value: unknown }).value).toBe(value);
  });
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
  const own = { transformations, deleteBeforeReplace: false };
  new Pipe("own", { source: { kafka: {} }, deletionPolicy: "delete" }, own);
  expect(transform.mock.lastCall?.[0].opts).toMatchObject({ deleteBeforeReplace: false });
});
