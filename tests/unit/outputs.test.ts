import * as pulumi from "@pulumi/pulumi";
import { fieldsOf } from "../../provider/src/core/fields";
import type { ResourceDefinition } from "../../provider/src/core/lifecycle";
import { Pipe, ReversePrivateEndpoint, ServiceSettings } from "../../provider/src/index";
import type { ResourceContext } from "../../provider/src/resources/context";
import { pipeDefinition } from "../../provider/src/resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "../../provider/src/resources/reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "../../provider/src/resources/service-settings/definition";
import { recordLines } from "../../testkit/lines";

const serviceId = "0a1b2c3d-0000-4000-8000-000000000002";

const offline: ResourceContext = {
  ...recordLines(),
  client: () => {
    throw new Error("no request belongs here");
  },
  clock: { now: () => 0, sleep: () => Promise.resolve() },
};

const namesOf = ({ schema, secretNames, computed }: ResourceDefinition): string[] => [
  ...fieldsOf(schema, secretNames).map((field) => field.name),
  ...computed,
  "observed",
];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: () => ({}),
  }),
);

test.each<[type: string, resource: () => pulumi.CustomResource, definition: ResourceDefinition]>([
  ["Pipe", () => new Pipe("pipe", { source: { kafka: {} } }), pipeDefinition(offline)],
  [
    "ReversePrivateEndpoint",
    () => new ReversePrivateEndpoint("endpoint", { description: "to it", type: "VPC_ENDPOINT_SERVICE" }),
    reversePrivateEndpointDefinition(offline),
  ],
  [
    "ServiceSettings",
    () => new ServiceSettings("settings", { serviceId }),
    serviceSettingsDefinition(offline),
  ],
])(
  "every field and every computed value of a %s is an output of it, and nothing else",
  (_, make, definition) => {
    const resource = make();
    const outputs = Object.entries(resource)
      .filter(
        ([name, value]) =>
          pulumi.Output.isInstance(value) && !["id", "urn"].includes(name) && !name.startsWith("__"),
      )
      .map(([name]) => name);
    expect(outputs.sort()).toEqual(namesOf(definition).sort());
  },
);
