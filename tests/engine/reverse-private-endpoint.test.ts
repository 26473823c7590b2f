import { expectNoChanges } from "./expectations";
import {
  requestCounts,
  newSimulator,
  pipeNamed,
  takeWrites,
  type Simulator,
  takeMethods,
} from "../kit/simulator";
import { mapValues, withValue, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { CREATE_FIRST, DELETE_FIRST, planOf } from "./plan";
import { retainMark, declaration, outputs } from "../kit/program";
import { newStack, type TestStack } from "../kit/stack";

const vpcEndpointServiceName = "com.example.vpce-svc-1";
const service: JsonObject = {
  description: "to a service",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName,
};
const resource: JsonObject = {
  description: "to a resource",
  type: "VPC_RESOURCE",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:::share/1",
};
const msk = { mskClusterArn: "arn:aws:kafka:::cluster/1", mskAuthentication: "SASL_SCRAM" };
const cluster: JsonObject = { description: "to a cluster", type: "MSK_MULTI_VPC", ...msk };
/** Each argument that may be left out. */
const nulls = mapValues({ ...service, ...resource, ...cluster, deletionPolicy: null }, () => null);

const adopted = "0a1b2c3d-0000-4000-8000-0000000000aa";
const adoptedToo = "0a1b2c3d-0000-4000-8000-0000000000ab";
const allowed = { ...service, replacementPolicy: "allow" };
const deleted = { description: "deleted", replacementPolicy: "allow", deletionPolicy: "delete" };

const first: Record<string, JsonObject> = {
  service: { ...nulls, ...service },
  resource: { ...nulls, ...resource },
  cluster: { ...nulls, ...cluster },
  adopted: { ...allowed, adopt: adopted },
  adoptedOnce: { ...service, adopt: adoptedToo },
  deleted: { ...resource, ...deleted },
};

/** Endpoints of which two are replaced, and no longer declared nulls or `adopt`. */
const second: Record<string, JsonObject> = {
  service,
  resource,
  cluster,
  adoptedOnce: service,
  adopted: { ...allowed, adopt: adopted, description: "a new one" },
  deleted: { ...cluster, ...deleted },
};

const shown = ["id", "serviceId", "endpointId", "dnsNames", "privateDnsNames", "status", "observed"];

/** Endpoints, and a pipe that reads through those of these names. */
const programOf = (endpoints: Record<string, JsonObject>, through: string[]): string =>
  [
    ...Object.entries(endpoints).map(
      ([name, args]) => `const ${name} = ${declaration("ReversePrivateEndpoint", name, args)};\n`,
    ),
    `const args = ${JSON.stringify(minimal.kafka)};
    args.source.kafka.reversePrivateEndpointIds = [${through.map((name) => `${name}.id`).join(", ")}];
    new datapipes.Pipe("orders", args);\n`,
    outputs(Object.fromEntries([...Object.keys(cluster), ...shown].map((name) => [name, `cluster.${name}`]))),
    outputs({ absent: "cluster.vpcResourceShareArn" }),
  ].join("");

const endpointOf = (simulator: Simulator, description: unknown) => {
  const [found] = simulator.control.state().endpoints.filter((one) => one.description === description);
  if (found === undefined) throw new Error(`there is no endpoint ${String(description)}`);
  return found;
};

async function expectPreviewOfCreates(simulator: Simulator, stack: TestStack): Promise<void> {
  const { output } = await stack.preview({ diff: true });
  expect(output).toContain(`${Object.keys(first).length + 2} to create`);
  expect(output).toContain('mskAuthentication: "SASL_SCRAM"');
  for (const id of [adopted, adoptedToo])
    expect(output).toContain(`${id}) is not created: the program adopts the existing endpoint`);
  // For the pipe.
  expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
}

async function expectCreates(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.up();
  const made = takeWrites(simulator).filter(({ path }) => path === "/pipesReversePrivateEndpoints");
  const created = [service, resource, cluster, { ...resource, description: "deleted" }];
  expect(made.map(({ body }) => body)).toEqual(expect.arrayContaining(created));
  expect(made).toHaveLength(4);
  const ids = [service, resource].map(({ description }) => endpointOf(simulator, description).id);
  expect(pipeNamed(simulator, "orders").source.kafka?.reversePrivateEndpointIds).toEqual(ids);
  const values = await stack.outputs();
  const endpoint = endpointOf(simulator, cluster["description"]);
  expect(values).toMatchObject({ ...endpoint, observed: { ...endpoint } });
  expect(values["absent"] ?? undefined).toBeUndefined();
}

/** A refresh keeps what is known, and asks nothing. */
async function expectNoRead(simulator: Simulator, stack: TestStack): Promise<void> {
  const before = await stack.export();
  expect(before.named("adopted").id).toBe(adopted);
  const { id } = endpointOf(simulator, resource["description"]);
  simulator.control.editEndpoint(id, { description: "edited", status: "Broken" });
  simulator.control.clearRequests();
  const refreshed = await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(refreshed.output).toContain("cannot read resources of the type ReversePrivateEndpoint");
  await expectNoChanges(stack);
  expect(Object.keys(requestCounts(simulator))).toEqual(["listPipes"]);
  const old = before.named("resource");
  const kept = (await stack.export()).named("resource");
  expect(kept.inputs).toEqual(old.inputs);
  expect(kept.outputs).toEqual(old.outputs);
}

async function expectRefusedReplacement(stack: TestStack): Promise<void> {
  await stack.write(programOf({ ...second, resource: { ...cluster, description: "another" } }, ["resource"]));
  const refused = await stack.preview({ expectFailure: true });
  for (const field of Object.keys(cluster))
    expect(refused.output).toMatch(new RegExp(`\\b${field} cannot be changed`));
  // A field that is no longer declared is no change.
  expect(refused.output).not.toMatch(/vpcResource\w+ cannot be changed/);
  expect(refused.output).toMatch(/replacementPolicy: "allow".*deletionPolicy/);
}

async function expectReplacements(simulator: Simulator, stack: TestStack): Promise<void> {
  const clusterId = endpointOf(simulator, cluster["description"]).id;
  const resourceId = (await stack.export()).named("resource").id ?? "";
  simulator.control.clearRequests();
  await stack.write(programOf(second, ["resource", "cluster"]));
  const { steps } = await planOf(stack);
  expect(steps).toMatchObject({ adopted: CREATE_FIRST, deleted: DELETE_FIRST, orders: ["update"] });
  expect(Object.keys(steps)).not.toContain("service");
  await stack.up();
  const sent = takeWrites(simulator);
  const through = withValue({}, "source.kafka.reversePrivateEndpointIds", [resourceId, clusterId]);
  const ofAdopted = { ...service, description: "a new one" };
  const ofDeleted = { ...cluster, description: "deleted" };
  expect(sent.map(({ body }) => body)).toEqual(expect.arrayContaining([ofAdopted, ofDeleted, through, null]));
  expect(sent.map(({ method }) => method).sort()).toEqual(["DELETE", "PATCH", "POST", "POST"]);
  const deletion = sent.findIndex(({ method }) => method === "DELETE");
  const recreation = sent.findIndex(({ body }) => (body as JsonObject | null)?.["description"] === "deleted");
  expect(recreation).toBeGreaterThan(deletion);
}

test("creates, adopts, keeps, replaces and deletes endpoints as the previews say", async () => {
  const simulator = await newSimulator({ strictReferences: true, nulls: true });
  const stack = await newStack({ simulator, program: programOf(first, ["service", "resource"]) });
  await expectPreviewOfCreates(simulator, stack);
  await expectCreates(simulator, stack);
  await expectNoRead(simulator, stack);
  await expectRefusedReplacement(stack);
  await expectReplacements(simulator, stack);
  const destroyed = await stack.destroy();
  expect(destroyed.output).toMatch(new RegExp(`Endpoint cluster deleted \\(.*\\)${retainMark}`));
  expect(takeMethods(simulator)).toEqual(["DELETE"]);
});
