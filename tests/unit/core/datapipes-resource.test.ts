import * as pulumi from "@pulumi/pulumi";
import { idToRead } from "../../../provider/src/core/datapipes-resource";
import { Pipe, type PipeArgs } from "../../../provider/src/index";

describe("the id of a get", () => {
  test.each<[what: string, id: unknown]>([
    ["a text", "some-id"],
    ["an output", pulumi.output("some-id")],
    ["a promise", Promise.resolve("some-id")],
  ])("may be %s", (_, id) => {
    expect(idToRead("Pipe", "found", id as pulumi.Input<string>)).toBe(id);
  });

  test.each<[what: string, id: unknown]>([
    ["an empty text", ""],
    ["undefined", undefined],
    ["null", null],
  ])("must not be %s", (_, id) => {
    expect(() => idToRead("Pipe", "found", id as string)).toThrow(
      'Pipe.get("found"): the id is missing. Pass the id of an existing resource.',
    );
  });
});

const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
  call: () => ({}),
};

test("a resource has the type of the native plugin as its last alias, and one that is only read has none", async () => {
  await pulumi.runtime.setMocks(mocks);
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
  const seen: unknown[] = [];
  const transformations: pulumi.ResourceTransformation[] = [
    ({ opts }) => {
      seen.push(opts.aliases);
      return undefined;
    },
  ];
  new Pipe("plain", { source: { kafka: {} } }, { transformations });
  new Pipe("renamed", { source: { kafka: {} } }, { transformations, aliases: [{ name: "old" }] });
  Pipe.get("found", "some-id", {}, { transformations });
  const native = { type: "datapipes:index:Pipe" };
  expect(seen).toEqual([[native], [{ name: "old" }, native], undefined]);
});

describe("a transform that changes the policy of a retained pipe", () => {
  /** What a program with these pipes logs; a transform sets the policy of each. */
  async function logged(
    pipes: Readonly<Record<string, unknown>>,
    args: Pick<PipeArgs, "deletionPolicy"> = {},
  ): Promise<unknown[]> {
    await pulumi.runtime.setMocks(mocks);
    await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
    const print = jest.spyOn(console, "log").mockReturnValue();
    const made = Object.entries(pipes).map(([name, deletionPolicy]) => {
      const transform: pulumi.ResourceTransformation = ({ props, opts }) => ({
        props: { ...props, deletionPolicy },
        opts,
      });
      return new Pipe(name, { source: { kafka: {} }, ...args }, { transformations: [transform] });
    });
    await new Promise((resolve) =>
      pulumi.all(made.map(({ deletionPolicy }) => deletionPolicy)).apply(resolve),
    );
    const lines: unknown[] = print.mock.calls.flat();
    print.mockRestore();
    return lines;
  }

  const line = (name: string): unknown =>
    expect.stringMatching(
      new RegExp(
        `Pipe "${name}": a transform or ignoreChanges makes deletionPolicy "delete". Pulumi deletes the resource only if its option ` +
          "retainOnDelete is false too.$",
      ),
    );

  test("is the only case: the log has no pipe that the program itself declares to be deleted", async () => {
    expect(await logged({ a: "delete" }, { deletionPolicy: "delete" })).toEqual([]);
    expect(await logged({ a: "delete" }, {})).toEqual([line("a")]);
  });

  test("logs nothing if it retains the pipe", async () => {
    expect(await logged({ a: "retain", b: undefined })).toEqual([]);
  });

  test("logs once for each program that Pulumi retains such pipes", async () => {
    expect(await logged({ a: "retain", b: "delete", c: "delete" })).toEqual([line("b")]);
    expect(await logged({ d: "delete" })).toEqual([line("d")]);
  });
});
