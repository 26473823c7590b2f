import { SecondPipes } from "../../../provider/src/resources/pipe/second-pipe";
import { minimal, tableMapping, withValue, type JsonObject } from "../../../testkit/pipes";

const pipe = (name: string, ...tables: readonly string[]): JsonObject => {
  const mappings = tables.map((table) => tableMapping(table));
  return { ...withValue(minimal.postgres, "source.postgres.tableMappings", mappings), name };
};
const stored = (inputs: JsonObject) => {
  const name = inputs["name"] as string;
  return {
    urn: `urn:${name}`,
    id: `id-${name}`,
    key: `Pipe::${name}`,
    inputs,
    outputs: {},
    awaitsReplacement: false,
    retains: false,
  };
};
const CREATED = { key: "Pipe::new", creation: { stack: "dev" } };
const withStored = (...pipes: readonly JsonObject[]) =>
  new SecondPipes(() => Promise.resolve(pipes.map(stored)));
const [twoOfThree, all] = [pipe("overlap", "a", "b"), pipe("old", "a", "b", "c")];

test("names the pipe of the stack that has most in common with the new one, and last what the program declares", async () => {
  const named = async (second: SecondPipes) => {
    const [line = ""] = await second.warnings(CREATED, pipe("new", "a", "b", "c"));
    return /add the option aliases: \["urn:(\w+)"\].* (\d+) more of the stack/.exec(line)?.slice(1);
  };
  expect(await named(withStored(twoOfThree, all))).toEqual(["old", "1"]);
  const second = withStored(twoOfThree, all);
  await second.warnings({ key: "Pipe::old" }, all);
  expect(await named(second)).toEqual(["overlap", "1"]);
});

test("a pipe that a refresh of the run has not found loads nothing, and one that was moved has no other name", async () => {
  const second = withStored(all);
  second.addMissing("ID-OLD");
  expect(await second.warnings(CREATED, all)).toEqual([]);
  const key = "my:Team$Pipe::old";
  const [moved] = await withStored(all).warnings({ ...CREATED, key }, all);
  expect(moved).toContain('If it was moved, add the option aliases: ["urn:old"] to it');
});
