import type { Account, Pipe, Simulator, SimulatorOptions } from "../../simulator/src/index";
import { tableMapping } from "../kit/pipes";
import { newSimulator, servicePath } from "../kit/simulator";

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

/** A simulator whose pipes change their state after 2 seconds, as by default. */
export const start = (options: SimulatorOptions = {}): Promise<Simulator> =>
  newSimulator({ stateSeconds: 2, ...options });

export const authorizationOf = ({ apiKeyId, apiKeySecret }: Account): { authorization: string } => ({
  authorization: basic(apiKeyId, apiKeySecret),
});

function envelopeOf(text: string): Answer["envelope"] {
  try {
    return JSON.parse(text) as Answer["envelope"];
  } catch {
    return { status: 0, requestId: "" };
  }
}

/** Sends a request to any path of the simulator with its account's credential. */
export async function send(
  { url, account }: Simulator,
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, raw }: Extra = {},
): Promise<Answer> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const type: Record<string, string> = content === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: { ...authorizationOf(account), ...type, ...headers },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, envelope: envelopeOf(text) };
}

/** Sends a request below the first service. */
export function call(simulator: Simulator, method: string, path: string, body?: unknown, extra?: Extra) {
  return send(simulator, method, servicePath(simulator) + path, body, extra);
}

/** The result of a request below the first service, which must succeed. */
export async function ok<T>(simulator: Simulator, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text, envelope } = await call(simulator, method, path, body);
  if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
  return envelope.result as T;
}

const userOf = (name: string) => ({ username: `${name}-user`, password: `${name}-password` });
const keyOf = (name: string) => ({ accessKeyId: `${name}-key-id`, secretKey: `${name}-secret-key` });

export const KAFKA = {
  name: "orders",
  source: {
    kafka: {
      brokers: "b-1.example:9092",
      topics: "orders",
      credentials: userOf("kafka"),
      schemaRegistry: { url: "https://registry.example", credentials: userOf("registry") },
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

const connectionString = "AccountName=demo;AccountKey=demo-account-key";
const BUCKET = { url: "https://bucket.example/*.json", connectionString };
export const OBJECT_STORAGE = {
  name: "files",
  source: { objectStorage: { ...BUCKET, accessKey: keyOf("storage") } },
  destination: { table: "files" },
};

const STREAM = { streamName: "clicks", region: "eu-central-1", timestamp: 1_760_000_000 };
export const KINESIS = {
  name: "stream",
  source: { kinesis: { ...STREAM, accessKey: keyOf("kinesis") } },
  destination: { table: "clicks" },
};

export const ORDERS_MAPPING = tableMapping("orders");

const DATABASE = { host: "db.example", port: 5432, database: "shop", tableMappings: [ORDERS_MAPPING] };
export const POSTGRES = {
  name: "replica",
  source: { postgres: { ...DATABASE, credentials: userOf("pg") } },
  destination: { database: "shop" },
};

/** A pipe of each kind. */
export const BODIES = { kafka: KAFKA, objectStorage: OBJECT_STORAGE, kinesis: KINESIS, postgres: POSTGRES };

/** Every value of the bodies above that no answer may carry. */
export const REQUEST_ONLY_VALUES = [
  ...["kafka", "registry", "pg"].flatMap((name) => Object.values(userOf(name))),
  ...["storage", "kinesis"].flatMap((name) => Object.values(keyOf(name))),
  "loader-role",
  "validateSamples",
];

export function createPipe(simulator: Simulator, body: object = KAFKA): Promise<Pipe> {
  return ok<Pipe>(simulator, "POST", "/pipes", body);
}

export function updatePipe(simulator: Simulator, id: string, body: object): Promise<Pipe> {
  return ok<Pipe>(simulator, "PATCH", `/pipes/${id}`, body);
}

export function listPipes(simulator: Simulator): Promise<Pipe[]> {
  return ok<Pipe[]>(simulator, "GET", "/pipes");
}

/** The status of the answer to listPipes. */
export const listStatus = async (simulator: Simulator): Promise<number> =>
  (await call(simulator, "GET", "/pipes")).status;

/** The first pipe of the list. */
export const listed = async (simulator: Simulator): Promise<Pipe | undefined> =>
  (await listPipes(simulator))[0];

export const ENDPOINTS = "/pipesReversePrivateEndpoints";

/** Creates an endpoint, and returns its id. */
export const createEndpoint = async (simulator: Simulator): Promise<string> =>
  (await ok<{ id: string }>(simulator, "POST", ENDPOINTS, { type: "VPC_ENDPOINT_SERVICE" })).id;

export const SCALING = { replicas: 2, concurrency: 3, replicaCpuMillicores: 125, replicaMemoryGb: 1.5 };

/** An object of so many levels. */
export const nested = (levels: number): string =>
  `{"name":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
