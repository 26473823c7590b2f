import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import { duplicatesOf } from "../../../provider/src/resources/recovery/match";
import { DEFAULT_ACCOUNT, type Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts, PIPE, type Connected } from "../../../testkit/connected";

const OTHER_SERVICE = "0a1b2c3d-0000-4000-8000-0000000000ac";

let simulator: Simulator;
let api: Connected;
let ids: string[];

beforeEach(async () => {
  const accounts = [{ ...DEFAULT_ACCOUNT, serviceIds: [...DEFAULT_ACCOUNT.serviceIds, OTHER_SERVICE] }];
  simulator = await newSimulator({ accounts });
  api = connect(simulator);
  const names = Array.from({ length: 20 }, (_, index) => `pipe-${index}`);
  ids = simulator.control
    .seedPipes(names.map((name) => ({ ...PIPE, name, settings: {} })))
    .map(({ id }) => id);
});
const find = (id: string) => api.client.findPipe(api.scope, id);
const namesFound = async (): Promise<unknown[]> =>
  (await Promise.all(ids.map(find))).map((pipe) => pipe?.["name"]);
const first = (): string => ids[0] ?? "";

test("twenty reads at the same time send one list request", async () => {
  expect(await namesFound()).toEqual(ids.map((_, index) => `pipe-${index}`));
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("successive reads send one list request too", async () => {
  for (const id of ids) await find(id);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("a read finds a pipe whatever the case of its id, and returns undefined for an unknown id", async () => {
  expect(await find(first().toUpperCase())).toMatchObject({ id: first() });
  expect(await find("0a1b2c3d-0000-4000-8000-0000000000ff")).toBeUndefined();
  const upper = {
    organizationId: api.scope.organizationId.toUpperCase(),
    serviceId: api.scope.serviceId.toUpperCase(),
  };
  expect(await api.client.findPipe(upper, first())).toMatchObject({ id: first() });
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test.each<[string, () => Promise<unknown>]>([
  ["create", () => createPipe(api.client, api.scope, PIPE)],
  ["update", () => api.client.updatePipe(api.scope, first(), { name: "renamed" })],
  ["deletion", () => api.client.deletePipe(api.scope, first())],
])("the next read after a %s sends a list request", async (_what, write) => {
  await find(first());
  await write();
  simulator.control.clearRequests();
  await namesFound();
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("a read finds a pipe that was just created", async () => {
  await find(first());
  await api.client.updatePipe(api.scope, first(), { name: "renamed" });
  expect(await find(first())).toMatchObject({ name: "renamed" });
  const { id } = await createPipe(api.client, api.scope, PIPE);
  expect(await find(id)).toMatchObject({ name: "orders" });
});

test("the next read after a failed write sends a list request, because the write may have had an effect", async () => {
  await find(first());
  simulator.control.fault({ operationId: "updatePipe", kind: "reset-after" });
  await expect(api.client.updatePipe(api.scope, first(), { name: "renamed" })).rejects.toThrow();
  expect(await find(first())).toMatchObject({ name: "renamed" });
});

test("a list that started before a write is not cached", async () => {
  simulator.control.fault({ operationId: "listPipes", kind: "slow", ms: 100 });
  const reading = find(first());
  await api.client.updatePipe(api.scope, first(), { name: "renamed" });
  await reading;
  expect(await find(first())).toMatchObject({ name: "renamed" });
});

test("a list that was read during a write is not cached", async () => {
  simulator.control.fault({ operationId: "updatePipe", kind: "slow", ms: 1000 });
  const writing = api.client.updatePipe(api.scope, first(), { name: "renamed" });
  expect(await find(first())).toMatchObject({ name: "pipe-0" });
  await writing;
  expect(await find(first())).toMatchObject({ name: "renamed" });
});

test("a failed list is not cached", async () => {
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500 });
  const failed = await Promise.allSettled(ids.map(find));
  expect(failed.every(({ status }) => status === "rejected")).toBe(true);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
  expect(await find(first())).toBeDefined();
  expect(counts(simulator)).toEqual({ listPipes: 2 });
});

test("each service has its own list, and a write drops only that of its service", async () => {
  const other = { ...api.scope, serviceId: OTHER_SERVICE };
  expect(await api.client.findPipe(other, first())).toBeUndefined();
  await find(first());
  await createPipe(api.client, other, PIPE);
  simulator.control.clearRequests();
  await find(first());
  expect(counts(simulator)).toEqual({});
  await api.client.findPipe(other, first());
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("a poll ignores the cache, and polls at the same time share one list", async () => {
  await find(first());
  simulator.control.editPipe(first(), { name: "renamed" });
  expect(await find(first())).toMatchObject({ name: "pipe-0" });
  const polled = await Promise.all(ids.map((id) => api.client.pollPipe(api.scope, id)));
  expect(polled[0]).toMatchObject({ name: "renamed" });
  expect(counts(simulator)).toEqual({ listPipes: 2 });
  await api.client.pollPipe(api.scope, first());
  expect(counts(simulator)).toEqual({ listPipes: 3 });
});

test("one list finds a pipe and its possible duplicate", async () => {
  const asked = { ...PIPE, name: "pipe-0" };
  const [duplicate] = simulator.control.seedPipes([{ ...asked, settings: {} }]);
  const pipes = await api.client.cachedPipes(api.scope);
  const pipe = pipes.get(first()) ?? { id: "" };
  expect([pipe.id, duplicatesOf(asked, pipe, pipes.values()).map(({ id }) => id)]).toEqual([
    first(),
    [duplicate?.id],
  ]);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});
