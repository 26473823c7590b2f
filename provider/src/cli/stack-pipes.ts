import { z } from "zod";
import { typeTokens } from "../pulumi/type-tokens";
import { projectFileOf, pulumi, StackConfigurationError, wordsOf } from "./stack-configuration";

/** A pipe that a stack manages. */
export interface StackPipe {
  readonly id: string;
  /** The logical name of its resource. */
  readonly logicalName: string;
}

/** The pipes that the named stack manages, or the stack that is selected in the folder; undefined if there is none. */
export async function readStackPipes(
  stack?: string,
  folder = process.cwd(),
): Promise<readonly StackPipe[] | undefined> {
  if (stack === undefined && projectFileOf(folder) === undefined) return undefined;
  const chosen = stack === undefined ? [] : ["--stack", stack];
  try {
    return parse(await pulumi(["stack", "export", ...chosen], folder));
  } catch (error) {
    const words = wordsOf(error);
    if (stack === undefined && /no stack selected/i.test(words)) return undefined;
    const what = stack === undefined ? "of the selected stack" : `of stack ${JSON.stringify(stack)}`;
    throw new StackConfigurationError(
      `The resources ${what} could not be read: ${words}`,
      "Make `pulumi stack export` work in this folder, then run the command again.",
    );
  }
}

const exported = z.looseObject({
  deployment: z
    .looseObject({
      resources: z
        .array(
          z.looseObject({
            urn: z.string(),
            type: z.string(),
            id: z.string().optional(),
            external: z.boolean().optional(),
            delete: z.boolean().optional(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

const TYPES = typeTokens("Pipe");

/** A resource that the program only reads, or that a replacement has given up, is not managed. */
function parse(text: string): readonly StackPipe[] {
  const resources = exported.parse(JSON.parse(text)).deployment?.resources ?? [];
  return resources.flatMap(({ urn, type, id, external = false, delete: isGivenUp = false }) =>
    id === undefined || external || isGivenUp || !TYPES.includes(type)
      ? []
      : [{ id: id.toLowerCase(), logicalName: urn.split("::").slice(3).join("::") }],
  );
}
