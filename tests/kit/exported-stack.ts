import type { PropertyMap } from "../../provider/src/lifecycle/property-value";
import { typeToken } from "../../provider/src/pulumi/type-tokens";

interface Exported {
  /** Default: `Pipe`. A type of another package has its module. */
  readonly type?: string;
  /** Default: `dynamic`. */
  readonly form?: "dynamic" | "native";
  /** The types of the parents, the outermost first. */
  readonly parents?: readonly string[];
  readonly inputs?: PropertyMap;
  readonly outputs?: PropertyMap;
  readonly external?: boolean;
  readonly delete?: boolean;
  readonly retainOnDelete?: boolean;
  readonly importID?: string;
  readonly created?: string;
}

/** A resource in the state of the stack `dev` of the project `shop`. */
export function exportedResource(name: string, id: string, exported: Exported = {}) {
  const { type = "Pipe", form = "dynamic", parents = [], ...more } = exported;
  const token = type.includes(":") ? type : typeToken(type, form);
  const urn = `urn:pulumi:dev::shop::${[...parents, token].join("$")}::${name}`;
  return { urn, type: token, id, custom: true, ...more };
}

type ExportedResource = ReturnType<typeof exportedResource>;

/** The text of `pulumi stack export` for a stack with these resources, and with others whose create has not ended. */
export const exportOf = (
  resources: readonly ExportedResource[],
  creating: readonly Omit<ExportedResource, "id">[] = [],
): string =>
  JSON.stringify({
    version: 3,
    deployment: {
      resources,
      pending_operations: creating.map((resource) => ({ type: "creating", resource })),
    },
  });
