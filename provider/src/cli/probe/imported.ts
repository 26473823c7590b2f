import type { Identified } from "../../api/document/wire";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import { formatPath, type PropertyMap } from "../../lifecycle/property-value";
import type { ServiceScope } from "../../settings/settings";
import { readablePipe } from "../import/readable";
import { importPipe, isSkipped } from "../import/resources";
import { noUsualSettings } from "../import/usual-settings";

/** How a pipe that is imported compares with itself at the next refresh. */
export interface Imported {
  readonly pipe: Identified;
  readonly outcome: "equal" | "differs" | "skipped";
  /** Paths that differ, or that the program could not declare. */
  readonly paths: readonly string[];
}

/**
 * Imports a pipe, reads it again from the cached list, and compares both by the check and the diff of the provider. Sends no request while the
 * list has the pipe.
 */
export async function importAndCompare(
  lifecycle: Lifecycle,
  pipe: Identified,
  { scope, index, hasSecret }: { scope: ServiceScope; index: number; hasSecret: (text: string) => boolean },
): Promise<Imported> {
  const declared: PropertyMap = { ...scope };
  const place = { serviceId: scope.serviceId, declared, hasSecret, usual: noUsualSettings, returned: pipe };
  const names = { variable: "pipe", logicalName: `pipe-${index}` };
  const imported = importPipe(lifecycle, readablePipe(pipe), place, names);
  if (isSkipped(imported)) return { pipe, outcome: "skipped", paths: [] };
  const undeclared = imported.undeclared.map(({ path }) => formatPath(path));
  const refreshed = await lifecycle.read(pipe.id, imported.outputs);
  const inputs = imported.inputs;
  const { changed, changes } = lifecycle.diff(pipe.id, refreshed?.outputs ?? {}, inputs);
  return changed
    ? { pipe, outcome: "differs", paths: changes.map(({ path }) => path) }
    : { pipe, outcome: "equal", paths: undeclared };
}
