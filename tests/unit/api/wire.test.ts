import {
  isWireObject,
  pipeFromWire,
  pipeToWire,
  settingsFromWire,
  settingsToWire,
} from "../../../provider/src/api/wire";

/** The twelve settings: as a program spells them, and as the API does. */
const SPELLINGS: [camel: string, snake: string][] = [
  ["streamingMaxInsertWaitMs", "streaming_max_insert_wait_ms"],
  ["objectStorageConcurrency", "object_storage_concurrency"],
  ["objectStoragePollingIntervalMs", "object_storage_polling_interval_ms"],
  ["objectStorageMaxInsertBytes", "object_storage_max_insert_bytes"],
  ["objectStorageMaxFileCount", "object_storage_max_file_count"],
  ["dbmsMaxThreads", "dbms_max_threads"],
  ["dbmsMaxInsertThreads", "dbms_max_insert_threads"],
  ["dbmsMinInsertBlockSizeBytes", "dbms_min_insert_block_size_bytes"],
  ["dbmsMaxDownloadThreads", "dbms_max_download_threads"],
  ["dbmsParallelDistributedInsertSelect", "dbms_parallel_distributed_insert_select"],
  ["objectStorageUseClusterFunction", "object_storage_use_cluster_function"],
  ["dbmsParallelViewProcessing", "dbms_parallel_view_processing"],
];

test.each(SPELLINGS)("the setting %s is %s on the wire", (camel, snake) => {
  expect(settingsToWire({ [camel]: 1 })).toEqual({ [snake]: 1 });
  expect(settingsFromWire({ [snake]: 1 })).toEqual({ [camel]: 1 });
});

test("only the settings of a pipe are spelled otherwise, not those of its source", () => {
  const pipe = { name: "a_b", source: { postgres: { settings: { syncIntervalSeconds: 1 } } } };
  const sent = pipeToWire({ ...pipe, settings: { dbmsMaxThreads: 1 } });
  expect(sent).toEqual({ ...pipe, settings: { dbms_max_threads: 1 } });
  expect(pipeFromWire(sent)).toEqual({ ...pipe, settings: { dbmsMaxThreads: 1 } });
});

test("a pipe without settings stays as it is", () => {
  for (const pipe of [{ name: "a" }, { settings: null }, { settings: undefined }]) {
    expect(pipeToWire(pipe)).toBe(pipe);
    expect(pipeFromWire(pipe)).toBe(pipe);
  }
});

test("recognizes an object among lists and plain values", () => {
  expect([{}, { a: 1 }].map(isWireObject)).toEqual([true, true]);
  expect([[], null, undefined, "x", 1].some(isWireObject)).toBe(false);
});
