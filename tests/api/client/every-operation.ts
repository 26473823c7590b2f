import type { Client } from "../../../provider/src/api/client";
import { DEFAULT_ACCOUNT, type Fault, type Simulator } from "../../../simulator/src/index";
import { PIPE, type Connected } from "../../../testkit/connected";
import { endpointsOf } from "../../../testkit/endpoints";
import { mapValues } from "../../../testkit/pipes";

/** A method of the client that sends a request. */
export type ClientMethod = Exclude<keyof Client, "requestContext">;

/** One method of the client, with a request as an example. `{id}` stands for the id of the object that exists. */
interface Row {
  /** The `operationId` of the request, where the method has another name. */
  readonly operationId?: Fault["operationId"];
  readonly call: (api: Connected, id: string) => Promise<unknown>;
  /** None if left out. */
  readonly body?: object;
  /** What the call returns; nothing if left out. */
  readonly returns?: object;
  /** What a message says that it does. */
  readonly attempt: string;
  /** After which failures the client repeats the request. */
  readonly repeats: "any-failure" | "rate-limit" | "not-received";
}

export const SERVICE = DEFAULT_ACCOUNT.serviceIds[0] ?? "";
export const PIPE_ID = "0a1b2c3d-0000-4000-8000-0000000000ee";
const BACKUP_ID = "0a1b2c3d-0000-4000-8000-0000000000ba";

const description = "to a service";
const list = {
  operationId: "listPipes",
  attempt: `list the pipes of service ${SERVICE}`,
  repeats: "any-failure",
} as const;
const endpoint = { type: "VPC_ENDPOINT_SERVICE", description };
const seeded = { id: PIPE_ID, name: "seeded", settings: { dbmsMaxThreads: 4 } };
const ipAccessList = [{ source: "10.0.0.1" }];

/** All methods of the client: the compiler and a test name one without a row. */
const ROWS: Readonly<Record<ClientMethod, Row>> = {
  createPipe: {
    call: ({ client, scope }) => client.createPipe(scope, PIPE),
    body: { ...PIPE, settings: { dbms_max_threads: 4, object_storage_use_cluster_function: true } },
    returns: { name: "orders", serviceId: SERVICE, settings: { dbmsMaxThreads: 4 } },
    attempt: 'create pipe "orders"',
    repeats: "not-received",
  },
  updatePipe: {
    call: ({ client, scope }, id) =>
      client.updatePipe(scope, id, { name: "renamed", settings: { dbmsMaxThreads: 2 } }, "seeded"),
    body: { name: "renamed", settings: { dbms_max_threads: 2 } },
    returns: { id: PIPE_ID, name: "renamed", settings: { dbmsMaxThreads: 2 } },
    attempt: 'update pipe "seeded" ({id})',
    repeats: "any-failure",
  },
  listPipes: { ...list, call: ({ client, scope }) => client.listPipes(scope), returns: [seeded] },
  listPipesWithIds: {
    ...list,
    call: ({ client, scope }) => client.listPipesWithIds(scope),
    returns: { pipes: [seeded], others: [] },
  },
  findPipe: { ...list, call: ({ client, scope }) => client.findPipe(scope, PIPE_ID), returns: seeded },
  lookAtPipes: {
    ...list,
    call: async ({ client, scope }) => (await client.lookAtPipes(scope)).pipes,
    returns: [seeded],
  },
  pollPipe: { ...list, call: ({ client, scope }) => client.pollPipe(scope, PIPE_ID), returns: seeded },
  cachedPipes: {
    ...list,
    call: async ({ client, scope }) => [...(await client.cachedPipes(scope)).entries()],
    returns: [[PIPE_ID, { name: "seeded", settings: { dbms_max_threads: 4 } }]],
  },
  getPipeSettings: {
    call: ({ client, scope }, id) => client.getPipeSettings(scope, id),
    returns: { dbmsMaxThreads: 4 },
    attempt: "read the settings of pipe {id}",
    repeats: "any-failure",
  },
  createReversePrivateEndpoint: {
    call: ({ client, scope }) => client.createReversePrivateEndpoint(scope, endpoint),
    body: endpoint,
    returns: { ...endpoint, serviceId: SERVICE },
    attempt: `create reverse private endpoint "${description}"`,
    repeats: "rate-limit",
  },
  updateService: {
    call: ({ client, scope }) => client.updateService(scope, { ipAccessList: { add: ipAccessList } }),
    body: { ipAccessList: { add: ipAccessList } },
    returns: { id: SERVICE, ipAccessList },
    attempt: `update service ${SERVICE}`,
    repeats: "rate-limit",
  },
  listBackups: {
    call: ({ client, scope }) => client.listBackups(scope),
    returns: [{ id: BACKUP_ID, serviceId: SERVICE, sizeInBytes: 7 }],
    attempt: `list the backups of service ${SERVICE}`,
    repeats: "any-failure",
  },
  deletePipe: {
    call: ({ client, scope }, id) => client.deletePipe(scope, id, "seeded"),
    attempt: 'delete pipe "seeded" ({id})',
    repeats: "any-failure",
  },
  deleteReversePrivateEndpoint: {
    call: ({ client, scope }, id) => client.deleteReversePrivateEndpoint(scope, id, description),
    attempt: `delete reverse private endpoint "${description}" ({id})`,
    repeats: "any-failure",
  },
};

export type ClientOperation = Row & Required<Pick<Row, "operationId">>;

export const CLIENT_OPERATIONS = mapValues(ROWS, (row, operationId) => ({
  operationId,
  ...row,
})) as Readonly<Record<ClientMethod, ClientOperation>>;

/** Empties the simulator, makes what an operation needs, and returns the id of it. */
export async function existing(api: Connected, { control }: Simulator, { operationId }: ClientOperation) {
  control.reset();
  control.seedPipes([{ ...PIPE, id: PIPE_ID, name: "seeded", settings: { dbms_max_threads: 4 } }]);
  control.seedBackups([{ id: BACKUP_ID, sizeInBytes: 7 }], { replace: true });
  const needsEndpoint = operationId === "deleteReversePrivateEndpoint";
  const { id } = needsEndpoint ? await endpointsOf(api).create(description) : { id: PIPE_ID };
  control.clearRequests();
  return id;
}
