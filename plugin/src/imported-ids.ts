import type { RunFile } from "../../provider/src/lifecycle/run-file";
import { idKey } from "../../provider/src/values/uuid";
import { readUrn } from "./resource-urn";

/**
 * The ids of resources that came into the stack by an import. If the option `import` of such a resource names another id, the engine
 * imports that one, and then deletes the former one. The calls of a preview, and those before the deletion, do not name the former id.
 */
export class ImportedIds {
  /** The URNs of resources that this run has read without a state. A read by `get` is the same call, and no diff follows it. */
  readonly #read = new Set<string>();
  /** By URN: the id that the resource has in this run. */
  readonly #current = new Map<string, string>();

  constructor(private readonly file: RunFile) {}

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
    this.file.add({ use: "imports", type: readUrn(urn).type, id, key: urn });
  }

  /** The id that the resource has now, if the id that the engine deletes is a former one. */
  replacementOf(urn: string, id: string): string | undefined {
    const current = this.#current.get(urn) ?? this.#elsewhere(urn);
    return current === undefined || idKey(current) === idKey(id) ? undefined : current;
  }

  #elsewhere = (urn: string): string | undefined =>
    this.file.others(urn).findLast(({ use, key }) => use === "imports" && key === urn)?.id;
}
