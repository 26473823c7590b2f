import { differences } from "../../../provider/src/cli/answer-differences";
import { describeFailure } from "../../../provider/src/lifecycle/comparison/validation";

const PIPE = {
  id: "0a1b2c3d-0000-4000-8000-00000000aaaa",
  serviceId: "0a1b2c3d-0000-4000-8000-00000000bbbb",
  name: "orders",
  state: "Running",
  source: { kafka: { brokers: "b:9092", topics: "orders" } },
  destination: { database: "default", table: "orders" },
  fieldMappings: [],
  scaling: { replicas: 1 },
  settings: {},
  createdAt: "2026-01-31T00:00:00Z",
  updatedAt: "2026-01-31T00:00:00Z",
};

const differencesOf = (...pipes: readonly Parameters<typeof differences>[0][number][]) =>
  differences(pipes).map(describeFailure);

test("a list as the API document has it differs in nothing", () => {
  expect(differencesOf(PIPE)).toEqual([]);
});

test("a Postgres pipe without settings differs in nothing", () => {
  const { settings: _, ...without } = PIPE;
  expect(differencesOf({ ...without, source: { postgres: { host: "h", database: "d" } } })).toEqual([]);
});

test("a Kafka pipe without settings differs", () => {
  const { settings: _, ...without } = PIPE;
  expect(differencesOf(without)).toEqual(["settings is missing"]);
});

test("a connection string, which the API document has in answers, is no difference", () => {
  const source = { objectStorage: { azureContainerName: "in", path: "*", connectionString: "AccountKey=a" } };
  expect(differencesOf({ ...PIPE, source })).toEqual([]);
});

test("names unknown and missing fields, types, states and returned credentials, each once", () => {
  const { updatedAt: _, ...without } = PIPE;
  const password = "canary-of-a-password";
  const other = {
    ...without,
    owner: "team",
    createdAt: 5,
    state: "Dreaming",
    scaling: { replicas: "two" },
    source: { kafka: { ...PIPE.source.kafka, credentials: { username: "u", password } } },
  };
  const lines = differencesOf(other, other);
  expect([...lines].sort()).toEqual([
    "createdAt must be a string",
    "owner is a field that this version does not know",
    "scaling.replicas must be a whole number",
    "source.kafka.credentials is returned, although it is for requests only",
    'state is "Dreaming", which this version does not know',
    "updatedAt is missing",
  ]);
  expect(lines.join()).not.toContain(password);
});
