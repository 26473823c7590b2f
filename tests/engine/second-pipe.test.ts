import { withPulumi } from "../../testkit/cli";
import { minimal, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { tokenOf, declaration } from "../../testkit/program";
import { deployed, type TestStack } from "../../testkit/stack";

const pipe = (table: string, more: JsonObject = {}): JsonObject => ({
  ...withValue(minimal.kafka, "destination.table", table),
  ...more,
});
const resized = pipe("replaced", { replacementPolicy: "allow" });
const before = pipesProgram({
  renamed: pipe("renamed"),
  removed: pipe("removed", { deletionPolicy: "delete" }),
  replaced: resized,
  "replaced-first": pipe("first", { ...resized, ...pipe("first"), deletionPolicy: "delete" }),
  copied: pipe("copied"),
  aliased: pipe("aliased"),
});
const after = [
  pipesProgram({
    "renamed-now": pipe("renamed"),
    "removed-now": pipe("removed", { deletionPolicy: "delete" }),
    replaced: { ...resized, scaling: { replicas: 2 } },
    "replaced-first": { ...resized, ...pipe("first"), deletionPolicy: "delete", scaling: { replicas: 2 } },
    copied: pipe("copied"),
    copy: pipe("copied"),
    "new-one": pipe("new"),
    "new-two": pipe("new"),
  }),
  declaration("Pipe", "aliased-now", pipe("aliased"), '{ aliases: [{ name: "aliased" }] }'),
].join("");

const OF_NEW =
  /^pipe "new-(one|two)" reads the same source into the same table as pipe "new-(one|two)", resource "new-(one|two)" of this program: /;
const TWICE =
  /(?:pipe "[\w-]+"(?: \(\S+\))? reads|the replacement of .* reads) the same source into the same table.*/g;

/** The warnings of a run, each once: the CLI shows a line while it runs, and at its end. */
async function warningsOf(run: ReturnType<TestStack["up"]>): Promise<readonly string[]> {
  const { output } = await run;
  return [...new Set(output.match(TWICE))].sort();
}

test("names what loads twice before it is created, at preview and in up: after a rename, a replacement and in a copy", async () => {
  // The provider asks the CLI for the state.
  const { PATH = "" } = await withPulumi(process.env);
  const { simulator, stack } = await deployed(before, { env: { PATH } });
  const state = await stack.export();
  simulator.control.clearRequests();
  await stack.write(after);
  const beside = (created: string, old: string) => {
    const { id } = state.named(old);
    return `pipe "${created}" reads the same source into the same table as pipe "${old}" (${id}), resource "${old}" of the stack, which`;
  };
  const alias = (created: string, old: string) =>
    `If "${created}" is "${old}" under another name, add the option aliases: ["urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::${old}"] to it`;
  const expected = [
    `${beside("copy", "copied")} goes on loading: the data is loaded twice. ${alias("copy", "copied")}, and no pipe is created. To end`,
    `${beside("removed-now", "removed")} Pulumi deletes, if the program no longer declares it, only after it has created the new pipe`,
    `${beside("renamed-now", "renamed")} goes on loading: the data is loaded twice. ${alias("renamed-now", "renamed")}, and no pipe`,
    `the replacement of pipe "replaced" (${state.named("replaced").id}) reads the same source into the same table, and the old pipe goes on`,
  ].map((text) => expect.stringContaining(text) as string);
  for (const isPreview of [true, false]) {
    const lines = await warningsOf(isPreview ? stack.preview() : stack.up());
    const [others, ofNew] = [false, true].map((wanted) =>
      lines.filter((line) => OF_NEW.test(line) === wanted),
    );
    expect([others, ofNew]).toEqual([expected, [expect.stringMatching(OF_NEW)]]);
    if (isPreview) expect(simulator.control.requests()).toEqual([]);
  }
  expect(await warningsOf(stack.preview())).toEqual([]);
  const refreshed = await warningsOf(stack.refresh());
  // Of "removed" and "first", one pipe is left.
  expect(refreshed.map((line) => line.slice(0, 9)).sort()).toEqual(
    ["cop", "new", "ren", "rep"].map((name) => `pipe "${name}`),
  );
});
