import type { Behaviour, TimeFormat } from "../../../simulator/src/index";
import {
  KAFKA,
  KINESIS,
  call,
  createPipe,
  ok,
  send,
  servicePath,
  start,
  listPipes,
  updatePipe,
} from "./client";

const TIME = Date.UTC(2026, 0, 31, 12);

test.each<[TimeFormat, string | undefined]>([
  ["iso", "2026-01-31T12:00:00.000Z"],
  ["seconds", "2026-01-31T12:00:00Z"],
  ["without-zone", "2026-01-31T12:00:00"],
  ["unix-seconds", "1769860800"],
  ["absent", undefined],
])("the format %s writes the times of a pipe as %s in every answer", async (timeFormat, time) => {
  const simulator = await start({ timeFormat, now: () => TIME });
  const { id, ...created } = await createPipe(simulator, KAFKA);
  const updated = await updatePipe(simulator, id, { name: "renamed" });
  const [listed] = await listPipes(simulator);
  for (const pipe of [created, updated, listed])
    expect([pipe?.createdAt, pipe?.updatedAt]).toEqual([time, time]);
  expect(simulator.control.state().pipes[0]?.createdAt).toBe("2026-01-31T12:00:00.000Z");
});

test.each([
  [600, "Sat, 31 Jan 2026 12:10:00 GMT", "2026-01-31T12:10:00.000Z"],
  [-600, "Sat, 31 Jan 2026 11:50:00 GMT", "2026-01-31T11:50:00.000Z"],
])("a clock that is %d s ahead shows in the Date header and in createdAt", async (skew, date, createdAt) => {
  const simulator = await start({ clockSkewSeconds: skew, now: () => TIME });
  const { headers, envelope } = await call(simulator, "POST", "/pipes", KAFKA);
  expect(headers.get("date")).toBe(date);
  expect(envelope.result).toMatchObject({ createdAt });
});

test("a clock that is set back does not keep a pipe from its next state", async () => {
  const simulator = await start({ now: () => TIME });
  await createPipe(simulator, KAFKA);
  simulator.control.setBehaviour({ clockSkewSeconds: -3600 });
  simulator.control.advance(10);
  expect(await listPipes(simulator)).toMatchObject([{ state: "Running" }]);
});

test("the control path shows the behaviour and changes what it is given", async () => {
  const simulator = await start({ control: true, timeFormat: "seconds" });
  const path = "/control/behaviour";
  const changed = await send(simulator, "PATCH", path, { profiles: ["sparse"], clockSkewSeconds: 5 });
  const behaviour: Behaviour = { profiles: ["sparse"], timeFormat: "seconds", clockSkewSeconds: 5 };
  expect(JSON.parse(changed.text)).toEqual(behaviour);
  expect(JSON.parse((await send(simulator, "GET", path)).text)).toEqual(behaviour);
  const [serviceId = ""] = simulator.account.serviceIds;
  await send(simulator, "PATCH", path, { serviceId, profiles: ["omit"] });
  const own = await send(simulator, "GET", `${path}?serviceId=${serviceId}`);
  expect(JSON.parse(own.text)).toEqual({ ...behaviour, profiles: ["omit"] });
  const refused = await send(simulator, "PATCH", path, { profiles: ["nope"] });
  expect([refused.status, simulator.control.behaviour()]).toEqual([400, behaviour]);
});

test("a service that control deletes is 404 in all its paths, and its pipes are gone with it", async () => {
  const simulator = await start({ control: true });
  const { id } = await createPipe(simulator, KAFKA);
  await ok(simulator, "POST", "/pipesReversePrivateEndpoints", { type: "VPC_ENDPOINT_SERVICE" });
  const [serviceId = ""] = simulator.account.serviceIds;
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(200);
  for (const [method, path, body] of [
    ["GET", "/pipes"],
    ["POST", "/pipes", KAFKA],
    ["PATCH", `/pipes/${id}`, { name: "x" }],
    ["DELETE", `/pipes/${id}`],
    ["GET", "/backups"],
    ["PATCH", "", { name: "x" }],
  ] as const) {
    const { status, envelope } = await call(simulator, method, path, body);
    expect([method, path, status]).toEqual([method, path, 404]);
    expect(envelope.error).toContain("no service of this serviceId");
  }
  expect(simulator.control.state()).toMatchObject({ services: [], pipes: [], endpoints: [], backups: [] });
  expect((await send(simulator, "DELETE", `/control/services/${serviceId}`)).status).toBe(404);
  simulator.control.reset();
  expect((await send(simulator, "GET", `${servicePath(simulator)}/pipes`)).status).toBe(200);
});

test("incomplete-list leaves the named pipes out of as many lists as it should", async () => {
  const simulator = await start();
  const [kafka] = simulator.control.seedPipes([KAFKA, KINESIS]);
  const pipeIds = [(kafka?.id ?? "").toUpperCase()];
  simulator.control.fault({ operationId: "listPipes", kind: "incomplete-list", pipeIds, times: 2 });
  const names: string[][] = [];
  for (const _ of [1, 2, 3]) names.push((await listPipes(simulator)).map(({ name }) => name));
  expect(names).toEqual([["stream"], ["stream"], ["orders", "stream"]]);
});

test("a DELETE can be answered with 404 although the pipe is there", async () => {
  const simulator = await start();
  const { id } = await createPipe(simulator, KAFKA);
  simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
  expect((await call(simulator, "DELETE", `/pipes/${id}`)).status).toBe(404);
  expect(await listPipes(simulator)).toHaveLength(1);
});
