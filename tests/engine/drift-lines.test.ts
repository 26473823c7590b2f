import { summary } from "../kit/summary";
import { type Json, withValue, withValues } from "../kit/json";
import { minimal, pipesProgram } from "../kit/pipes";
import { isNative } from "../kit/program";
import { pipeNamed } from "../kit/simulator";
import { deployStack } from "../kit/stack";

/** A list with twelve entries, which services return in any order. */
interface UnorderedList {
  readonly path: string;
  readonly entry: (index: number) => Json;
  /** The entry in the middle with another value, and the lines of the summary about it. */
  readonly changed: Json;
  readonly lines: readonly string[];
}

const MIDDLE = 5;
const indexes = Array.from({ length: 12 }, (_, index) => index);

const endpointId = (index: number): string => `0a1b2c3d-0000-4000-8000-0000000000${index + 10}`;
const endpointIds = "source.kafka.reversePrivateEndpointIds";

/** One whose entries have keys, and one of texts. */
const LISTS: readonly UnorderedList[] = [
  {
    path: "fieldMappings",
    entry: (index) => ({ sourceField: `$.c${index}`, destinationField: `c${index}` }),
    changed: { sourceField: "$.other", destinationField: "c5" },
    lines: ["`fieldMappings[c5].sourceField`: `$.c5` → `$.other`"],
  },
  {
    path: endpointIds,
    entry: endpointId,
    changed: endpointId(80),
    lines: [
      `\`${endpointIds}\`: \`${endpointId(MIDDLE)}\` (removed)`,
      `\`${endpointIds}\`: \`${endpointId(80)}\` (new)`,
    ],
  },
];

const entriesOf = ({ entry }: UnorderedList): Json[] => indexes.map(entry);

const program = pipesProgram({
  orders: withValues(minimal.kafka, Object.fromEntries(LISTS.map((list) => [list.path, entriesOf(list)]))),
});

let deployed: Awaited<ReturnType<typeof deployStack>>;

beforeAll(async () => {
  deployed = await deployStack(program);
});

/** A line of a diff that shows a value. */
const isValue = (line: string): boolean => /^ +[~+-] [^ ]+ *: (?!.*([[{]|\(update\))$)/.test(line);

/** What a refresh and its summary show after an edit of a list. */
async function driftOf(list: UnorderedList, edited: Json[]) {
  const { simulator, stack } = deployed;
  const write = (entries: Json[]): void => {
    simulator.control.editPipe(pipeNamed(simulator, "orders").id, withValue({}, list.path, entries));
  };
  write(edited);
  const { output } = await stack.pulumi(["refresh", "--preview-only", "--diff"]);
  const { stdout } = await stack.pulumi(["refresh", "--preview-only", "--json"]);
  write(entriesOf(list));
  const values = output.split("\n").filter(isValue);
  const marked = (mark: string): string[] => values.filter((line) => line.trimStart().startsWith(mark));
  const lines = summary(stdout)
    .stdout.split("\n")
    .filter((line) => line.startsWith("  - "));
  return { values, removed: marked("-"), added: marked("+"), lines };
}

describe.each(LISTS)("in a list of twelve $path", (list) => {
  const entries = entriesOf(list);

  test("one changed entry is one line", async () => {
    const { values, lines } = await driftOf(list, entries.with(MIDDLE, list.changed));
    expect(values).toHaveLength(1);
    expect(lines).toEqual(list.lines.map((line) => `  - ${line}`));
  });

  test("one removed entry is one removal", async () => {
    const { values, removed, lines } = await driftOf(list, entries.toSpliced(MIDDLE, 1));
    expect(removed).not.toEqual([]);
    // A dynamic provider cannot tell the engine which entry is gone. The last one takes its place.
    if (isNative) expect(values).toEqual(removed);
    expect(lines).toEqual([expect.stringMatching(/ \(removed\)$/)]);
  });

  test("one new entry is one addition, wherever the service puts it", async () => {
    const { values, added, lines } = await driftOf(list, [list.entry(12), ...entries]);
    expect(added).not.toEqual([]);
    expect(values).toEqual(added);
    expect(lines).toEqual([expect.stringMatching(/ \(new\)$/)]);
  });
});
