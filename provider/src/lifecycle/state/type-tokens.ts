/** How a stack has a resource: as a dynamic one, or through the native plugin. */
const MODULES = { dynamic: "pulumi-nodejs:dynamic/datapipes", native: "datapipes:index" } as const;

type Form = keyof typeof MODULES;

/** The token of a resource type in states and URNs. */
export const typeToken = (type: string, form: Form = "dynamic"): string => `${MODULES[form]}:${type}`;

/** A resource type of this provider without its module, which differs between the forms; else the token. */
export function withoutModule(token: string): string {
  const prefix = Object.values(MODULES).find((module) => token.startsWith(`${module}:`));
  return prefix === undefined ? token : token.slice(prefix.length + 1);
}
