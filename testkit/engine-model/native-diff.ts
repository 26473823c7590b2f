import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { Diff } from "./adapter";
import type { Properties } from "./wire";

const { Kind } = pb.PropertyDiff;
const { DIFF_NONE, DIFF_UNKNOWN } = pb.DiffResponse.DiffChanges;

const REPLACES: ReadonlySet<pb.PropertyDiff.Kind> = new Set([
  Kind.ADD_REPLACE,
  Kind.DELETE_REPLACE,
  Kind.UPDATE_REPLACE,
]);

/** The property paths that the engine can parse: any other fails its run. */
const PATH = /^([^.[\]]+|\["([^"]|\\")+"\])(\.[^.[\]]+|\[(\d+|\*|"([^"]|\\")+")\])*$/;

/** What the engine makes of the response to a diff. */
export function diffOf(
  response: pb.DiffResponse,
  inputs: {
    readonly before: Properties;
    readonly after: Properties;
    readonly replaceOnChanges: readonly string[];
  },
): Diff {
  const { before, after, replaceOnChanges } = inputs;
  const changes = response.getChanges();
  // The engine applies the option `replaceOnChanges` to the paths of the detailed diff. Without one, only the plugin replaces.
  const isNamed = (path: string): boolean =>
    replaceOnChanges.some(
      (name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
    );
  const replaces = details(response).some(({ path, kind }) => REPLACES.has(kind) || isNamed(path));
  return {
    changed: changes === DIFF_UNKNOWN ? !isDeepStrictEqual(before, after) : changes !== DIFF_NONE,
    replaces: replaces || response.getReplacesList().length > 0,
    deleteBeforeReplace: response.getDeletebeforereplace(),
  };
}

/** The detailed diff, which the engine reads only if the plugin says that there is one. */
function details(response: pb.DiffResponse) {
  if (!response.getHasdetaileddiff()) return [];
  const found: { readonly path: string; readonly kind: pb.PropertyDiff.Kind }[] = [];
  response.getDetaileddiffMap().forEach((diff, path) => {
    if (!PATH.test(path)) throw new Error(`The engine cannot parse the path ${path} of the detailed diff.`);
    found.push({ path, kind: diff.getKind() });
  });
  return found;
}
