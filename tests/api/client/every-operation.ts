import type { Client } from "../../../provider/src/api/client";
import { DEFAULT_ACCOUNT, type Simulator } from "../../../simulator/src/index";
import type { Connection } from "../../kit/client";
import { mapValues } from "../../kit/json";

export const PIPE = {
  name: "orders",
  source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
  destination: { table: "orders" },
  settings: { dbmsMaxThreads: 4, objectStorageUseClusterFunction: true },
};

/** A method of the client that sends a request. */
export type ClientMethod = Exclude<keyof Client, "serverNow">;

/** One method of the client, with a request as an example. `{id}` stands for the id of the object that exists. */
interface Row {
  readonly call: (api: Connection, id: string) => Promise<unknown>;
  /** None if left out. */
  readonly body?: object;
  /** What the call returns; nothing if left out. Tests of results know by its members what an answer must have. */
  readonly returns?: object;
  /** What a message says that it does. */
  readonly attempt: string;
}

export const SERVICE = DEFAULT_ACCOUNT.serviceIds[0] ?? "";
export const PIPE_ID = "0a1b2c3d-0000-4000-8000-0000000000ee";
const BACKUP_ID = "0a1b2c3d-0000-4000-8000-0000000000ba";

const ANY_ID: unknown = expect.any(String);

const description = "to a service";
const endpoint = { type: "VPC_ENDPOINT_SERVICE", description };
const seeded = { id: PIPE_ID, name: "seeded", settings: { dbmsMaxThreads: 4 } };
const ipAccessList = [{ source: "10.0.0.1" }];

/** All methods of the client: the compiler and a test name one without a row. */
const ROWS: Readonly<Record<ClientMethod, Row>> = {
  createPipe: {
    call: ({ client, scope }) => client.createPipe(scope, PIPE),
    body: { ...PIPE, settings: { dbms_max_threads: 4, object_storage_use_cluster_function: true } },
    returns: { id: ANY_ID, name: "orders", serviceId: SERVICE, settings: { dbmsMaxThreads: 4 } },
    attempt: 'create pipe "orders"',
  },
  updatePipe: {
    call: ({ client, scope }, id) =>
      client.updatePipe(scope, id, { name: "renamed", settings: { dbmsMaxThreads: 2 } }, { label: "seeded" }),
    body: { name: "renamed", settings: { dbms_max_threads: 2 } },
    returns: { id: PIPE_ID, name: "renamed", serviceId: SERVICE, settings: { dbmsMaxThreads: 2 } },
    attempt: 'update pipe "seeded" ({id})',
  },
  listPipes: {
    call: ({ client, scope }) => client.listPipes(scope),
    returns: { items: [seeded], leftOut: [], isComplete: true },
    attempt: `list the pipes of service ${SERVICE}`,
  },
  getPipeSettings: {
    call: ({ client, scope }, id) => client.getPipeSettings(scope, id),
    returns: { dbmsMaxThreads: 4 },
    attempt: "read the settings of pipe {id}",
  },
  createReversePrivateEndpoint: {
    call: ({ client, scope }) => client.createReversePrivateEndpoint(scope, endpoint),
    body: endpoint,
    returns: { id: ANY_ID, ...endpoint, serviceId: SERVICE },
    attempt: `create reverse private endpoint "${description}"`,
  },
  updateService: {
    call: ({ client, scope }) => client.updateService(scope, { ipAccessList: { add: ipAccessList } }),
    body: { ipAccessList: { add: ipAccessList } },
    returns: { id: SERVICE, ipAccessList },
    attempt: `update service ${SERVICE}`,
  },
  listBackups: {
    call: ({ client, scope }) => client.listBackups(scope),
    returns: { items: [{ id: BACKUP_ID, serviceId: SERVICE, sizeInBytes: 7 }] },
    attempt: `list the backups of service ${SERVICE}`,
  },
  deletePipe: {
    call: ({ client, scope }, id) => client.deletePipe(scope, id, { label: "seeded" }),
    attempt: 'delete pipe "seeded" ({id})',
  },
  deleteReversePrivateEndpoint: {
    call: ({ client, scope }, id) => client.deleteReversePrivateEndpoint(scope, id, { label: description }),
    attempt: `delete reverse private endpoint "${description}" ({id})`,
  },
};

export type ClientOperation = Row & { readonly operationId: ClientMethod };

/** The operations of the API document have the names of the methods. */
export const CLIENT_OPERATIONS = mapValues(ROWS, (row, operationId) => ({
  operationId,
  ...row,
})) as Readonly<Record<ClientMethod, ClientOperation>>;

/** Empties the simulator, makes what an operation needs, and returns the id of it. */
export async function existing(api: Connection, { control }: Simulator, { operationId }: ClientOperation) {
  control.reset();
  control.seedPipes([{ ...PIPE, id: PIPE_ID, name: "seeded", settings: { dbms_max_threads: 4 } }]);
  control.seedBackups([{ id: BACKUP_ID, sizeInBytes: 7 }], { replace: true });
  const needsEndpoint = operationId === "deleteReversePrivateEndpoint";
  const { id } = needsEndpoint
    ? await api.client.createReversePrivateEndpoint(api.scope, endpoint)
    : { id: PIPE_ID };
  control.clearRequests();
  return id;
}
