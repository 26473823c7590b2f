import { partsOf } from "../../provider/src/lifecycle/state/resource-key";

/** The parts of a URN; the type without its package, such as `Pipe`. */
export const readUrn = (urn: string) => ({ ...partsOf(urn), type: typeOf(partsOf(urn).type) });

/** The name of a resource type or function in a token such as `datapipes:index:Pipe`. */
export const typeOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
