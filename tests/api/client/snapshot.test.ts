import { createPipe } from "../../../provider/src/resources/pipe/create-pipe";
import { DEFAULT_ACCOUNT, type Fault, type Simulator } from "../../../simulator/src/index";
import { newSimulator } from "../../../testkit/simulator";
import { connect, counts, PIPE, type Connected } from "../../../testkit/connected";

const OTHER_SERVICE = "0a1b2c3d-0000-4000-8000-0000000000ac";

let simulator: Simulator;
let api: Connected;
let ids: string[];
let first: string;

beforeEach(async () => {
  const accounts = [{ ...DEFAULT_ACCOUNT, serviceIds: [...DEFAULT_ACCOUNT.serviceIds, OTHER_SERVICE] }];
  simulator = await newSimulator({ accounts });
  api = connect(simulator);
  const pipes = Array.from({ length: 20 }, (_, index) => ({ ...PIPE, name: `pipe-${index}`, settings: {} }));
  ids = simulator.control.seedPipes(pipes).map(({ id }) => id);
  [first = ""] = ids;
});
const find = (id = first) => api.client.findPipe(api.scope, id);
const rename = () => api.client.updatePipe(api.scope, first, { name: "renamed" });
const lists = (): number | undefined => counts(simulator)["listPipes"];

test("reads send one list request, at the same time and one after the other", async () => {
  const found = await Promise.all(ids.map(find));
  expect(found.map((pipe) => pipe?.["name"])).toEqual(ids.map((_, index) => `pipe-${index}`));
  for (const id of ids) await find(id);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("a read finds a pipe whatever the case of its id, and returns undefined for an unknown id", async () => {
  expect(await find(first.toUpperCase())).toMatchObject({ id: first });
  expect(await find("0a1b2c3d-0000-4000-8000-0000000000ff")).toBeUndefined();
  const [organizationId, serviceId] = [api.scope.organizationId, api.scope.serviceId].map((id) =>
    id.toUpperCase(),
  );
  const upper = { organizationId: String(organizationId), serviceId: String(serviceId) };
  expect(await api.client.findPipe(upper, first)).toMatchObject({ id: first });
  expect(lists()).toBe(1);
});

function loseUpdate(): Promise<void> {
  simulator.control.fault({ operationId: "updatePipe", kind: "reset-after" });
  return expect(rename()).rejects.toThrow();
}

test.each<[what: string, write: () => Promise<unknown>, name: string | undefined]>([
  ["a create", () => createPipe(api.client, api.scope, PIPE), "pipe-0"],
  ["an update", rename, "renamed"],
  ["a deletion", () => api.client.deletePipe(api.scope, first), undefined],
  ["a failed write, which may have had an effect", loseUpdate, "renamed"],
])("the next reads after %s send one list request", async (_what, write, name) => {
  await find();
  const result = (await write()) as { id?: string } | undefined;
  simulator.control.clearRequests();
  const [found, created] = await Promise.all([find(), find(result?.id ?? first), ...ids.map(find)]);
  expect([found?.["name"], created?.id]).toEqual([name, name && (result?.id ?? first)]);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test.each<[what: string, operationId: Fault["operationId"], ms: number]>([
  ["started before a write", "listPipes", 100],
  ["was read during a write", "updatePipe", 1000],
])("a list that %s is not cached", async (_, operationId, ms) => {
  simulator.control.fault({ operationId, kind: "slow", ms });
  const works = [find, rename];
  if (operationId === "updatePipe") works.reverse();
  const [slow, fast] = works.map((work) => work());
  await fast;
  await slow;
  expect(await find()).toMatchObject({ name: "renamed" });
  expect(lists()).toBe(2);
});

test("a failed list is not cached", async () => {
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500 });
  const failed = await Promise.allSettled(ids.map(find));
  expect(failed.every(({ status }) => status === "rejected")).toBe(true);
  expect(lists()).toBe(1);
  expect(await find()).toBeDefined();
  expect(lists()).toBe(2);
});

test("each service has its own list, and a write drops only that of its service", async () => {
  const other = { ...api.scope, serviceId: OTHER_SERVICE };
  expect(await api.client.findPipe(other, first)).toBeUndefined();
  await find();
  await createPipe(api.client, other, PIPE);
  simulator.control.clearRequests();
  await find();
  expect(counts(simulator)).toEqual({});
  await api.client.findPipe(other, first);
  expect(counts(simulator)).toEqual({ listPipes: 1 });
});

test("a poll ignores the cache, and polls at the same time share one list", async () => {
  await find();
  simulator.control.editPipe(first, { name: "renamed" });
  expect(await find()).toMatchObject({ name: "pipe-0" });
  const polled = await Promise.all(ids.map((id) => api.client.pollPipe(api.scope, id)));
  expect([polled[0]?.["name"], lists()]).toEqual(["renamed", 2]);
});

test("a poll uses no list that was sent before it began, which may be older than a write", async () => {
  simulator.control.fault({ operationId: "listPipes", kind: "slow-body", ms: 300 });
  const before = api.client.pollPipe(api.scope, first);
  while (lists() === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  await rename();
  expect(await api.client.pollPipe(api.scope, first)).toMatchObject({ name: "renamed" });
  expect(await before).toMatchObject({ name: "pipe-0" });
  expect(lists()).toBe(2);
});
