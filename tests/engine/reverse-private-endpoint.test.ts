import { expectNoChanges } from "./expectations";
import { mapValues, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { CREATE_FIRST, DELETE_FIRST, planOf } from "./plan";
import { declaration, outputs, retainMark } from "../kit/program";
import {
  newSimulator,
  pipeNamed,
  requestCounts,
  takeBodies,
  takeMethods,
  type Simulator,
} from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

/** The arguments of each type of endpoint. */
const SERVICE: JsonObject = {
  description: "to a service",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.example.vpce-svc-1",
};
const RESOURCE: JsonObject = {
  description: "to a resource",
  type: "VPC_RESOURCE",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:::share/1",
};
const CLUSTER: JsonObject = {
  description: "to a cluster",
  type: "MSK_MULTI_VPC",
  mskClusterArn: "arn:aws:kafka:::cluster/1",
  mskAuthentication: "SASL_SCRAM",
};

/** A program of endpoints, and of a pipe that reads through some of them. */
const programOf = (endpoints: Record<string, JsonObject>, ...through: string[]): string => `
  ${Object.entries(endpoints)
    .map(([name, args]) => `const ${name} = ${declaration("ReversePrivateEndpoint", name, args)};\n`)
    .join("")}
  const args = ${JSON.stringify(minimal.kafka)};
  args.source.kafka.reversePrivateEndpointIds = [${through.map((name) => `${name}.id`).join(", ")}];
  new datapipes.Pipe("orders", args);
  ${outputs({ cluster: "cluster" })}`;

let simulator: Simulator;
let stack: TestStack;

const endpointOf = ({ description }: JsonObject) => {
  const found = simulator.control.state().endpoints.find((one) => one.description === description);
  if (found === undefined) throw new Error(`there is no endpoint ${JSON.stringify(description)}`);
  return found;
};

const readsThrough = () => pipeNamed(simulator, "orders").source.kafka?.reversePrivateEndpointIds;

describe("endpoints of each type", () => {
  const nulls = mapValues({ ...SERVICE, ...RESOURCE, ...CLUSTER, deletionPolicy: null }, () => null);
  const withNulls = mapValues({ service: SERVICE, resource: RESOURCE, cluster: CLUSTER }, (args) => ({
    ...nulls,
    ...args,
  }));

  beforeAll(async () => {
    simulator = await newSimulator({ strictReferences: true, nulls: true });
    stack = await newStack({ simulator, program: programOf(withNulls, "service", "resource") });
  });

  test("are previewed without a request for them", async () => {
    const { output } = await stack.preview({ diff: true });
    expect(output).toContain("5 to create");
    expect(output).toContain('mskAuthentication: "SASL_SCRAM"');
    // For the pipe.
    expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
  });

  test("are created with one POST each, and a pipe reads through them", async () => {
    await stack.up();
    const bodies = takeBodies(simulator);
    expect(bodies).toHaveLength(4);
    expect(bodies).toEqual(expect.arrayContaining([SERVICE, RESOURCE, CLUSTER]));
    expect(readsThrough()).toEqual([endpointOf(SERVICE).id, endpointOf(RESOURCE).id]);
  });

  test("have the values of the API as outputs", async () => {
    const { cluster } = await stack.outputs();
    const endpoint = endpointOf(CLUSTER);
    expect(cluster).toMatchObject({ ...endpoint, observed: { ...endpoint } });
  });

  test("are kept by a refresh, which says that it cannot read them", async () => {
    const before = (await stack.export()).named("resource");
    simulator.control.editEndpoint(endpointOf(RESOURCE).id, { status: "Broken" });
    simulator.control.clearRequests();
    const { output } = await stack.refresh({ flags: ["--expect-no-changes"] });
    expect(output).toContain("cannot read resources of the type ReversePrivateEndpoint");
    expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
    const { inputs, outputs } = (await stack.export()).named("resource");
    expect({ inputs, outputs }).toEqual({ inputs: before.inputs, outputs: before.outputs });
  });

  test("refuse a change without a policy; a field that is no longer declared is no change", async () => {
    const changed = { ...withNulls, resource: { ...CLUSTER, description: "another" } };
    await stack.write(programOf(changed, "service"));
    const { output } = await stack.preview({ expectFailure: true });
    for (const field of Object.keys(CLUSTER))
      expect(output).toMatch(new RegExp(`\\b${field} cannot be changed`));
    expect(output).not.toMatch(/vpcResource\w+ cannot be changed/);
    expect(output).toMatch(/replacementPolicy: "allow".*deletionPolicy/);
  });

  test("may be declared without nulls, and serve a pipe from its next update on", async () => {
    await stack.write(programOf({ service: SERVICE, resource: RESOURCE, cluster: CLUSTER }, "cluster"));
    await stack.up();
    expect(takeMethods(simulator)).toEqual(["PATCH"]);
    expect(readsThrough()).toEqual([endpointOf(CLUSTER).id]);
  });

  test("stay after `pulumi destroy`, which says so", async () => {
    const { output } = await stack.destroy();
    expect(output).toMatch(new RegExp(`Endpoint cluster deleted \\(.*\\)${retainMark}`));
    expect(takeMethods(simulator)).toEqual([]);
  });
});

describe("endpoints with adopt or policies", () => {
  const allow = { replacementPolicy: "allow" };
  const adopted = { ...SERVICE, ...allow, adopt: "0a1b2c3d-0000-4000-8000-0000000000aa" };
  const adoptedOnce = { ...SERVICE, adopt: "0a1b2c3d-0000-4000-8000-0000000000ab" };
  const policies = { ...allow, deletionPolicy: "delete" };

  beforeAll(async () => {
    simulator = await newSimulator();
    const deleted = { ...RESOURCE, ...policies };
    const program = programOf({ cluster: CLUSTER, adopted, adoptedOnce, deleted });
    stack = await newStack({ simulator, program });
  });

  test("are taken over without a request, which one line names", async () => {
    const { output } = await stack.up();
    for (const { adopt } of [adopted, adoptedOnce])
      expect(output).toContain(`${adopt}) is not created: the program adopts the existing endpoint`);
    expect(takeBodies(simulator)).toEqual(expect.not.arrayContaining([SERVICE]));
    expect((await stack.export()).named("adopted").id).toBe(adopted.adopt);
  });

  test("are replaced in the order of the preview, and stay if adopt is no longer declared", async () => {
    const description = "a new one";
    const deleted = { ...RESOURCE, ...policies, description };
    const changed = { cluster: CLUSTER, adoptedOnce: SERVICE, adopted: { ...adopted, description }, deleted };
    await stack.write(programOf(changed));
    expect((await planOf(stack)).steps).toEqual({ adopted: CREATE_FIRST, deleted: DELETE_FIRST });
    await stack.up();
    const bodies = takeBodies(simulator);
    expect(bodies).toHaveLength(3);
    expect(bodies).toContainEqual({ ...SERVICE, description });
    const recreation = bodies.findIndex((body) => (body as JsonObject | null)?.["type"] === RESOURCE["type"]);
    expect(bodies.indexOf(null)).toBeLessThan(recreation);
    await expectNoChanges(stack);
  });

  test('are deleted by `pulumi destroy` with the policy "delete"', async () => {
    await stack.destroy();
    expect(takeMethods(simulator)).toEqual(["DELETE"]);
  });
});
