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

describe("the options with which a class registers a pipe", () => {
  const transform = jest.fn<undefined, [pulumi.ResourceTransformationArgs]>();
  const transformations = [transform];
  const native = { type: "datapipes:index:Pipe" };

  beforeEach(startProgram);

  test("have the native plugin's type as an alias", () => {
    new Pipe("plain", { source: { kafka: {} } }, { transformations });
    expect(transform.mock.lastCall?.[0].opts.aliases).toEqual([native]);
  });

  test("have the native plugin's type behind the aliases of the program", () => {
    new Pipe("renamed", { source: { kafka: {} } }, { transformations, aliases: [{ name: "old" }] });
    expect(transform.mock.lastCall?.[0].opts.aliases).toEqual([{ name: "old" }, native]);
  });

  test("have no alias for a pipe that get reads", () => {
    Pipe.get("found", "some-id", {}, { transformations });
    expect(transform.mock.lastCall?.[0].name).toBe("found");
    expect(transform.mock.lastCall?.[0].opts).not.toHaveProperty("aliases");
  });

  test("keep the program's own deleteBeforeReplace", () => {
    const args = { source: { kafka: {} }, deletionPolicy: "delete" } as const;
    new Pipe("own", args, { transformations, deleteBeforeReplace: false });
    expect(transform.mock.lastCall?.[0].opts).toMatchObject({ deleteBeforeReplace: false });
  });
});
