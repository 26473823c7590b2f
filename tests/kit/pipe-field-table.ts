import { changedMapping, columns, identity, pipeFieldTable, postgresUser } from "./pipe-rows";
import type { Json, JsonObject } from "./json";
import { complete, snakeCase, withValue, type SourceKind } from "./pipes";
import type { Field } from "../../provider/src/lifecycle/fields";
import { pipeFields } from "../../provider/src/resources/pipe/schema";

export { pipeFields, pipeFieldTable };

export const changesOf = (kind: SourceKind) =>
  pipeFieldTable.flatMap(([path, , onChange, words, , to]) => {
    if (to === undefined || !concerns(kind, path)) return [];
    /** Of the PATCHes that the provider sends for it; none for a field that no PATCH changes. */
    const bodies = onChange === "update" ? bodiesOf(path, to) : [];
    const isReturned = onChange !== "providerOnly" && !words.includes("write-only");
    return [{ kind, path, onChange, isSecret: words.includes("secret"), isReturned, to, bodies }];
  });

/** Fields of every kind belong to Kafka's; those whose PATCH may depend on the kind belong to each. */
function concerns(kind: SourceKind, path: string): boolean {
  const [, second = ""] = path.split(".");
  if (path.startsWith("source.") && second in complete) return second === kind;
  return kind === "kafka" || ["name", "destination.columns", "fieldMappings"].includes(path);
}

function bodiesOf(path: string, to: Json): JsonObject[] {
  const alone = withValue({}, path, to);
  const name = path.split(".").at(-1) ?? "";
  if (path.startsWith("settings.")) return [{ settings: { [snakeCase(name)]: to } }];
  // The mappings of the columns are sent with the columns.
  if (path === "fieldMappings") return [{ ...alone, destination: { columns } }];
  // Services test a changed connection, which takes the credentials.
  if (/^source\.postgres\.(host|port|database)$/.test(path))
    return [withValue(alone, "source.postgres.credentials", postgresUser)];
  if (path === "source.postgres.tableMappings")
    return [
      { source: { postgres: { tableMappingsToRemove: [identity] } } },
      { source: { postgres: { tableMappingsToAdd: [changedMapping] } } },
    ];
  return [alone];
}

export function fieldAt(path: string, fields: readonly Field[] = pipeFields): Field {
  for (const field of fields) {
    const own = field.path.join(".");
    if (own === path) return field;
    if (path.startsWith(`${own}.`)) return fieldAt(path, field.members ?? []);
  }
  throw new Error(`There is no field ${path}`);
}
