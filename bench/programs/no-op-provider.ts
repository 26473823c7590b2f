import type * as pulumi from "@pulumi/pulumi";
import type { PipeArguments } from "./pipes";

type Provider = Required<Omit<pulumi.dynamic.ResourceProvider<Inputs, object>, "configure">>;
type Inputs = PipeArguments;

let created = 0;

/** Finds a difference only where an update has to be seen. */
const diff: Provider["diff"] = (_, olds, news) =>
  Promise.resolve(
    (olds as Inputs).source.kafka.iamRole === news.source.kafka.iamRole ? { changes: false } : {},
  );

/** A provider that does nothing. */
export const bare = (): Provider => ({
  check: (_, news) => Promise.resolve({ inputs: news }),
  diff,
  create: (inputs) => Promise.resolve({ id: `pipe-${(created += 1)}`, outs: inputs }),
  read: (id, props = {}) => Promise.resolve({ id, props, inputs: props as Inputs }),
  update: (_id, _olds, news) => Promise.resolve({ outs: news }),
  delete: () => Promise.resolve(),
});

/** A provider that does nothing, and stores and returns as much as this package: the engine's share of the cost. */
export const stateful = (): Provider => {
  const { check, create, update, ...rest } = bare();
  return {
    ...rest,
    check: (olds, news) => check(olds, marked({ ...news, organizationId: ID })),
    create: (inputs) => create(marked(withOutputs(inputs))),
    read: (id, props) => {
      const { state, createdAt, updatedAt, observed, ...inputs } = props as ReturnType<typeof withOutputs>;
      const known = marked(inputs);
      return Promise.resolve({
        id,
        props: { ...known, state, createdAt, updatedAt, observed },
        inputs: known,
      });
    },
    update: (id, olds, news) => update(id, olds, marked(withOutputs(news))),
  };
};

const ID = "0a1b2c3d-0000-4000-8000-000000000001";
const MOMENT = "2026-01-31T00:00:00.000Z";

/** The engine's own words for a secret. */
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

function marked<T extends Inputs>(inputs: T): T {
  const { kafka } = inputs.source;
  const credentials = { ...SECRET, value: kafka.credentials } as unknown as typeof kafka.credentials;
  return { ...inputs, source: { kafka: { ...kafka, credentials } } };
}

/** What this package has beside the inputs: what the API states beyond them. */
function withOutputs(inputs: Inputs) {
  const computed = { state: "Running", createdAt: MOMENT, updatedAt: MOMENT };
  const scaling = { concurrency: 1, replicaCpuMillicores: 250, replicaMemoryGb: 1 };
  return { ...inputs, ...computed, observed: { scaling, settings: FILLED_IN } };
}

/** The settings that a program of the benchmark does not name. */
const FILLED_IN = {
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
};
