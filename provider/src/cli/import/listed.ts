import { escapeRegExp } from "es-toolkit/string";
import type { WireObject } from "../../api/document/wire";
import { counted } from "../../messages/enumerated";
import { DatapipesError } from "../../messages/errors";
import type { ListedPipe } from "../../resources/pipe/observed";
import type { Run } from "../../run/run";
import type { UniqueNames } from "./names";
import { readablePipe } from "./readable";

interface ServiceOptions {
  readonly organization?: string;
  readonly service?: readonly string[];
}

export interface FoundPipe {
  readonly serviceId: string;
  readonly pipe: ListedPipe;
  /** As the API returned it. */
  readonly returned: ListedPipe;
}

/** The services of one organization. */
export interface Services {
  readonly organizationId: string;
  readonly serviceIds: readonly string[];
}

/** The services to list: those of the options, else that of the configuration. */
export function servicesOf(run: Run, { organization, service }: ServiceOptions): Services {
  if (service === undefined && run.configuredScope.serviceId === undefined)
    run.log("The configuration names no service: set one, or pass --service <id>.");
  const { organizationId, serviceId } = run.scope({
    ...(organization !== undefined && { organizationId: organization }),
    ...(service?.[0] !== undefined && { serviceId: service[0] }),
  });
  return { organizationId, serviceIds: service ?? [serviceId] };
}

/** A pipe whose id is not a UUID. */
export interface PipeWithoutId {
  readonly serviceId: string;
  readonly returned: WireObject;
}

/** Lists the pipes of the services, with one request for each service. */
export async function list(
  run: Run,
  { organizationId, serviceIds }: Services,
  say: (line: string) => void,
): Promise<{ readonly found: readonly FoundPipe[]; readonly withoutId: readonly PipeWithoutId[] }> {
  const found: FoundPipe[] = [];
  const withoutId: PipeWithoutId[] = [];
  for (const serviceId of serviceIds) {
    say(`Reading the pipes of service ${serviceId} …`);
    const { pipes, others } = await run.client().listPipes({ organizationId, serviceId });
    say(`Service ${serviceId} has ${counted(pipes.length + others.length, "pipe")}.`);
    found.push(...pipes.map((returned) => ({ serviceId, returned, pipe: readablePipe(returned) })));
    withoutId.push(...others.map((returned) => ({ serviceId, returned })));
  }
  return { found, withoutId };
}

/** The pipes whose name or id matches a pattern. */
export function select(
  found: readonly FoundPipe[],
  only: readonly string[],
  say: (line: string) => void,
): readonly FoundPipe[] {
  if (only.length === 0) return found;
  const matchers = only.map((pattern) => {
    const source = `^${pattern.split("*").map(escapeRegExp).join(".*")}$`;
    const [name, id] = [new RegExp(source, "su"), new RegExp(source, "isu")];
    const matches = ({ pipe }: FoundPipe): boolean =>
      id.test(pipe.id) || (typeof pipe.name === "string" && name.test(pipe.name));
    return { pattern, matches };
  });
  const unmatched = matchers
    .filter(({ matches }) => !found.some(matches))
    .map(({ pattern }) => JSON.stringify(pattern));
  if (unmatched.length === only.length)
    throw new DatapipesError(
      "not-found",
      `No pipe has a name or an id that matches ${unmatched.join(" or ")}.`,
    );
  for (const pattern of unmatched) say(`warning: no pipe matches ${pattern}.`);
  return found.filter((pipe) => matchers.some(({ matches }) => matches(pipe)));
}

/** The ids that the configuration does not give, with the names of their constants. */
export function constantsOf(
  run: Run,
  { organizationId, serviceIds }: Services,
  variables: UniqueNames,
): ReadonlyMap<string, string> {
  const configured = run.configuredScope;
  const isConfigured = (id: string, other: string | undefined): boolean =>
    id.toLowerCase() === other?.toLowerCase();
  const others = serviceIds.filter((id) => serviceIds.length > 1 || !isConfigured(id, configured.serviceId));
  return new Map([
    ...(isConfigured(organizationId, configured.organizationId)
      ? []
      : [[organizationId, variables.take("organizationId")] as const]),
    ...others.map(
      (id) =>
        [
          id,
          others.length === 1 ? variables.take("serviceId") : variables.take(`service${id.slice(0, 8)}`),
        ] as const,
    ),
  ]);
}
