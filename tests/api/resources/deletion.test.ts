import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { minimal } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { failureOf, answer } from "../../../testkit/connected";
import { online, up, type Online, type Deployed, settled } from "../../../testkit/online";

const pipe = { name: "orders", ...minimal.kafka };
const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

/** A resource of each kind that can be deleted, and how a person calls it. */
const kinds = [
  {
    kind: "pipe",
    noun: "pipe",
    define: pipeDefinition,
    args: pipe,
    operationId: "deletePipe",
    what: (id: string) => `pipe "orders" (${id})`,
    remains: "keeps running and loading data",
  },
  {
    kind: "reverse private endpoint",
    noun: "endpoint",
    define: reversePrivateEndpointDefinition,
    args: endpoint,
    operationId: "*",
    what: (id: string) => `reverse private endpoint "to a service" (${id})`,
    remains: "still exists",
  },
] as const;

async function deployed(run: Online, args: object): Promise<Deployed> {
  const before = await up(run, args);
  takeWrites(run.simulator);
  run.lines.length = 0;
  return before;
}

/** A resource that the program no longer declares, with the policy to delete. */
async function deletable(define: Parameters<typeof online>[0], args: object) {
  const run = await online(define);
  const { id, outputs } = await deployed(run, { ...args, deletionPolicy: "delete" });
  const remove = () => run.lifecycle.delete(id, outputs);
  return { run, control: run.simulator.control, id, remove };
}

const left = ({ simulator }: Online): number => {
  const { pipes, endpoints } = simulator.control.state();
  return pipes.length + endpoints.length;
};

describe.each(kinds)(
  "a $kind that the program no longer declares",
  ({ noun, define, args, operationId, what, remains }) => {
    test.each([undefined, "retain"])(
      "stays with the policy %p, and a line says so",
      async (deletionPolicy) => {
        const run = await online(define);
        const { id, outputs } = await deployed(run, { ...args, deletionPolicy });
        await run.lifecycle.delete(id, outputs);
        expect(run.simulator.control.requests()).toEqual([]);
        expect(run.lines).toEqual([
          `${what(id)} ${remains}: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`,
        ]);
      },
    );

    test("is deleted with the policy to delete", async () => {
      const { run, remove } = await deletable(define, args);
      await remove();
      expect(takeWrites(run.simulator).map(({ method }) => method)).toEqual(["DELETE"]);
      expect([left(run), run.lines]).toEqual([0, []]);
    });

    test.each([
      [405, "method-not-allowed", `cannot delete ${noun}s`],
      [403, "forbidden", "refuses the deletion"],
    ])(
      "stays where the service answers %i, and the error says how to remove it from the state",
      async (status, code, why) => {
        const run = await online(define);
        const { id, outputs } = await deployed(run, { ...args, deletionPolicy: "delete" });
        run.simulator.control.fault({ operationId, kind: "status", status });
        const error = await failureOf(run.lifecycle.delete(id, outputs));
        expect([error.code, error.answer.status]).toEqual([code, status]);
        expect(error.message).toMatch(new RegExp(`^delete .* returned ${status}`));
        expect(error.message).toMatch(
          new RegExp(
            ` The service ${why}\\. Declare it unchanged with deletionPolicy: "retain" and run \`pulumi up --target <URN>\`\\.$`,
          ),
        );
        // The message names what it is about once, in its first words.
        expect(error.message.split(id)).toHaveLength(2);
        expect(error.message.replace(/FAULT: [\w ]+/, "").length).toBeLessThan(400);
        expect(left(run)).toBe(1);
      },
    );

    test("stays in the state after another error", async () => {
      const { control, remove } = await deletable(define, args);
      control.fault({ operationId, kind: "status", status: 400 });
      const error = await failureOf(remove());
      expect(error.code).toBe("bad-request");
      expect(error.message).not.toContain("unmanaged");
    });
  },
);

test.each([403, 405])(
  "a pipe that no longer exists is deleted where the service answers %i",
  async (status) => {
    const { run, control, id, remove } = await deletable(pipeDefinition, pipe);
    control.deletePipe(id);
    control.fault({ operationId: "deletePipe", kind: "status", status });
    await remove();
    expect(run.lines).toEqual([]);
  },
);

test("a pipe stays in the state where the service refuses the deletion and the list", async () => {
  const run = await online(pipeDefinition);
  const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
  run.simulator.control.deletePipe(id);
  run.simulator.control.fault({ operationId: "*", kind: "status", status: 403, times: 9 });
  const error = await failureOf(run.lifecycle.delete(id, outputs));
  expect(error.message).toMatch(/^delete .* The service refuses the deletion\./);
});

describe("an answer of 404", () => {
  test("is no error when the pipe is gone", async () => {
    const { run, control, id, remove } = await deletable(pipeDefinition, pipe);
    control.deletePipe(id);
    await remove();
    expect(run.lines).toEqual([]);
  });

  test("is an error when the list still has the pipe: the service cannot delete", async () => {
    const { control, remove } = await deletable(pipeDefinition, pipe);
    control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    const error = await failureOf(remove());
    expect(error.code).toBe("not-found");
    expect(error.message).toMatch(
      / cannot delete pipes\. Declare it unchanged with deletionPolicy: "retain" and /,
    );
  });

  test.each(["deletePipe", "*"] as const)(
    "keeps the pipe in the state where it is a gateway's page, to %s",
    async (operationId) => {
      const { control, remove } = await deletable(pipeDefinition, pipe);
      control.fault({ operationId, kind: "html", status: 404, times: 9 });
      const error = await failureOf(remove());
      expect([error.code, error.answer.isPage]).toEqual(["not-found", true]);
    },
  );

  test("keeps the pipe in the state where the DELETE is refused and a gateway answers the list", async () => {
    const { run, control, remove } = await deletable(pipeDefinition, pipe);
    control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    control.fault({ operationId: "listPipes", kind: "html", status: 404, times: 9 });
    const error = await failureOf(remove());
    expect([error.code, error.answer.isPage]).toEqual(["not-found", true]);
    expect(run.lines).toEqual([]);
  });

  test("removes an endpoint from the state with a warning that it may exist", async () => {
    const { run, control, id, remove } = await deletable(reversePrivateEndpointDefinition, endpoint);
    control.deleteEndpoint(id);
    await remove();
    expect(run.lines).toEqual([
      `reverse private endpoint "to a service" (${id}): the API returned 404: it no longer exists or cannot be deleted. ` +
        `No operation reads endpoints: check the service's console.`,
    ]);
  });
});

describe("a reverse private endpoint", () => {
  test("is created as declared, and keeps the outputs of that answer", async () => {
    const run = await online(reversePrivateEndpointDefinition, { nulls: true });
    const args = { ...endpoint, vpcEndpointServiceName: "com.example.svc", replacementPolicy: "allow" };
    const { id, outputs } = await up(run, args);
    expect(takeWrites(run.simulator)).toEqual([
      {
        method: "POST",
        path: "/pipesReversePrivateEndpoints",
        body: { ...endpoint, vpcEndpointServiceName: "com.example.svc" },
      },
    ]);
    const [made] = run.simulator.control.state().endpoints;
    expect(made?.id).toBe(id);
    const { endpointId, dnsNames, privateDnsNames, status } = made ?? {};
    expect(outputs).toMatchObject({ ...args, endpointId, dnsNames, privateDnsNames, status });
    expect(JSON.stringify(outputs["observed"])).not.toContain("null");

    run.simulator.control.editEndpoint(id, { status: "Broken" });
    run.simulator.control.clearRequests();
    expect(await run.lifecycle.read(id, outputs)).toEqual({
      inputs: expect.objectContaining(args) as unknown,
      outputs: settled(outputs),
    });
    const policies = { ...args, deletionPolicy: "delete" };
    expect(await up(run, policies, { id, outputs })).toMatchObject({ outputs: { ...policies, status } });
    expect(run.simulator.control.requests()).toEqual([]);
  });

  test("that is not ready has empty outputs, and a line says that they may stay empty", async () => {
    const run = await online(reversePrivateEndpointDefinition, { stateSeconds: 60 });
    const { id } = await up(run, endpoint);
    expect(run.lines).toEqual([
      `reverse private endpoint "to a service" (${id}) was created with the status "Provisioning". Its outputs, such as ` +
        `dnsNames and endpointId, stay as they are now: the API has no operation that reads endpoints. Check the service's console for later values.`,
    ]);
  });

  test("with a sparse answer has outputs of the declared types", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const result = { id: "0a1b2c3d-0000-4000-8000-0000000000ff", status: "Ready" };
    run.simulator.control.fault({ operationId: "createReversePrivateEndpoint", ...answer(result) });
    const { outputs } = await up(run, endpoint);
    expect(outputs).toMatchObject({ endpointId: "", dnsNames: [], privateDnsNames: [], status: "Ready" });
    expect(run.lines).toEqual([]);
  });

  test("is named by a refresh in one line for all endpoints", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const { id, outputs } = await up(run, endpoint);
    run.nextRun();
    await run.lifecycle.read(id, outputs);
    await run.lifecycle.read(id, outputs);
    expect(run.lines).toEqual([
      "The API has no operation that reads reverse private endpoints. The refresh compared none of them, and the state keeps their outputs.",
    ]);
  });

  test("that a program reads with get has the program's values, because the API cannot read it", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const read = await run.lifecycle.read("0a1b2c3d-0000-4000-8000-0000000000ff", { description: "theirs" });
    expect(read?.outputs).toMatchObject({ description: "theirs", observed: {} });
    expect(run.simulator.control.requests()).toEqual([]);
  });
});

describe("an endpoint that is adopted", () => {
  const adopt = "0a1b2c3d-0000-4000-8000-0000000000ff";
  const args = { ...endpoint, adopt };

  test("sends no request, causes a line at preview, and stays when adopt is removed", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const { lifecycle } = run;
    expect(await lifecycle.checkAdoption(lifecycle.check(undefined, args))).toEqual([]);
    const line =
      `reverse private endpoint "to a service" (${adopt}) is not created: the program adopts the existing endpoint of this id. ` +
      `The API has no operation that reads endpoints, so the provider compares nothing and sends nothing.`;
    expect(run.lines).toEqual([line]);
    const before = await up(run, args);
    expect([before.id, run.lines]).toEqual([adopt, [line, line]]);
    expect(before.outputs).toMatchObject({
      ...args,
      endpointId: "",
      dnsNames: [],
      privateDnsNames: [],
      status: "Unknown",
      observed: {},
    });
    run.nextRun();
    const read = await run.lifecycle.read(adopt, before.outputs);
    expect(read).toMatchObject({ inputs: args, outputs: before.outputs });
    await up(run, endpoint, before);
    expect(run.simulator.control.requests()).toEqual([]);
  });

  test("stays the same when adopt names another id, and a warning says so", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const before = await up(run, endpoint);
    run.lines.length = 0;
    expect(await up(run, args, before)).toMatchObject({ id: before.id });
    expect(run.lines).toEqual([
      expect.stringMatching(/^warning: .* is in the stack already, so adopt does not take over 0a1b2c3d/),
    ]);
  });

  test("is replaced by a new one when an immutable field changes", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const before = await up(run, args);
    const other = { ...args, description: "to another", replacementPolicy: "allow" };
    const after = await up(run, other, before);
    expect(after.id).not.toBe(adopt);
    expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([
      { description: "to another", type: "VPC_ENDPOINT_SERVICE" },
    ]);
  });
});
