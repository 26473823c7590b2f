import type { Pipe, Profile, Service } from "../../simulator/src/index";
import type { JsonObject } from "../../testkit/pipes";

/** What a scenario declares in one version of its program, and how to recognize it in the service. */
export interface Declared {
  readonly pipe: JsonObject;
  readonly settings: JsonObject;
  readonly isPipe: (pipe: Pipe) => boolean;
  readonly isService: (service: Service) => boolean;
}

/** The credential that a version of the program declares. */
type Password = (version: number) => string;

/** Fields that profiles write in another way. */
const REWRITTEN: JsonObject = {
  consumerGroup: "orders-group",
  offset: { timestamp: "2026-01-31T00:00" },
};

const REWRITTEN_DESTINATION: JsonObject = {
  database: "Shop",
  table: "Orders",
  managedTable: true,
  tableDefinition: { sortingKey: ["Id"], partitionBy: "tuple()" },
  columns: [{ name: "Id", type: "UInt64" }],
};

const SCALING: JsonObject = { replicas: 2, concurrency: 1, replicaCpuMillicores: 125, replicaMemoryGb: 1.5 };

function plain(version: number, password: Password, isRewritten: boolean): Declared {
  const credentials = { username: "loader", password: password(version) };
  const iamRole = `role-${version}`;
  const kafka = { brokers: "b-1.example:9092", topics: "orders", iamRole, credentials };
  const fieldMappings = [{ sourceField: "$.Id", destinationField: "Id" }];
  return {
    pipe: isRewritten
      ? {
          source: { kafka: { ...kafka, ...REWRITTEN } },
          destination: REWRITTEN_DESTINATION,
          fieldMappings,
          scaling: SCALING,
        }
      : { source: { kafka }, destination: { table: "orders" } },
    settings: { name: `Shop ${version}` },
    isPipe: ({ source }) => source.kafka?.iamRole === iamRole,
    isService: ({ name }) => name === `Shop ${version}`,
  };
}

/** The profile `masked` writes path and connection string in another way. */
function storage(version: number, password: Password): Pick<Declared, "pipe" | "isPipe"> {
  const path = `/in//${version}/*.json`;
  const connectionString = `AccountName=demo;AccountKey=${password(version)}`;
  const objectStorage = { url: "https://account.example", connectionString, path, isContinuous: true };
  return {
    pipe: { source: { objectStorage }, destination: { table: "orders" } },
    isPipe: ({ source }) => source.objectStorage?.path === path,
  };
}

function postgres(version: number, password: Password): Pick<Declared, "pipe" | "isPipe"> {
  const host = `db-${version}.example`;
  const tableMappings = [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }];
  const credentials = { username: "loader", password: password(1) };
  const source = { postgres: { host, port: 5432, database: "shop", tableMappings, credentials } };
  return {
    pipe: { source, destination: { database: "shop" } },
    isPipe: (pipe) => pipe.source.postgres?.host === host,
  };
}

/** Under `pause-required`, a running pipe accepts changes only outside its source. */
function settingsAlone(version: number, password: Password): Pick<Declared, "pipe" | "isPipe"> {
  const streamingMaxInsertWaitMs = 1000 * version;
  return {
    pipe: { ...plain(1, password, false).pipe, settings: { streamingMaxInsertWaitMs } },
    isPipe: ({ settings }) => settings?.streaming_max_insert_wait_ms === streamingMaxInsertWaitMs,
  };
}

function accessList(version: number): Pick<Declared, "settings" | "isService"> {
  const address = `10.0.0.${version}`;
  return {
    settings: { name: `Shop ${version}`, ipAccessList: [{ source: address, description: " office " }] },
    isService: ({ name, ipAccessList = [] }) =>
      name === `Shop ${version}` && ipAccessList.some(({ source }) => source === `${address}/32`),
  };
}

/** What a scenario declares, with the fields that matter to the profile of its service. */
export function declared(version: number, password: Password, profile: Profile | undefined): Declared {
  const base = plain(version, password, profile !== undefined);
  if (profile === "masked") return { ...base, ...storage(version, password) };
  if (profile === "recheck-connection") return { ...base, ...postgres(version, password) };
  if (profile === "pause-required") return { ...base, ...settingsAlone(version, password) };
  return profile === "cidr" ? { ...base, ...accessList(version) } : base;
}
