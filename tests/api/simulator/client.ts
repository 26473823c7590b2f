import type { Pipe, Simulator, SimulatorOptions } from "../../../simulator/src/index";
import { startSimulator } from "../../../simulator/src/index";
import { onEnd } from "../../../testkit/started";

/** An answer as it came, and its envelope when it has one. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  envelope: { status: number; requestId: string; result?: unknown; error?: string };
}

/** What a test may send besides method, path and body. */
export interface Extra {
  headers?: Record<string, string>;
  /** Sent as it is instead of a JSON body. */
  raw?: string;
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

/** Starts a simulator that ends with its tests. */
export async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onEnd(() => simulator.close());
  return simulator;
}

/** The path of the first service of the simulator's account. */
export function servicePath({ account }: Simulator): string {
  return `/v1/organizations/${account.organizationId}/services/${account.serviceIds[0] ?? ""}`;
}

function envelopeOf(text: string): Answer["envelope"] {
  try {
    return JSON.parse(text) as Answer["envelope"];
  } catch {
    return { status: 0, requestId: "" };
  }
}

/** Sends a request to any path of the simulator with its account's credential. */
export async function send(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, raw }: Extra = {},
): Promise<Answer> {
  const { apiKeyId, apiKeySecret } = simulator.account;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(simulator.url + path, {
    method,
    redirect: "manual",
    headers: {
      authorization: basic(apiKeyId, apiKeySecret),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, envelope: envelopeOf(text) };
}

/** Sends a request below the first service. */
export function call(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
  extra?: Extra,
): Promise<Answer> {
  return send(simulator, method, servicePath(simulator) + path, body, extra);
}

/** The result of a request below the first service, which must succeed. */
export async function ok<T>(simulator: Simulator, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text, envelope } = await call(simulator, method, path, body);
  if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
  return envelope.result as T;
}

export const KAFKA = {
  name: "orders",
  source: {
    kafka: {
      brokers: "b-1.example:9092",
      topics: "orders",
      credentials: { username: "kafka-user", password: "kafka-password" },
      schemaRegistry: {
        url: "https://registry.example",
        credentials: { username: "registry-user", password: "registry-password" },
      },
    },
    validateSamples: true,
  },
  destination: {
    table: "orders",
    columns: [
      { name: "id", type: "UInt64" },
      { name: "note", type: "String" },
    ],
    roles: ["loader-role"],
  },
  fieldMappings: [
    { sourceField: "$.id", destinationField: "id" },
    { sourceField: "$.note", destinationField: "note" },
  ],
};

export const OBJECT_STORAGE = {
  name: "files",
  source: {
    objectStorage: {
      url: "https://bucket.example/*.json",
      connectionString: "AccountName=demo;AccountKey=demo-account-key",
      accessKey: { accessKeyId: "storage-key-id", secretKey: "storage-secret-key" },
    },
  },
  destination: { table: "files" },
};

export const KINESIS = {
  name: "stream",
  source: {
    kinesis: {
      streamName: "clicks",
      region: "eu-central-1",
      timestamp: 1_760_000_000,
      accessKey: { accessKeyId: "kinesis-key-id", secretKey: "kinesis-secret-key" },
    },
  },
  destination: { table: "clicks" },
};

export const ORDERS_MAPPING = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };

export const POSTGRES = {
  name: "replica",
  source: {
    postgres: {
      host: "db.example",
      port: 5432,
      database: "shop",
      tableMappings: [ORDERS_MAPPING],
      credentials: { username: "pg-user", password: "pg-password" },
    },
  },
  destination: { database: "shop" },
};

/** Every value of the bodies above that no answer may carry. */
export const REQUEST_ONLY_VALUES = [
  "kafka-user",
  "kafka-password",
  "registry-user",
  "registry-password",
  "loader-role",
  "storage-key-id",
  "storage-secret-key",
  "kinesis-key-id",
  "kinesis-secret-key",
  "pg-user",
  "pg-password",
  "validateSamples",
];

export function createPipe(simulator: Simulator, body: object): Promise<Pipe> {
  return ok<Pipe>(simulator, "POST", "/pipes", body);
}

export function updatePipe(simulator: Simulator, id: string, body: object): Promise<Pipe> {
  return ok<Pipe>(simulator, "PATCH", `/pipes/${id}`, body);
}

export function listPipes(simulator: Simulator): Promise<Pipe[]> {
  return ok<Pipe[]>(simulator, "GET", "/pipes");
}

/** The first pipe of the list. */
export async function listed(simulator: Simulator): Promise<Pipe | undefined> {
  return (await listPipes(simulator))[0];
}

export const SCALING = { replicas: 2, concurrency: 3, replicaCpuMillicores: 125, replicaMemoryGb: 1.5 };

/** An object of so many levels. */
export const nested = (levels: number): string =>
  `{"name":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
