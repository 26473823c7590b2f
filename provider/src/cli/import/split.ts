import { kebabCase } from "es-toolkit/string";
import { kindOf } from "./hosts";
import { UniqueNames } from "./names";
import { PROGRAM } from "./program";
import type { ImportedPipe } from "./resources";

/** How the program is divided into files. */
export type Split = "kind" | "service";

export function filesFor(split: Split | undefined): (pipe: ImportedPipe) => string {
  if (split === undefined) return () => PROGRAM;
  if (split === "kind") return ({ args }) => `${kebabCase(kindOf(args) ?? "other")}.ts`;
  const names = new UniqueNames();
  const files = new Map<string, string>();
  return ({ serviceId }) => {
    // Ids of services are UUIDs.
    const file = files.get(serviceId) ?? `${names.take(`service-${serviceId.slice(0, 8)}`)}.ts`;
    files.set(serviceId, file);
    return file;
  };
}
