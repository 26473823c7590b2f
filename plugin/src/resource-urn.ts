import { resourceKey } from "../../provider/src/lifecycle/state/resource-key";
import { partsOf } from "../../provider/src/lifecycle/state/resource-urn";

export interface ResourceUrn {
  readonly stack: string;
  readonly project: string;
  /** The type without its package, such as `Pipe`. */
  readonly type: string;
  readonly name: string;
  /** See `resourceKey`. */
  readonly key: string;
}

/** Reads `urn:pulumi:<stack>::<project>::<types of the parents>$<type>::<name>`. */
export function readUrn(urn: string): ResourceUrn {
  const { stack, project, parents, type, name } = partsOf(urn);
  return { stack, project, type: typeOf(type), name, key: resourceKey([...parents, type], name) };
}

/** The name of a resource type or function in a token such as `datapipes:index:Pipe`. */
export const typeOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
