import path from "node:path";
import { repository } from "../made-files";
import { pinnedVersion } from "../pulumi-cli/release";

/** The width of a line in a guide. */
const COLUMNS = 100;
const SHOWN_URL = "https://api.example.com";
const SHOWN_FOLDER = "/home/you/pipes";

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Replaces ids that differ from run to run, in the order in which they appear in a scenario. */
export class Ids {
  readonly #shown = new Map<string, string>();

  constructor(kept: readonly string[]) {
    for (const id of kept) this.keep(id);
  }

  keep(id: string): void {
    this.#shown.set(id, id);
  }

  readonly shown = (id: string): string => {
    const number = String(this.#shown.size).padStart(12, "0");
    const shown = this.#shown.get(id) ?? `7c3e9d10-0000-4000-8000-${number}`;
    this.#shown.set(id, shown);
    return shown;
  };
}

export const withShownIds = (text: string, ids: Ids): string => text.replace(UUID, ids.shown);

/** A screen as it is in every run: without ids, durations, versions, paths and addresses of this one. */
export function shownText(screen: string, ids: Ids, url: string, folder: string): string {
  return withShownIds(screen, ids)
    .replaceAll(url, SHOWN_URL)
    .replaceAll(folder, SHOWN_FOLDER)
    .replaceAll(`${repository}/provider`, `${SHOWN_FOLDER}/node_modules/pulumi-datapipes`)
    .replaceAll(`file://${path.dirname(folder)}/state`, "file://~")
    .replace(/\bNode \d+\.\d+\.\d+/, "Node 22.20.0")
    .replace(/\bPulumi CLI \d+\.\d+\.\d+/, `Pulumi CLI ${pinnedVersion}`)
    .replace(/^Duration: .*/gm, "Duration: 2s")
    .replace(/\b\d+ ms\b/g, "12 ms")
    .replace(/^ {5}Type +Name .*(?:\n.+)+/gm, withoutDurations)
    .trim()
    .split("\n")
    .flatMap((line) => wrapped(line))
    .join("\n");
}

/** A table of resources without durations, whose column is then narrower. */
function withoutDurations(table: string): string {
  const rows = table.split("\n");
  const info = rows[0]?.match(/ Info$/)?.index ?? Infinity;
  const parts = rows.map((row) => ({
    start: row
      .slice(0, info)
      .replace(/ \(\d+(?:\.\d+)?m?s\)/, "")
      .trimEnd(),
    end: row.slice(info),
  }));
  const width = Math.max(...parts.map(({ start }) => start.length));
  return parts.map(({ start, end }) => `${start.padEnd(width)} ${end}`.trimEnd()).join("\n");
}

/** A line in lines of at most `COLUMNS`, broken between words; all but the first are indented. Tables stay as they are. */
function wrapped(line: string, indent = `${/^ */.exec(line)?.[0] ?? ""}  `): readonly string[] {
  const end = line.lastIndexOf(" ", COLUMNS);
  if (line.length <= COLUMNS || end < indent.length || /[├└]─ /.test(line)) return [line];
  return [line.slice(0, end), ...wrapped(indent + line.slice(end + 1), indent)];
}
