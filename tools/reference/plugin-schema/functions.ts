import { QUERIES } from "../../../provider/src/functions/queries";
import type { Declarations } from "../declarations";
import { DeclaredTypes } from "./declared-types";
import { tokenOf, type NamedType } from "./types";

/** A function of Pulumi's schema language. */
export interface FunctionSpec {
  readonly description: string;
  readonly inputs: NamedType;
  readonly outputs: NamedType;
}

/** The data functions, and the named types of their results. */
export function functionsOf(declarations: Declarations) {
  const results = new DeclaredTypes(declarations);
  const functions = Object.keys(QUERIES).map((name): [string, FunctionSpec] => {
    const base = name.charAt(0).toUpperCase() + name.slice(1);
    const described = declarations.commentOf(name)?.text ?? "";
    const [own = "ServiceArgs"] = [`${base}Args`].filter(
      (type) => declarations.commentOf(type) !== undefined,
    );
    return [
      tokenOf(name),
      { description: described, inputs: results.objectOf(own), outputs: results.objectOf(`${base}Result`) },
    ];
  });
  return { functions: Object.fromEntries(functions), types: results.types };
}
