import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { takeWrites } from "../../../testkit/simulator";
import { answer } from "../../../testkit/connected";
import { online, settled, up } from "./online";

const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

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
