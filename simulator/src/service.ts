import { asNetwork } from "./ip-access";
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

const PORTS: Readonly<Record<string, number>> = { mysql: 3306, https: 8443 };
const OTHER_PORT = 9440;

/** A new service with the values that every simulator gives to it. */
export function makeService(id: string): Service {
  return {
    id,
    name: `Demo service ${id.slice(-4)}`,
    dbmsVersion: "25.8",
    endpoints: [{ protocol: "https", host: `${id}.datapipes.example`, port: 8443, username: "default" }],
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

/** Removal comes first; removing what is not there and adding what is there are silent. */
function changeSet<T>(
  current: readonly T[],
  change: { add?: T[]; remove?: T[] },
  same: (a: T, b: T) => boolean,
): T[] {
  const next = current.filter((entry) => !(change.remove ?? []).some((removed) => same(removed, entry)));
  for (const added of change.add ?? []) if (!next.some((entry) => same(added, entry))) next.push(added);
  return next;
}

const sameEntry = (a: IpAccessEntry, b: IpAccessEntry): boolean =>
  a.source === b.source && (a.description ?? "") === (b.description ?? "");

function changeEndpoints(
  service: Service,
  changes: NonNullable<UpdateService["endpoints"]>,
): Service["endpoints"] {
  let endpoints = service.endpoints ?? [];
  for (const { protocol = "", enabled } of changes) {
    const known = endpoints.some((endpoint) => endpoint.protocol === protocol);
    if (enabled === false) endpoints = endpoints.filter((endpoint) => endpoint.protocol !== protocol);
    if (enabled === true && !known) {
      const port = PORTS[protocol] ?? OTHER_PORT;
      endpoints = [
        ...endpoints,
        { protocol, host: `${service.id}.datapipes.example`, port, username: "default" },
      ];
    }
  }
  return endpoints;
}

type AccessListChange = NonNullable<UpdateService["ipAccessList"]>;

function changeAccessList(
  current: readonly IpAccessEntry[],
  { add = [], remove = [] }: AccessListChange,
  asNetworks: boolean,
): IpAccessEntry[] {
  if (!asNetworks) return changeSet(current, { add, remove }, sameEntry);
  // What is to be removed is compared as it was sent: another spelling matches nothing.
  return changeSet(current, { add: add.map(asNetwork), remove }, sameEntry);
}

/** The service after an update; what the body leaves out stays as it is. */
export function updateService(before: Service, body: UpdateService, asNetworks = false): Service {
  const service = asNetworks
    ? { ...before, ipAccessList: before.ipAccessList?.map(asNetwork) ?? [] }
    : before;
  const next: Service = { ...service };
  if (body.name !== undefined) next.name = body.name;
  if (body.ipAccessList)
    next.ipAccessList = changeAccessList(service.ipAccessList ?? [], body.ipAccessList, asNetworks);
  if (body.privateEndpointIds)
    next.privateEndpointIds = changeSet(
      service.privateEndpointIds ?? [],
      body.privateEndpointIds,
      (a, b) => a === b,
    );
  if (body.endpoints) next.endpoints = changeEndpoints(service, body.endpoints);
  if (body.transparentDataEncryptionKeyId !== undefined) {
    next.transparentDataEncryptionKeyId = body.transparentDataEncryptionKeyId;
    next.hasTransparentDataEncryption = true;
  }
  return next;
}
