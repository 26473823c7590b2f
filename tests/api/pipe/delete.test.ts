import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { Fault } from "../../../simulator/src/index";
import { answer, requestCounts } from "../../kit/simulator";
import { failureOf } from "../../kit/client";
import { exportedResource, exportOf } from "../../kit/deployment";
import { deployResource } from "../../kit/run";
import { minimal } from "../../kit/pipes";

const args = { __key: "Pipe::orders", name: "orders", ...minimal.kafka, deletionPolicy: "delete" };

/** A pipe that is deployed for so long that each list shows it, and that the program no longer declares. */
async function undeclared() {
  const { run, control, before } = await deployResource(pipeDefinition, args);
  control.advance(120);
  run.nextRun();
  const remove = (): Promise<void> => run.lifecycle.delete(before.id, before.outputs, "Pipe::orders");
  return { run, control, id: before.id, remove };
}

const refusal = (status: number): Fault => ({ operationId: "deletePipe", kind: "status", status });
const lists = (result: unknown, times: Fault["times"], after = 0): Fault => ({
  operationId: "listPipes",
  ...answer(result),
  times,
  after,
});
const page = (operationId: Fault["operationId"]): Fault => ({
  operationId,
  kind: "html",
  status: 404,
  times: "always",
});

describe("a pipe whose deletion is answered with 404", () => {
  test("counts as deleted when two lists lack it", async () => {
    const { run, control, id, remove } = await undeclared();
    control.deletePipe(id);
    await remove();
    expect(run.lines).toEqual([]);
    expect(requestCounts(run.simulator)).toEqual({ deletePipe: 1, listPipes: 2 });
  });

  test("counts as deleted with its service, and a warning says that the key may be wrong", async () => {
    const { run, id, control, remove } = await undeclared();
    control.fault({ operationId: "*", kind: "status", status: 404, times: "always" });
    await expect(remove()).resolves.toBeUndefined();
    expect(run.lines).toEqual([
      `warning: pipe "orders" (${id}): the API returned 404 for the pipe and for its service, so Pulumi removes the pipe ` +
        "from the stack. If the service still exists, the pipe may keep running: check the API key, datapipes:baseUrl, " +
        "organizationId and serviceId.",
    ]);
  });

  test.each<[what: string, ...faults: Fault[]]>([
    ["the list has it", refusal(404)],
    ["the second list has it", refusal(404), lists([], 1)],
    ["all lists are null", refusal(404), lists(null, "always")],
    ["all lists leave out what has no UUID", refusal(404), lists([{ id: "x" }], "always")],
  ])("stays in the stack where %s, and the error names the way out", async (_, ...faults) => {
    const { control, remove } = await undeclared();
    for (const fault of faults) control.fault(fault);
    const { code, message } = await failureOf(remove());
    expect(code).toBe("not-found");
    expect(message).toMatch(
      / The service refuses to delete the pipe\. Declare it with deletionPolicy: "retain" and no other change, and run `pulumi up --target <URN of the resource>`\.$/,
    );
  });

  test.each<[what: string, ...faults: Fault[]]>([
    ["the answer is a page of a gateway", page("deletePipe")],
    ["a gateway answers all requests with a page", page("*")],
    ["a gateway answers the lists with a page", refusal(404), page("listPipes")],
  ])("stays in the stack where %s", async (_, ...faults) => {
    const { control, remove } = await undeclared();
    for (const fault of faults) control.fault(fault);
    const { code, answer: received } = await failureOf(remove());
    expect(code).toBe("not-found");
    expect(received.failure).toBe("unreadable");
  });
});

describe.each([403, 405, 501])("a pipe whose deletion is answered with %i", (status) => {
  test("counts as deleted when two lists lack it", async () => {
    const { run, control, id, remove } = await undeclared();
    control.deletePipe(id);
    control.fault(refusal(status));
    await remove();
    expect(run.lines).toEqual([]);
  });

  test("stays in the stack where the service refuses the list, too", async () => {
    const { control, id, remove } = await undeclared();
    control.deletePipe(id);
    control.fault({ operationId: "*", kind: "status", status, times: "always" });
    expect((await failureOf(remove())).answer.status).toBe(status);
  });
});

test("a deletion whose answer was lost is sent again, and its 404 counts as success", async () => {
  const { run, before } = await deployResource(pipeDefinition, args, {}, { maxRetries: 4 });
  run.control.advance(120);
  run.control.fault({ operationId: "deletePipe", kind: "reset-after" });
  await run.lifecycle.delete(before.id, before.outputs, "Pipe::orders");
  expect(requestCounts(run.simulator)).toEqual({ deletePipe: 2, listPipes: 2 });
});

describe("before a deletion, the state of the stack", () => {
  test("shows another resource that has the pipe, in any case: it stays, and a line says so", async () => {
    const { run, id, remove } = await undeclared();
    const renamed = exportedResource("renamed", id.toUpperCase());
    run.readState = () => Promise.resolve(exportOf([exportedResource("orders", id), renamed]));
    await remove();
    expect(run.lines).toEqual([`pipe "orders" (${id}) is not deleted: resource "renamed" uses it.`]);
    expect(run.control.requests()).toEqual([]);
  });

  test("cannot be read: no DELETE is sent, and the error says what to do", async () => {
    const { run, remove } = await undeclared();
    const noCommand = Object.assign(new Error("spawn pulumi ENOENT"), { code: "ENOENT" });
    run.readState = () => Promise.reject(noCommand);
    await expect(remove()).rejects.toThrow(
      new Error(
        "Nothing was deleted: the provider cannot read the state of the stack (the command pulumi is not on the PATH), so it does not know whether another resource " +
          "uses the same ID. Put the pulumi CLI on the PATH.",
      ),
    );
    expect(run.control.requests()).toEqual([]);
  });
});
