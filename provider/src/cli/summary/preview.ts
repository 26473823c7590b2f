import { readFile } from "node:fs/promises";
import { z } from "zod";
import { isMap, type PropertyMap } from "../../lifecycle/property-value";

/** The text is not what `pulumi preview --json` prints. */
export class PreviewError extends Error {
  override readonly name = "PreviewError";
}

/** An object with any members. A record of zod would lose the member `__proto__`. */
const properties = z.custom<PropertyMap>(isMap);

const state = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  retainOnDelete: z.boolean().optional(),
  protect: z.boolean().optional(),
  importID: z.string().optional(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: properties.nullish(),
});

const preview = z.looseObject({
  config: properties.nullish(),
  steps: z.array(step).nullish(),
  diagnostics: z
    .array(z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string() }))
    .nullish(),
});

/** One step of a preview: what Pulumi would do with one resource. */
export type Step = z.infer<typeof step>;

/** The values of a resource in a step. */
export type ResourceState = z.infer<typeof state>;

/** What `pulumi preview --json` prints, as far as the summary uses it. */
export type Preview = z.infer<typeof preview>;

export const textOf = (file: string): Promise<string> =>
  readFile(file).then(decoded, (error: unknown) => {
    throw new PreviewError(`The preview could not be read: ${(error as Error).message}.`);
  });

/** The text of bytes. Windows PowerShell writes UTF-16 with a byte order mark to files. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = first === 0xff && second === 0xfe;
  const isSwapped = first === 0xfe && second === 0xff;
  return new TextDecoder(isUtf16 ? "utf-16le" : isSwapped ? "utf-16be" : "utf-8").decode(bytes);
}

/** Reads what `pulumi preview --json` prints. Lines before and after the JSON, such as those of a wrapper, are skipped. */
export function readPreview(text: string): Preview {
  const start = text.search(/^\{/m);
  if (start < 0) throw new PreviewError("The preview has no JSON object.");
  const parsed = preview.safeParse(jsonOf(objectAtStart(text.slice(start))));
  if (!parsed.success || (parsed.data.steps ?? parsed.data.diagnostics) === undefined)
    throw new PreviewError("The JSON is not that of a preview.");
  return parsed.data;
}

/** The text up to the end of the object that it begins with. */
function objectAtStart(text: string): string {
  let depth = 0;
  let isInString = false;
  for (const { 0: token, index } of text.matchAll(/\\.|["{}]/g)) {
    if (token === '"') isInString = !isInString;
    else if (!isInString && token === "{") depth += 1;
    else if (!isInString && token === "}") depth -= 1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PreviewError("The preview is not complete JSON.");
  }
}

/** The members of a path such as `source.kafka.topics`, `ipAccessList[1]` or `tags["a.b"]`. */
export const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) =>
    index === undefined ? (quoted?.replaceAll(/\\(.)/g, "$1") ?? name ?? "") : Number(index),
  );
