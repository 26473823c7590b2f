import path from "node:path";

/** What differs from run to run, and what a recording has in its place. */
export interface Replacements {
  /** The address of the simulator. */
  readonly url: string;
  readonly folder: string;
  /** The repository, whose packages the project uses. */
  readonly repository: string;
}

const SHOWN_URL = "https://api.example.com";
/** Any versions that are new enough. */
const SHOWN_NODE = "22.20.0";
const SHOWN_CLI = "3.259.0";
const SHOWN_FOLDER = "/home/you/pipes";

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const DURATION = /\b\d+(?:\.\d+)?(?:m\d+)?(?:ms|s)\b/;

/** Ids that differ from run to run, in the order in which they appear in all recordings of a scenario. */
export class Ids {
  readonly #shown = new Map<string, string>();

  /** Ids of seeded things stay as they are. */
  constructor(kept: readonly string[]) {
    for (const id of kept) this.#shown.set(id, id);
  }

  shown(text: string): string {
    return text.replace(UUID, (id) => {
      const shown =
        this.#shown.get(id) ?? `7c3e9d10-0000-4000-8000-${String(this.#shown.size).padStart(12, "0")}`;
      this.#shown.set(id, shown);
      return shown;
    });
  }
}

/** The lines as they are in every run: without ids, durations, versions, paths and addresses of this one. */
export function normalized(
  lines: readonly string[],
  ids: Ids,
  { url, folder, repository }: Replacements,
): readonly string[] {
  const texts = lines.map((line) =>
    ids
      .shown(line)
      .replaceAll(url, SHOWN_URL)
      .replaceAll(new URL(url).host, new URL(SHOWN_URL).host)
      .replaceAll(folder, SHOWN_FOLDER)
      .replaceAll(`${repository}/provider`, `${SHOWN_FOLDER}/node_modules/pulumi-datapipes`)
      .replaceAll(`${repository}/node_modules`, `${SHOWN_FOLDER}/node_modules`)
      .replaceAll(repository, SHOWN_FOLDER)
      // The backend of the test, beside the project.
      .replaceAll(`file://${path.dirname(folder)}/state`, "file://~")
      .replace(/\bNode \d+\.\d+\.\d+/, `Node ${SHOWN_NODE}`)
      .replace(/\bPulumi CLI \d+\.\d+\.\d+/, `Pulumi CLI ${SHOWN_CLI}`)
      .replace(/^(Duration: ).*/, "$12s")
      .replace(/\b\d+ ms\b/, "12 ms"),
  );
  return withoutEdges(inOrder(withTables(texts)));
}

/** A leaf of the tree of resources; a message of the stack. The engine shows them in the order in which they come. */
const LEAF = /^(.{4} *)[├└]─ (.*)$/;
const STACK = /^ {2}pulumi:pulumi:Stack \(\S+\):$/;
const MESSAGE = /^ {4}\S/;

/** Runs of leaves, and of messages of the stack, sorted. */
function inOrder(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  for (let start = 0; start < lines.length;) {
    const leaves = runOf(LEAF, lines, start);
    const messages = STACK.test(lines[start - 1] ?? "") ? runOf(MESSAGE, lines, start) : [];
    const run = leaves.length > 0 ? sortedLeaves(leaves) : messages.toSorted();
    shown.push(...(run.length > 0 ? run : lines.slice(start, start + 1)));
    start += Math.max(1, run.length);
  }
  return shown;
}

/** The lines from `start` on that have a form. */
function runOf(form: RegExp, lines: readonly string[], start: number): readonly string[] {
  const length = lines.slice(start).findIndex((line) => !form.test(line));
  return length < 0 ? lines.slice(start) : lines.slice(start, start + length);
}

/** The last leaf has another branch. A tree with branches of different depths stays as it is. */
function sortedLeaves(lines: readonly string[]): readonly string[] {
  const depths = new Set(lines.map((line) => line.search(/[├└]/)));
  if (depths.size !== 1) return lines;
  const textOf = (line: string): string => LEAF.exec(line)?.[2] ?? "";
  return lines
    .toSorted((a, b) => textOf(a).localeCompare(textOf(b)))
    .map((line, index) => line.replace(/[├└]/, index < lines.length - 1 ? "├" : "└"));
}

/** A table of resources: its columns are as wide as its cells, and some cells have durations. */
function withTables(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => /^ {5}Type +Name +(?:Plan|Status)/.test(line));
  if (start < 0) return lines;
  const length = lines.slice(start).findIndex((line) => line.trim() === "");
  const end = length < 0 ? lines.length : start + length;
  const head = lines[start] ?? "";
  const offsets = [
    0,
    ...[...head.matchAll(/ {2,}(?=\S)/g)].map(({ index, 0: gap }) => index + gap.length),
  ].filter((offset, index) => index === 0 || offset > 5);
  const rows = lines.slice(start, end).map((line) =>
    offsets.map((offset, index) =>
      line
        .slice(offset, offsets[index + 1])
        .trimEnd()
        .replace(new RegExp(` \\(${DURATION.source}\\)`), ""),
    ),
  );
  const widths = offsets.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines.slice(0, start), ...table, ...withTables(lines.slice(end))];
}

function withoutEdges(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== "");
  return first < 0 ? [] : trimmed.slice(first, trimmed.findLastIndex((line) => line !== "") + 1);
}

/** The lines as a terminal of that width shows them. */
export const wrapped = (lines: readonly string[], columns: number): readonly string[] =>
  lines
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""])
    .map((line) => line.trimEnd());
