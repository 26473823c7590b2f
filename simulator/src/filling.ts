import type { Pipe, PipeSettings, PostgresSettings, Scaling, TableMapping } from "./pipe-shape";

export const DEFAULT_SCALING: Readonly<Required<Scaling>> = {
  replicas: 1,
  concurrency: 1,
  replicaCpuMillicores: 250,
  replicaMemoryGb: 1,
};

export const DEFAULT_SETTINGS: Readonly<Required<PipeSettings>> = {
  streaming_max_insert_wait_ms: 5000,
  object_storage_concurrency: 1,
  object_storage_polling_interval_ms: 100,
  object_storage_max_insert_bytes: 10_737_418_240,
  object_storage_max_file_count: 100,
  dbms_max_threads: 8,
  dbms_max_insert_threads: 1,
  dbms_min_insert_block_size_bytes: 1_073_741_824,
  dbms_max_download_threads: 4,
  dbms_parallel_distributed_insert_select: 2,
  object_storage_use_cluster_function: true,
  dbms_parallel_view_processing: false,
};

const postgresSettings = (id: string): PostgresSettings => ({
  syncIntervalSeconds: 60,
  pullBatchSize: 100_000,
  publicationName: `datapipes_pub_${id.slice(0, 8)}`,
  replicationSlotName: `datapipes_slot_${id.slice(0, 8)}`,
  allowNullableColumns: false,
  initialLoadParallelism: 4,
  snapshotNumRowsPerPartition: 100_000,
  snapshotNumberOfParallelTables: 1,
  enableFailoverSlots: false,
});

const DEFAULT_MAPPING: TableMapping = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };

/** What the server adds to a mapping that says nothing about it. */
export function fillMapping(mapping: TableMapping): TableMapping {
  return { ...DEFAULT_MAPPING, ...mapping };
}

function fillSource({ id, source }: Pipe): Pipe["source"] {
  const { kafka, objectStorage, kinesis, postgres } = source;
  if (kafka) return { kafka: { consumerGroup: `datapipes-${id}`, ...kafka } };
  if (objectStorage) return { objectStorage: { compression: "auto", isContinuous: false, ...objectStorage } };
  if (kinesis) return { kinesis: { useEnhancedFanOut: false, ...kinesis } };
  if (!postgres) return source;
  return {
    postgres: {
      port: 5432,
      ...postgres,
      settings: { ...postgresSettings(id), ...postgres.settings },
      tableMappings: (postgres.tableMappings ?? []).map(fillMapping),
    },
  };
}

/** The pipe with everything that a real service fills in where the request was silent. */
export function fillPipe(pipe: Pipe): Pipe {
  const filled: Pipe = {
    ...pipe,
    source: fillSource(pipe),
    destination: { database: "default", managedTable: true, ...pipe.destination },
    fieldMappings: pipe.fieldMappings ?? [],
    scaling: { ...DEFAULT_SCALING, ...pipe.scaling },
  };
  // A postgres pipe has no settings of its own: `getPipeSettings` answers 404 for it.
  if (!pipe.source.postgres) filled.settings = { ...DEFAULT_SETTINGS, ...pipe.settings };
  return filled;
}
