import { summary } from "../kit/summary";
import { type Json, withValues } from "../kit/json";
import { minimal, pipesProgram } from "../kit/pipes";
import { isNative } from "../kit/program";
import { pipeNamed } from "../kit/simulator";
import { deployStack } from "../kit/stack";

const IDS = "source.kafka.reversePrivateEndpointIds";

const mapping = (index: number): Json => ({ sourceField: `$.c${index}`, destinationField: `c${index}` });
const id = (index: number): Json => `0a1b2c3d-0000-4000-8000-0000000000${index + 10}`;

const indexes = Array.from({ length: 12 }, (_, index) => index);
const mappings = indexes.map(mapping);
const ids = indexes.map(id);

let deployed: Awaited<ReturnType<typeof deployStack>>;

beforeAll(async () => {
  const orders = withValues(minimal.kafka, { fieldMappings: mappings, [IDS]: ids });
  deployed = await deployStack(pipesProgram({ orders }));
});

/** The values that a refresh shows, and the lines of its summary, if the service has these lists. */
async function driftTo(fieldMappings: Json[], endpointIds: Json[]) {
  const { simulator, stack } = deployed;
  const edited = withValues({}, { fieldMappings, [IDS]: endpointIds });
  simulator.control.editPipe(pipeNamed(simulator, "orders").id, edited);
  const { output } = await stack.pulumi(["refresh", "--preview-only", "--diff"]);
  const { stdout } = await stack.pulumi(["refresh", "--preview-only", "--json"]);
  const marked = output.split("\n").filter((line) => /^ +[~+-] .*: /.test(line));
  const opensBlock = /[[{]$|\(update\)$/;
  return {
    values: marked.filter((line) => !opensBlock.test(line)).map((line) => line.trim()),
    lines: summary(stdout).stdout.match(/^  - .*/gm),
  };
}

describe("in a list of twelve entries, a refresh shows", () => {
  test("a changed member of an entry with a key", async () => {
    const changed = { sourceField: "$.other", destinationField: "c5" };
    expect(await driftTo(mappings.with(5, changed), ids)).toEqual({
      values: ['~ sourceField: "$.c5" => "$.other"'],
      lines: ["  - `fieldMappings[c5].sourceField`: `$.c5` → `$.other`"],
    });
  });

  // A dynamic provider cannot tell the engine which entry was removed. The last one takes its place.
  test("the removal of an entry with a key", async () => {
    const removed = ['- destinationField: "c5"', '- sourceField     : "$.c5"'];
    const moved = ['~ destinationField: "c5" => "c11"', '~ sourceField     : "$.c5" => "$.c11"'];
    const last = ['- destinationField: "c11"', '- sourceField     : "$.c11"'];
    expect(await driftTo(mappings.toSpliced(5, 1), ids)).toEqual({
      values: isNative ? removed : [...moved, ...last],
      lines: ['  - `fieldMappings[c5]`: `{"destinationField":"c5","sourceField":"$.c5"}` (removed)'],
    });
  });

  test("a new entry with a key, wherever the service puts it", async () => {
    expect(await driftTo([mapping(12), ...mappings], ids)).toEqual({
      values: ['+ destinationField: "c12"', '+ sourceField     : "$.c12"'],
      lines: ['  - `fieldMappings[c12]`: `{"destinationField":"c12","sourceField":"$.c12"}` (new)'],
    });
  });

  test("another text in the place of one", async () => {
    expect(await driftTo(mappings, ids.with(5, "0a1b2c3d-0000-4000-8000-000000000090"))).toEqual({
      values: ['~ [5]: "0a1b2c3d-0000-4000-8000-000000000015" => "0a1b2c3d-0000-4000-8000-000000000090"'],
      lines: [
        `  - \`${IDS}\`: \`0a1b2c3d-0000-4000-8000-000000000015\` (removed)`,
        `  - \`${IDS}\`: \`0a1b2c3d-0000-4000-8000-000000000090\` (new)`,
      ],
    });
  });

  test("the removal of a text", async () => {
    const [removed, last] = ["0a1b2c3d-0000-4000-8000-000000000015", "0a1b2c3d-0000-4000-8000-000000000021"];
    expect(await driftTo(mappings, ids.toSpliced(5, 1))).toEqual({
      values: isNative ? [`- [5]: "${removed}"`] : [`~ [5]: "${removed}" => "${last}"`, `- [11]: "${last}"`],
      lines: [`  - \`${IDS}\`: \`${removed}\` (removed)`],
    });
  });

  test("a new text, wherever the service puts it", async () => {
    expect(await driftTo(mappings, [id(12), ...ids])).toEqual({
      values: ['+ [12]: "0a1b2c3d-0000-4000-8000-000000000022"'],
      lines: [`  - \`${IDS}\`: \`0a1b2c3d-0000-4000-8000-000000000022\` (new)`],
    });
  });
});
