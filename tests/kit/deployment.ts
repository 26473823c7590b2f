import { isSecret } from "./protocol";

export interface StoredResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  provider?: string;
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

export function secretPaths(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecret(value)) return [at];
  return Object.entries(value).flatMap(([key, member]) =>
    secretPaths(member, at === "" ? key : `${at}.${key}`),
  );
}
