import type { Json, JsonObject } from "./json";
import type { SeedPipe } from "../../simulator/src/index";
import { pipeFieldTable } from "./pipe-rows";

export { endpointIds } from "./pipe-rows";

export type SourceKind = "kafka" | "objectStorage" | "kinesis" | "postgres";
export const KINDS: readonly SourceKind[] = ["kafka", "objectStorage", "kinesis", "postgres"];

/** Whether a pipe of this kind of source may have the field. The API has no settings of a Postgres pipe. */
export const concerns = (kind: SourceKind, path: string): boolean =>
  path.startsWith("source.")
    ? path.startsWith(`source.${kind}.`) || path === "source.validateSamples"
    : kind !== "postgres" || !path.startsWith("settings");

const completeOf = (kind: SourceKind): JsonObject =>
  pipeFieldTable
    .filter(([path]) => concerns(kind, path))
    .reduce<JsonObject>(
      (args, [path, , , , value]) => (value === undefined ? args : withValue(args, path, value)),
      {},
    );

/** Per kind of source a pipe that sets every field that the API's document has for it. */
export const complete: Record<SourceKind, JsonObject> = {
  kafka: completeOf("kafka"),
  objectStorage: withValue(completeOf("objectStorage"), "source.validateSamples", false),
  kinesis: completeOf("kinesis"),
  postgres: completeOf("postgres"),
};

/** The mapping of a source table of the schema "public". */
export const tableMapping = (sourceTable: string, targetTable = sourceTable) => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
});

/** For each kind of source, a pipe that declares only what most servers require. */
export const minimal: Record<SourceKind, JsonObject> = {
  kafka: {
    source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
    destination: { table: "few" },
  },
  objectStorage: {
    source: { objectStorage: { url: "https://bucket.example/*.json" } },
    destination: { table: "few" },
  },
  kinesis: {
    source: { kinesis: { streamName: "clicks", region: "eu-central-1" } },
    destination: { table: "few" },
  },
  postgres: {
    source: { postgres: { host: "db.example", database: "shop", tableMappings: [tableMapping("orders")] } },
    destination: { database: "few" },
  },
};

/** By logical name, a complete pipe of each kind (`kafka`, …) and a minimal one (`minimal-kafka`, …). */
export const completeAndMinimal: Record<string, JsonObject> = {
  ...complete,
  ...Object.fromEntries(Object.entries(minimal).map(([kind, args]) => [`minimal-${kind}`, args])),
};

/** Pipes by their logical names, each with a database of its own: none loads the same as another. */
export const apart = (pipes: Record<string, JsonObject>): Record<string, JsonObject> =>
  mapValues(pipes, (args, name) => withValue(args, "destination.database", name));

/** A program of pipes by their logical names; `options` is the text of the third argument of each. */
export function pipesProgram(pipes: Record<string, JsonObject>, options = "undefined"): string {
  return Object.entries(pipes)
    .map(
      ([name, args]) => `new datapipes.Pipe(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${options});\n`,
    )
    .join("");
}

/** A copy with the value at a dotted path replaced, or removed by `undefined`; elements are counted from 0. */
export function withValue(args: JsonObject, path: string, value: Json | undefined): JsonObject {
  return replacedAt(args, path.split("."), value) as JsonObject;
}

export const withValues = (args: JsonObject, values: Record<string, Json | undefined>): JsonObject =>
  Object.entries(values).reduce((copy, [path, value]) => withValue(copy, path, value), args);

export const mapValues = <T, R>(record: Record<string, T>, change: (value: T, name: string) => R) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

export function replacedAt(old: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(old)) {
    const elements: unknown[] = [...(old as readonly unknown[])];
    elements[Number(name)] = replacedAt(elements[Number(name)], rest, value);
    return elements;
  }
  const members = typeof old === "object" && old !== null ? (old as Record<string, unknown>) : {};
  const { [name]: member, ...others } = members;
  const replaced = replacedAt(member, rest, value);
  return replaced === undefined ? others : { ...members, [name]: replaced };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The body of createPipe for what a program declares, which a simulator also seeds. */
export function creationBody(name: string, { settings, ...rest }: JsonObject): JsonObject & SeedPipe {
  const renamed = Object.entries((settings ?? {}) as JsonObject).map(
    ([key, value]) => [snakeCase(key), value] as const,
  );
  const body = { name, ...rest, ...(settings !== undefined && { settings: Object.fromEntries(renamed) }) };
  // What a program declares is any JSON; a simulator checks what it seeds.
  return body as JsonObject & SeedPipe;
}
