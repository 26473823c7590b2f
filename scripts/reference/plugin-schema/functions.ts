import { SCOPE_SETTINGS } from "../../../provider/src/settings/settings";
import { ARGUMENTS } from "../../../provider/src/program/functions/argument-schemas";
import type { Declarations } from "../declarations";
import { exampleSectionOf } from "./examples";
import { DeclaredTypes } from "./declared-types";
import { tokenOf, type NamedType } from "./types";
import { capitalized } from "../arguments/types";

/** A function of Pulumi's schema language. */
export interface FunctionSpec {
  readonly description: string;
  readonly inputs: NamedType;
  readonly outputs: NamedType;
}

/** The data functions, and the named types of their results. */
export async function functionsOf(declarations: Declarations) {
  const results = new DeclaredTypes(declarations);
  const functions = Object.entries(ARGUMENTS).map(async ([name, schema]): Promise<[string, FunctionSpec]> => {
    const base = capitalized(name);
    const description = declarations.commentOf(name)?.text;
    if (description === undefined)
      throw new Error(`the data function ${name} has no declaration with a doc comment`);
    const isOfService = Object.keys(schema).length === SCOPE_SETTINGS.length;
    const inputs = results.objectOf(isOfService ? "ServiceArgs" : `${base}Args`);
    const outputs = results.objectOf(`${base}Result`);
    const examples = await exampleSectionOf(name);
    return [tokenOf(name), { description: `${description}\n\n${examples}`, inputs, outputs }];
  });
  return { functions: Object.fromEntries(await Promise.all(functions)), types: results.types };
}
