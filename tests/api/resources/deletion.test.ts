import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { minimal } from "../../kit/pipes";
import { takeMethods, answer } from "../../kit/simulator";
import { failureOf } from "../../kit/client";
import { deployResource, newRun, up, outputsAfterRead, type ResourceRun } from "../../kit/run";

const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

/** A resource of each kind that can be deleted, and how a person calls it. */
const kinds = [
  {
    kind: "pipe",
    noun: "pipe",
    define: pipeDefinition,
    args: { name: "orders", ...minimal.kafka },
    operationId: "deletePipe",
    what: 'pipe "orders"',
    remains: "keeps running and loading data",
  },
  {
    kind: "reverse private endpoint",
    noun: "endpoint",
    define: reversePrivateEndpointDefinition,
    args: endpoint,
    operationId: "deleteReversePrivateEndpoint",
    what: 'reverse private endpoint "to a service"',
    remains: "still exists",
  },
] as const;

/** A resource that the program no longer declares. */
async function undeclared({ define, args }: (typeof kinds)[number], deletionPolicy?: string) {
  const { run, control, before } = await deployResource(define, { ...args, deletionPolicy });
  return { run, control, ...before, remove: () => run.lifecycle.delete(before.id, before.outputs) };
}

const left = ({ control }: ResourceRun): number =>
  control.state().pipes.length + control.state().endpoints.length;

describe.each(kinds)("a $kind that the program no longer declares", (kind) => {
  const { noun, operationId, what, remains } = kind;

  test.each([undefined, "retain"])("stays with the policy %p, and a line says so", async (policy) => {
    const { run, control, id, remove } = await undeclared(kind, policy);
    await remove();
    expect(control.requests()).toEqual([]);
    expect(run.lines).toEqual([
      `${what} (${id}) ${remains}: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`,
    ]);
  });

  test("is deleted with the policy to delete", async () => {
    const { run, remove } = await undeclared(kind, "delete");
    await remove();
    expect(takeMethods(run.simulator)).toEqual(["DELETE"]);
    expect(left(run)).toBe(0);
    expect(run.lines).toEqual([]);
  });

  const retain =
    'Declare it with deletionPolicy: "retain" and no other change, and run `pulumi up --target <URN of the resource>`.';
  test.each([
    [405, "method-not-allowed", `The service refuses to delete the ${noun}. ${retain}`],
    [403, "forbidden", `The service refuses to delete the ${noun}. ${retain}`],
    [400, "bad-request", "Fix the problem that the server reports."],
  ])("stays where the service answers %i, and the error says what to do", async (status, code, says) => {
    const { run, control, id, remove } = await undeclared(kind, "delete");
    control.fault({ operationId, kind: "status", status });
    const error = await failureOf(remove());
    expect(error.code).toBe(code);
    expect(error.answer.status).toBe(status);
    expect(left(run)).toBe(1);
    expect(error.message).toMatch(new RegExp(`^delete .* returned ${status}`));
    expect(error.message.slice(-says.length - 1)).toBe(` ${says}`);
    // The message names what it is about once, in its first words.
    expect(error.message.split(id)).toHaveLength(2);
    expect(error.message.replace(/FAULT: [\w ]+/, "").length).toBeLessThanOrEqual(400);
  });
});

test("an answer of 404 removes an endpoint from the state with a warning that it may exist", async () => {
  const [, kind] = kinds;
  const { run, control, id, remove } = await undeclared(kind, "delete");
  control.deleteEndpoint(id);
  await remove();
  expect(run.lines).toEqual([
    `warning: reverse private endpoint "to a service" (${id}): the API returned 404, so Pulumi removes it from the stack. It may still ` +
      "exist if the service does not support the deletion: check the service's console.",
  ]);
});

test("a gateway's page of status 404 keeps an endpoint in the state", async () => {
  const [, kind] = kinds;
  const { run, control, remove } = await undeclared(kind, "delete");
  control.fault({ operationId: kind.operationId, kind: "html", status: 404 });
  expect((await failureOf(remove())).answer.failure).toBe("unreadable");
  expect(run.lines).toEqual([]);
});

describe("a reverse private endpoint", () => {
  const ID = "0a1b2c3d-0000-4000-8000-0000000000ff";
  const EMPTY = { endpointId: "", dnsNames: [], privateDnsNames: [] };

  test("keeps its outputs in a refresh, and takes other policies, without a request", async () => {
    const args = { ...endpoint, replacementPolicy: "allow" };
    const { run, control, before } = await deployResource(reversePrivateEndpointDefinition, args);
    const { id, outputs } = before;
    control.editEndpoint(id, { status: "Broken" });
    const inputs = expect.objectContaining(args) as unknown;
    expect(await run.lifecycle.read(id, outputs)).toEqual({ inputs, outputs: outputsAfterRead(outputs) });
    const deletionPolicy = "delete";
    const after = await up(run, { ...args, deletionPolicy }, before);
    expect(after).toMatchObject({ id, outputs: { ...args, deletionPolicy, status: "Ready" } });
    expect(control.requests()).toEqual([]);
  });

  test("that is not ready has empty outputs, and a line says that they may stay empty", async () => {
    const run = await newRun(reversePrivateEndpointDefinition, { stateSeconds: 60 });
    const { id } = await up(run, endpoint);
    expect(run.lines).toEqual([
      `reverse private endpoint "to a service" (${id}) was created with the status "Provisioning". Its outputs, such as ` +
        `dnsNames and endpointId, stay as they are now: the API cannot read endpoints. Check the service's console for later values.`,
    ]);
  });

  test("with a sparse answer has outputs of the declared types", async () => {
    const run = await newRun(reversePrivateEndpointDefinition);
    const result = { id: ID, status: "Ready" };
    run.control.fault({ operationId: "createReversePrivateEndpoint", ...answer(result) });
    expect((await up(run, endpoint)).outputs).toMatchObject({ ...EMPTY, status: "Ready" });
    expect(run.lines).toEqual([]);
  });

  test("is named by a refresh in one line for all endpoints", async () => {
    const { run, before } = await deployResource(reversePrivateEndpointDefinition, endpoint);
    run.nextRun();
    for (const _ of ["one", "another"]) await run.lifecycle.read(before.id, before.outputs);
    expect(run.lines).toEqual([
      "The API cannot read resources of the type ReversePrivateEndpoint. The refresh compared nothing, and the state keeps the last response.",
    ]);
  });
});
