import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/lifecycle";
import { stopSimulators, takeWrites } from "../../support/simulator";
import { online, settled, up } from "./online";

afterEach(stopSimulators);

const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

describe("a reverse private endpoint", () => {
  test("is created with what is declared, and its answer is all that is ever known of it", async () => {
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
      inputs: expect.objectContaining(args),
      outputs: settled(outputs),
    });
    const policies = { ...args, deletionPolicy: "delete" };
    expect(await up(run, policies, { id, outputs })).toMatchObject({ outputs: { ...policies, status } });
    expect(run.simulator.control.requests()).toEqual([]);
  });

  test("that a program only asks for is as the program says, for the API cannot tell", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const read = await run.lifecycle.read("0a1b2c3d-0000-4000-8000-0000000000ff", { description: "theirs" });
    expect(read?.outputs).toMatchObject({ description: "theirs", observed: {} });
    expect(run.simulator.control.requests()).toEqual([]);
  });
});
