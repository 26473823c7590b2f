import type * as pulumi from "@pulumi/pulumi";

/** What this package stores of a pipe beside the arguments: a state of the same size costs the engine the same. */
const STORED = {
  __privateState: { key: "Pipe::pipe-100" },
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  state: "Running",
  createdAt: "2026-01-31T00:00:00.000Z",
  updatedAt: "2026-01-31T00:00:00.000Z",
  observed: {
    scaling: { concurrency: 1, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
    settings: {
      dbmsMaxDownloadThreads: 4,
      dbmsMaxInsertThreads: 1,
      dbmsMinInsertBlockSizeBytes: 1_073_741_824,
      dbmsParallelDistributedInsertSelect: 2,
      dbmsParallelViewProcessing: false,
      objectStorageConcurrency: 1,
      objectStorageMaxFileCount: 100,
      objectStorageMaxInsertBytes: 10_737_418_240,
      objectStoragePollingIntervalMs: 100,
      objectStorageUseClusterFunction: true,
    },
  },
};

let created = 0;

/** A provider that sends nothing. It finds no change. */
export const provider: pulumi.dynamic.ResourceProvider<object, object> = {
  check: (_, news) => Promise.resolve({ inputs: news }),
  diff: () => Promise.resolve({ changes: false }),
  create: (inputs) => Promise.resolve({ id: `pipe-${(created += 1)}`, outs: { ...inputs, ...STORED } }),
  read: (id, props = {}) => Promise.resolve({ id, props, inputs: props }),
  delete: () => Promise.resolve(),
};
