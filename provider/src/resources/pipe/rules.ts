import type { Failure } from "../../lifecycle/validation";
import { duplicates } from "../../lifecycle/duplicates";
import { quoted } from "../../messages/printable";
import { nearestName } from "../../messages/unknown-name";
import { known, UNKNOWN, type Draft } from "../../lifecycle/property-value";
import type { PipeDraft } from "./schema";
import { SOURCE_KINDS } from "./source-schema";

/** The rules between the fields of a pipe. Unknown values pass. */
export function pipeRules(inputs: PipeDraft): readonly Failure[] {
  const { columns, roles, tableDefinition } = known(inputs.destination) ?? {};
  const { sortingKey, engine } = known(tableDefinition) ?? {};
  const { kafka, postgres } = known(inputs.source) ?? {};
  const mappings = known(known(postgres)?.tableMappings) ?? [];
  const postgresMappings = ["source", "postgres", "tableMappings"];
  const entries = (list: Draft<readonly string[]> | undefined, ...path: (string | number)[]) =>
    list === undefined ? [] : duplicates({ path, list, noun: "entry" });
  return [
    ...oneSourceKind(inputs),
    ...allColumnsMapped(inputs),
    ...duplicates({ path: ["destination", "columns"], list: columns, by: ["name"], noun: "column" }),
    ...duplicates({ path: postgresMappings, list: mappings, by: ["targetTable"], noun: "target table" }),
    ...duplicates({
      path: ["fieldMappings"],
      list: inputs.fieldMappings,
      by: ["sourceField", "destinationField"],
      noun: "field mapping",
    }),
    ...entries(known(kafka)?.reversePrivateEndpointIds, "source", "kafka", "reversePrivateEndpointIds"),
    ...entries(roles, "destination", "roles"),
    ...entries(sortingKey, "destination", "tableDefinition", "sortingKey"),
    ...entries(known(engine)?.columnIds, "destination", "tableDefinition", "engine", "columnIds"),
    ...mappings.flatMap((mapping, index) => {
      const { excludedColumns, sortingKeys } = known(mapping) ?? {};
      return [
        ...entries(excludedColumns, ...postgresMappings, index, "excludedColumns"),
        ...entries(sortingKeys, ...postgresMappings, index, "sortingKeys"),
      ];
    }),
  ];
}

/** The kind of an adopted pipe may be one that no program can declare. */
function oneSourceKind({ source, adopt }: PipeDraft): readonly Failure[] {
  if (source === undefined || source === UNKNOWN) return [];
  const given = SOURCE_KINDS.filter((kind) => source[kind] !== undefined && source[kind] !== UNKNOWN);
  const mayBeGiven = SOURCE_KINDS.some((kind) => source[kind] === UNKNOWN);
  if (given.length === 1 || (given.length === 0 && (mayBeGiven || adopt !== undefined))) return [];
  const kinds = SOURCE_KINDS.join(", ");
  const reason =
    given.length === 0
      ? `must have exactly one of ${kinds}; it has none`
      : `must have exactly one of ${kinds}; it has ${given.join(" and ")}`;
  return [{ path: ["source"], reason }];
}

function allColumnsMapped(inputs: PipeDraft): readonly Failure[] {
  const { destination, fieldMappings = [] } = inputs;
  const columns = known(known(destination)?.columns) ?? [];
  // With a mapping that is not known yet, any column may be mapped.
  if (fieldMappings === UNKNOWN) return [];
  const mapped = new Set(
    fieldMappings.map((mapping) => (mapping === UNKNOWN ? UNKNOWN : mapping.destinationField)),
  );
  if (mapped.has(UNKNOWN)) return [];
  const missing = columns
    .map((column) => known(column)?.name)
    .filter((name) => typeof name === "string" && !mapped.has(name));
  if (missing.length === 0) return [];
  const names = [...new Set(missing)].map((name) => JSON.stringify(name)).join(", ");
  const others = undeclaredColumns(inputs);
  const also = others === "" ? "" : `; not declared: ${others}`;
  return [
    { path: ["fieldMappings"], reason: `must cover every destination column; missing: ${names}${also}` },
  ];
}

/** The columns that only field mappings name, each with the declared one that it resembles, as a message lists them. */
function undeclaredColumns({ destination, fieldMappings }: PipeDraft): string {
  const columns = known(known(destination)?.columns) ?? [];
  const declared = columns.map((column) => known(column)?.name).filter((name) => typeof name === "string");
  if (declared.length === 0 || declared.length < columns.length) return "";
  const mapped = (known(fieldMappings) ?? []).map((mapping) => known(mapping)?.destinationField);
  const others = [...new Set(mapped)].filter((name) => typeof name === "string").map(String);
  return others
    .filter((name) => !declared.includes(name))
    .map((name) => ({ name: quoted(name), meant: nearestName(name, declared) }))
    .map(({ name, meant }) => (meant === undefined ? name : `${name} (did you mean ${quoted(meant)}?)`))
    .join(", ");
}

/** Warns of what a new pipe can hardly do without, and the API document does not require: a destination, a login for Postgres. */
export function gapWarnings({ name, source, destination, adopt }: PipeDraft): readonly string[] {
  if (adopt !== undefined) return [];
  const pipe = `pipe ${JSON.stringify(name)}`;
  const creates = "The provider creates the pipe without";
  const postgres = known(known(source)?.postgres);
  return [
    ...(destination === undefined
      ? [`${pipe}: there is no destination. ${creates} one, and the service may refuse it.`]
      : []),
    ...(postgres !== undefined && postgres.credentials === undefined
      ? [
          `${pipe}: source.postgres has no credentials. ${creates} them, and it may not be able to read the database.`,
        ]
      : []),
  ];
}

/** Warns of columns that only field mappings name, which the API document allows. */
export function columnWarnings(inputs: PipeDraft): readonly string[] {
  const others = undeclaredColumns(inputs);
  if (others === "") return [];
  const what = `pipe ${JSON.stringify(inputs.name)}: fieldMappings name columns that destination.columns lacks`;
  return [`${what}: ${others}. The service may refuse or ignore them.`];
}
