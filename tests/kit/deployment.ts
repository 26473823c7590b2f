import type { PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";
import { typeToken } from "../../provider/src/lifecycle/state/resource-key";
import { isSecret } from "./json";

export interface StoredResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  provider?: string;
  dependencies?: readonly string[];
  protect?: boolean;
  retainOnDelete?: boolean;
}

export class Deployment {
  readonly resources: readonly StoredResource[];

  constructor(readonly text: string) {
    const { deployment } = JSON.parse(text) as { deployment: { resources?: StoredResource[] } };
    this.resources = deployment.resources ?? [];
  }

  ofType(type: string): StoredResource[] {
    return this.resources.filter((resource) => resource.type.endsWith(`:${type}`));
  }

  named(name: string): StoredResource {
    const [resource, ...others] = this.resources.filter(({ urn }) => urn.endsWith(`::${name}`));
    if (resource === undefined || others.length > 0)
      throw new Error(`${resource === undefined ? "no resource is" : "several resources are"} named ${name}`);
    return resource;
  }
}

/** The value at a dotted path; undefined when there is none, or when something on the way is encrypted. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((owner, key) => {
    if (typeof owner !== "object" || owner === null) return undefined;
    return (owner as Record<string, unknown>)[key];
  }, value);
}

export function secretPathsIn(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecret(value)) return [at];
  return Object.entries(value).flatMap(([key, member]) =>
    secretPathsIn(member, at === "" ? key : `${at}.${key}`),
  );
}

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
  readonly pendingReplacement?: boolean;
  readonly importID?: string;
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
