import { counted } from "../../messages/enumerated";
import { DatapipesError } from "../../messages/errors";
import type { ListedPipe } from "../../resources/pipe/observed";
import type { Run } from "../../run/run";
import type { PropertyMap } from "../../lifecycle/comparison/property-value";
import { idKey } from "../../values/uuid";
import { listPipes } from "../list-pipes";

/** A pipe of a list; the id may be anything. */
export interface AnyPipe {
  readonly serviceId: string;
  readonly pipe: PropertyMap;
}

/** A pipe with a UUID. */
export interface FoundPipe extends AnyPipe {
  readonly pipe: ListedPipe;
}

/** The services of one organization. */
export interface Services {
  readonly organizationId: string;
  readonly serviceIds: readonly string[];
}

/** The services to list: those of the options, else that of the configuration. */
export function servicesOf(
  run: Run,
  { organization, service }: { readonly organization?: string; readonly service?: readonly string[] },
): Services {
  const { organizationId, serviceId } = run.scope({
    ...(organization !== undefined && { organizationId: organization }),
    ...(service?.[0] !== undefined && { serviceId: service[0] }),
  });
  return { organizationId, serviceIds: service ?? [serviceId] };
}

/** Lists the pipes of the services, with one request for each service. */
export async function list(
  run: Run,
  { organizationId, serviceIds }: Services,
  say: (line: string) => void,
): Promise<{ readonly found: readonly FoundPipe[]; readonly withoutId: readonly AnyPipe[] }> {
  const found: FoundPipe[] = [];
  const withoutId: AnyPipe[] = [];
  for (const serviceId of serviceIds) {
    say(`Reading the pipes of service ${serviceId} …`);
    const { items, leftOut } = await listPipes(run.client(), { organizationId, serviceId });
    say(`Service ${serviceId} has ${counted(items.length + leftOut.length, "pipe")}.`);
    found.push(...items.map((pipe) => ({ serviceId, pipe })));
    withoutId.push(...leftOut.map((pipe) => ({ serviceId, pipe })));
  }
  return { found, withoutId };
}

/** The pipes whose name or ID matches a pattern. */
export function select(
  found: readonly FoundPipe[],
  only: readonly string[],
  say: (line: string) => void,
): readonly FoundPipe[] {
  if (only.length === 0) return found;
  const matchers = only.map((pattern) => {
    const source = `^${pattern.split("*").map(escapedForRegExp).join(".*")}$`;
    const [name, id] = [new RegExp(source, "su"), new RegExp(source, "isu")];
    const matches = ({ pipe }: FoundPipe): boolean =>
      id.test(pipe.id) || (typeof pipe.name === "string" && name.test(pipe.name));
    return { pattern, matches };
  });
  const missing = matchers.filter(({ matches }) => !found.some(matches));
  const patterns = missing.map(({ pattern }) => JSON.stringify(pattern)).join(" or ");
  if (missing.length === only.length)
    throw new DatapipesError(
      "not-found",
      `No pipe has a name or ID that matches ${patterns}. Check --only, and that this is the right service.`,
    );
  if (missing.length > 0) say(`warning: no pipe matches ${patterns}.`);
  return found.filter((pipe) => matchers.some(({ matches }) => matches(pipe)));
}

const escapedForRegExp = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The ids of a service that the program has to declare: those that the configuration does not give. */
export function scopeOf(
  run: Run,
  { organizationId, serviceIds }: Services,
  serviceId: string,
): Readonly<Record<string, string>> {
  const { organizationId: organization = "", serviceId: service = "" } = run.configuredScope;
  const isConfigured = serviceIds.length === 1 && idKey(serviceId) === idKey(service);
  return {
    ...(idKey(organizationId) !== idKey(organization) && { organizationId }),
    ...(!isConfigured && { serviceId }),
  };
}
