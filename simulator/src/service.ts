import { isIPv4, isIPv6 } from "node:net";
import type { Backup, IpAccessEntry, Service, UpdateService } from "./models";

/** A service as the store keeps it. */
export interface StoredService {
  service: Service;
  organizationId: string;
  /** The API accepts it and never returns it. */
  releaseChannel: string;
  backups: Backup[];
  /** Whether control made it something that the contract does not describe. */
  edited: boolean;
}

type Endpoint = NonNullable<Service["endpoints"]>[number];

const PORTS: Readonly<Record<string, number>> = { mysql: 3306, https: 8443 };
const OTHER_PORT = 9440;

/** A new service; every simulator gives it the same values. */
export function makeService(id: string): Service {
  return {
    id,
    name: `Demo service ${id.slice(-4)}`,
    dbmsVersion: "25.8",
    endpoints: [newEndpoint(id, "https")],
    minTotalMemoryGb: 24,
    maxTotalMemoryGb: 48,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 16,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    iamRole: `arn:aws:iam::000000000000:role/datapipes-${id.slice(0, 8)}`,
    privateEndpointIds: [],
    availablePrivateEndpointIds: [],
    dataWarehouseId: id,
    isPrimary: true,
    isReadonly: false,
    hasTransparentDataEncryption: false,
  };
}

function withPrefix(source: string): string {
  if (isIPv4(source)) return `${source}/32`;
  return isIPv6(source) ? `${source}/128` : source;
}

/** An entry as services store it that keep only networks: with a prefix length, and a trimmed description. */
function asNetwork({ source, description, ...rest }: IpAccessEntry): IpAccessEntry {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: withPrefix(source.trim()) }),
    ...(description === undefined ? {} : { description: description.trim() }),
  };
}

/** `remove` is applied before `add`; entries that are absent or exist already are ignored. */
function changeSet<T>(
  current: readonly T[] = [],
  { add = [], remove = [] }: { add?: T[]; remove?: T[] },
  isSame: (a: T, b: T) => boolean = (a, b) => a === b,
): T[] {
  const next = current.filter((entry) => !remove.some((removed) => isSame(removed, entry)));
  for (const added of add) if (!next.some((entry) => isSame(added, entry))) next.push(added);
  return next;
}

const isSameEntry = (a: IpAccessEntry, b: IpAccessEntry): boolean =>
  a.source === b.source && (a.description ?? "") === (b.description ?? "");

const newEndpoint = (serviceId: string, protocol: string): Endpoint => ({
  protocol,
  host: `${serviceId}.datapipes.example`,
  port: PORTS[protocol] ?? OTHER_PORT,
  username: "default",
});

function changeEndpoints(
  { id, endpoints = [] }: Service,
  changes: NonNullable<UpdateService["endpoints"]>,
): Endpoint[] {
  let next = endpoints;
  for (const { protocol = "", enabled } of changes) {
    const isEnabled = next.some((endpoint) => endpoint.protocol === protocol);
    if (enabled === false) next = next.filter((endpoint) => endpoint.protocol !== protocol);
    if (enabled === true && !isEnabled) next = [...next, newEndpoint(id, protocol)];
  }
  return next;
}

/** The service after an update; fields that the body leaves out stay as they are. */
export function updateService(before: Service, body: UpdateService, asNetworks = false): Service {
  const { ipAccessList, privateEndpointIds, endpoints, releaseChannel: _, ...details } = body;
  const next: Service = { ...before, ...details };
  if (asNetworks) next.ipAccessList = (before.ipAccessList ?? []).map(asNetwork);
  if (ipAccessList) {
    const { add = [], remove } = ipAccessList;
    // `remove` is compared as it was sent: an entry in another format matches nothing.
    const change = { add: asNetworks ? add.map(asNetwork) : add, remove };
    next.ipAccessList = changeSet(next.ipAccessList, change, isSameEntry);
  }
  if (privateEndpointIds) next.privateEndpointIds = changeSet(before.privateEndpointIds, privateEndpointIds);
  if (endpoints) next.endpoints = changeEndpoints(before, endpoints);
  if (details.transparentDataEncryptionKeyId !== undefined) next.hasTransparentDataEncryption = true;
  return next;
}
