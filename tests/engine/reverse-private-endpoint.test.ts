import { isNative, retainMark } from "../../testkit/adapter";
import { minimal, type JsonObject } from "../../testkit/pipes";
import { declaration, outputs } from "../../testkit/program";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

const endpoints = {
  service: {
    description: "to a service",
    type: "VPC_ENDPOINT_SERVICE",
    vpcEndpointServiceName: "com.example.vpce-svc-1",
  },
  resource: {
    description: "to a resource",
    type: "VPC_RESOURCE",
    vpcResourceConfigurationId: "rcfg-1",
    vpcResourceShareArn: "arn:aws:ram:::share/1",
  },
  cluster: {
    description: "to a cluster",
    type: "MSK_MULTI_VPC",
    mskClusterArn: "arn:aws:kafka:::cluster/1",
    mskAuthentication: "SASL_SCRAM",
  },
} satisfies Record<string, JsonObject>;

const nulls = {
  vpcEndpointServiceName: null,
  vpcResourceConfigurationId: null,
  vpcResourceShareArn: null,
  mskClusterArn: null,
  mskAuthentication: null,
  deletionPolicy: null,
};

/** Three endpoints, and a pipe that reads through the named ones. */
function withPipe(all: Record<string, JsonObject>, through: string[]): string {
  const declared = Object.entries(all).map(
    ([name, args]) => `const ${name} = ${declaration("ReversePrivateEndpoint", name, args)};\n`,
  );
  const pipe = `
    const args = ${JSON.stringify(minimal.kafka)};
    args.source.kafka.reversePrivateEndpointIds = [${through.map((name) => `${name}.id`).join(", ")}];
    new datapipes.Pipe("orders", args);\n`;
  const names = [...Object.keys(endpoints.cluster), "id", "serviceId", "endpointId", "dnsNames"];
  names.push("privateDnsNames", "status", "observed");
  const isInstance = "datapipes.ReversePrivateEndpoint.isInstance";
  return [
    ...declared,
    pipe,
    outputs(Object.fromEntries(names.map((name) => [name, `cluster.${name}`]))),
    outputs({
      absent: "cluster.vpcResourceShareArn",
      isEndpoint: `[${isInstance}(cluster), ${isInstance}({})]`,
    }),
  ].join("");
}

test("creates endpoints as declared, and a pipe uses them in the same run", async () => {
  const simulator = await newSimulator({ strictReferences: true, nulls: true });
  const withNulls = Object.fromEntries(
    Object.entries(endpoints).map(([name, args]) => [name, { ...nulls, ...args }]),
  );
  const stack = await newStack({ simulator, program: withPipe(withNulls, ["service", "resource"]) });
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toContain("5 to create");
  expect(preview.output).toContain('mskAuthentication: "SASL_SCRAM"');
  expect(simulator.control.requests()).toEqual([]);

  await stack.up();
  const posts = takeWrites(simulator);
  const made = posts.filter(({ path }) => path === "/pipesReversePrivateEndpoints");
  expect(made.map(({ body }) => body)).toEqual(expect.arrayContaining(Object.values(endpoints)));
  expect(posts).toHaveLength(4);
  const byDescription = new Map(simulator.control.state().endpoints.map((one) => [one.description, one]));
  const [service, resource, cluster] = ["service", "resource", "cluster"].map((name) =>
    byDescription.get(`to a ${name}`),
  );
  expect(pipeNamed(simulator, "orders").source.kafka?.reversePrivateEndpointIds).toEqual([
    service?.id,
    resource?.id,
  ]);
  const shown = await stack.outputs();
  expect(shown).toMatchObject({ ...cluster, observed: { ...cluster }, isEndpoint: [true, false] });
  expect(shown["absent"] ?? undefined).toBeUndefined();

  await stack.write(withPipe(endpoints, ["resource", "service"]));
  await stack.preview({ expectNoChanges: true });
  await stack.write(withPipe(endpoints, ["resource", "cluster"]));
  const changed = await stack.preview({ diff: true });
  expect(changed.output).toContain("1 to update");
  await stack.up();
  expect(takeWrites(simulator).map(({ method, body }) => [method, body])).toEqual([
    ["PATCH", { source: { kafka: { reversePrivateEndpointIds: [resource?.id, cluster?.id] } } }],
  ]);
});

test("a refresh keeps an endpoint's state, sends no request, and finds no drift", async () => {
  const program = declaration("ReversePrivateEndpoint", "endpoint", endpoints.resource);
  const { simulator, stack } = await deployed(program);
  const before = (await stack.export()).named("endpoint");
  const [endpoint] = simulator.control.state().endpoints;
  simulator.control.editEndpoint(endpoint?.id ?? "", { description: "edited", status: "Broken" });
  simulator.control.clearRequests();

  const refreshed = await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(refreshed.output).toContain("no operation that reads reverse private endpoints");
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(simulator.control.requests()).toEqual([]);
  const after = (await stack.export()).named("endpoint");
  expect([after.inputs, after.outputs]).toEqual([before.inputs, before.outputs]);

  const { output } = await stack.destroy();
  expect(output).toMatch(new RegExp(`ReversePrivateEndpoint endpoint deleted \\(.*\\)${retainMark}`));
  expect(takeWrites(simulator)).toEqual([]);
  expect(simulator.control.state().endpoints).toHaveLength(1);
});

test("adopts an endpoint without a request, as the preview says, and replaces it with a new one", async () => {
  const simulator = await newSimulator();
  const adopt = "0a1b2c3d-0000-4000-8000-0000000000aa";
  const args = { ...endpoints.service, adopt };
  const program = (more: JsonObject) =>
    declaration("ReversePrivateEndpoint", "endpoint", { ...args, ...more });
  const stack = await newStack({ simulator, program: program({}) });
  const { output } = await stack.preview();
  expect(output).toMatch(new RegExp(`${adopt}\\) is not created: the program adopts the existing endpoint`));
  await stack.up();
  expect((await stack.export()).named("endpoint").id).toBe(adopt);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.write(declaration("ReversePrivateEndpoint", "endpoint", endpoints.service));
  await stack.up();
  await stack.write(program({ description: "another", replacementPolicy: "allow" }));
  expect(simulator.control.requests()).toEqual([]);
  await stack.up();
  expect(takeWrites(simulator).map(({ method, body }) => [method, body])).toEqual([
    ["POST", { ...endpoints.service, description: "another" }],
  ]);
});

const otherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** An endpoint that differs in every field that can change. */
const another: JsonObject = {
  ...endpoints.cluster,
  description: "another",
  vpcEndpointServiceName: "com.example.vpce-svc-1",
  organizationId: otherId,
  serviceId: otherId,
};

async function plannedSteps(stack: TestStack): Promise<string[]> {
  const { stdout } = await stack.preview({ json: true, flags: ["--show-replacement-steps"] });
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  return steps.filter(({ urn }) => urn.includes("datapipes:")).map(({ op }) => op);
}

test("the preview refuses a change of any field, unless the program allows a replacement", async () => {
  const program = (args: JsonObject) => declaration("ReversePrivateEndpoint", "endpoint", args);
  const { simulator, stack } = await deployed(program(endpoints.resource));
  takeWrites(simulator);

  await stack.write(program(another));
  const refused = await stack.preview({ expectFailure: true });
  const fields = Object.keys(another);
  expect(fields).toHaveLength(7);
  for (const field of fields) expect(refused.output).toMatch(new RegExp(`\\b${field} cannot be changed`));
  // A field that is no longer declared is no change.
  expect(refused.output).not.toMatch(/vpcResource\w+ cannot be changed/);
  expect(refused.output).toMatch(/replacementPolicy: "allow".*deletionPolicy/);

  const renamed = { ...endpoints.resource, description: "another" };
  await stack.write(program({ ...renamed, replacementPolicy: "allow" }));
  expect(await plannedSteps(stack)).toEqual(["create-replacement", "replace", "delete-replaced"]);
  await stack.up();
  expect(takeWrites(simulator).map(({ method, body }) => [method, body])).toEqual([["POST", renamed]]);
  expect(simulator.control.state().endpoints).toHaveLength(2);

  const moved = { ...endpoints.cluster, deletionPolicy: "delete", replacementPolicy: "allow" };
  await stack.write(program(moved));
  expect(await plannedSteps(stack)).toEqual(["delete-replaced", "replace", "create-replacement"]);
  await stack.up();
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE", "POST"]);
  await stack.destroy();
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE"]);
});

test("the preview names all fields that an endpoint's type requires", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: "" });
  const bad: [JsonObject, RegExp[]][] = [
    [
      {
        description: "x".repeat(256),
        type: "MSK_MULTI_VPC",
        mskClusterArn: null,
        mskAuthentication: "PLAIN",
      },
      [/description must have at most 255/, /mskClusterArn is required/, /mskAuthentication must be one of/],
    ],
    [
      { description: "ok", type: "VPC_RESOURCE", vpcResourceShareArnn: "arn" },
      [
        /vpcResourceConfigurationId is required/,
        /vpcResourceShareArn is required/,
        // A generated class registers only the arguments of its schema.
        ...(isNative ? [] : [/did you mean "vpcResourceShareArn"/]),
      ],
    ],
  ];
  for (const [args, failures] of bad) {
    await stack.write(declaration("ReversePrivateEndpoint", "endpoint", args));
    const { output } = await stack.preview({ expectFailure: true });
    for (const failure of failures) expect(output).toMatch(failure);
  }
  expect(simulator.control.requests()).toEqual([]);
});
