import { readFile } from "node:fs/promises";
import { z } from "zod";
import { isMap, type PropertyMap } from "../../lifecycle/comparison/property-value";

/** An object with any members. A record of zod would lose the member `__proto__`. */
const properties = z.custom<PropertyMap>(isMap);

const state = z.looseObject({
  type: z.string(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  retainOnDelete: z.boolean().optional(),
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

const diagnostic = z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string() });

const preview = z.looseObject({
  config: properties.nullish(),
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnostic).nullish(),
});

/** One step of a preview: what Pulumi would do with one resource. */
export type Step = z.infer<typeof step>;

/** A message of a preview. */
export type Diagnostic = z.infer<typeof diagnostic>;

/** What `pulumi preview --json` prints, as far as the summary uses it. */
export type Preview = z.infer<typeof preview>;

export const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: unknown) => {
    const { message } = error as Error;
    throw new Error(
      `The preview could not be read: ${message}. Name the file that \`pulumi preview --json\` wrote.`,
    );
  });

/** Reads what `pulumi preview --json` prints. */
export function readPreview(text: string): Preview {
  const parsed = preview.safeParse(jsonOf(text));
  if (!parsed.success || (parsed.data.steps ?? parsed.data.diagnostics) === undefined)
    throw new Error("The input is not the output of `pulumi preview --json`. Check the log of that command.");
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The input is not complete JSON. Check the log of `pulumi preview --json`.");
  }
}
