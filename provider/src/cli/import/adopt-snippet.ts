import { isMap, type PropertyMap } from "../../lifecycle/property-value";
import type { ListedPipe } from "../../resources/pipe/observed";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { textCode, valueCode } from "./literals";
import type { ProgramNames } from "./names";

/** What the snippet needs beside the pipe. */
interface SnippetOptions {
  readonly names: ProgramNames;
  /** The ids that the configuration does not give. */
  readonly scope: PropertyMap;
  readonly isDeclarable: (text: string) => boolean;
}

/** Fields of a source that one text describes, of which one shows its kind. */
const TELLING_FIELDS: Readonly<Record<(typeof SOURCE_KINDS)[number], readonly string[]>> = {
  kafka: ["topics", "brokers", "consumerGroup"],
  objectStorage: ["url", "path", "compression"],
  kinesis: ["streamName", "region"],
  postgres: ["host", "database"],
};

/**
 * A declaration that adopts a pipe which the program cannot describe: with one field of its source, or with none if the kind of source is
 * unknown. Undefined if it could change the pipe.
 */
export function adoptSnippet(
  { id, name, source }: ListedPipe,
  { names, scope, isDeclarable }: SnippetOptions,
): string | undefined {
  if (typeof name !== "string" || !isDeclarable(name)) return undefined;
  const code = sourceCode(isMap(source) ? source : {}, isDeclarable);
  if (code === undefined) return undefined;
  const members = [
    `adopt: ${textCode(id)}`,
    ...Object.entries(scope).map(([field, value]) => `${field}: ${valueCode(value)}`),
    ...(name === names.logicalName ? [] : [`name: ${textCode(name)}`]),
    `source: ${code}`,
  ];
  return `  new datapipes.Pipe(${textCode(names.logicalName)}, {\n${members.map((member) => `    ${member},\n`).join("")}  });`;
}

function sourceCode(source: PropertyMap, isDeclarable: (text: string) => boolean): string | undefined {
  const kinds = SOURCE_KINDS.filter((kind) => isMap(source[kind]) && Object.keys(source[kind]).length > 0);
  const [kind] = kinds;
  // The compiler requires a kind that it knows.
  if (kind === undefined) return "{} as datapipes.PipeSourceArgs";
  const fields = source[kind];
  const field = TELLING_FIELDS[kind].find((each) => {
    const text = isMap(fields) ? fields[each] : undefined;
    return typeof text === "string" && text !== "" && isDeclarable(text);
  });
  if (kinds.length > 1 || field === undefined || !isMap(fields)) return undefined;
  return `{ ${kind}: { ${field}: ${valueCode(fields[field])} } }`;
}
