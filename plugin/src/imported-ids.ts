import type { RunFlagFiles } from "../../provider/src/run-flags";

const LIST = "imported ids";

/**
 * The ids of resources that came into the stack by an import. If the option `import` of such a resource names another id, the engine
 * imports that one, and then deletes the former one. The calls of a preview, and those before the deletion, do not name the former id.
 */
export class ImportedIds {
  /** The URNs of resources that this run has read without a state. A read by `get` is the same call, and no diff follows it. */
  readonly #read = new Set<string>();
  /** By URN: the id that the resource has in this run. */
  readonly #current = new Map<string, string>();

  constructor(private readonly files: Pick<RunFlagFiles, "append" | "lines">) {}

  read(urn: string): void {
    this.#read.add(urn);
  }

  isRead(urn: string): boolean {
    return this.#read.has(urn);
  }

  /** Records the id that an imported resource has. */
  compared(urn: string, id: string): void {
    this.#current.set(urn, id);
    // Another provider instance may delete the former one.
    this.files.append(LIST, JSON.stringify([urn, id]));
  }

  /** The id that the resource has now, if the id that the engine deletes is a former one. */
  replacementOf(urn: string, id: string): string | undefined {
    const current = this.#current.get(urn) ?? this.#elsewhere(urn);
    return current?.toLowerCase() === id.toLowerCase() ? undefined : current;
  }

  #elsewhere(urn: string): string | undefined {
    const start = `${JSON.stringify([urn]).slice(0, -1)},`;
    const line = this.files.lines(LIST).findLast((each) => each.startsWith(start));
    return line === undefined ? undefined : (JSON.parse(line) as [urn: string, id: string])[1];
  }
}
