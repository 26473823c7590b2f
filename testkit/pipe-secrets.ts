import { canary } from "./canary";
import { pipeFieldTable } from "./pipe-field-table";
import { minimal, withValues, type JsonObject } from "./pipes";

/** The paths of every secret text of a pipe of this kind. The other two resources have none. */
export const secretPathsOf = (kind: string): string[] =>
  pipeFieldTable.flatMap(([path, type, , flags]) =>
    path.startsWith(`source.${kind}.`) && type === "string" && flags.includes("secret") ? [path] : [],
  );

/** The secret of a version. The registry's credentials never change, because that needs another pipe. */
export const canaryAt = (path: string, version = 1): string =>
  canary(`${path.replaceAll(".", "-")}-v${path.includes("schemaRegistry") ? 1 : version}`);

export const withCanaries = (args: JsonObject, kind: string, version = 1): JsonObject =>
  withValues(args, Object.fromEntries(secretPathsOf(kind).map((path) => [path, canaryAt(path, version)])));

export const pipeCanaries = [1, 2, 3].flatMap((version) =>
  Object.keys(minimal)
    .flatMap(secretPathsOf)
    .map((path) => canaryAt(path, version)),
);
