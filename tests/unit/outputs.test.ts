import * as pulumi from "@pulumi/pulumi";
import { fieldsOf } from "../../provider/src/core/fields";
import type { ResourceDefinition } from "../../provider/src/core/lifecycle";
import { Pipe, ReversePrivateEndpoint, ServiceSettings } from "../../provider/src/index";
import { DEFINITIONS, type ResourceType } from "../../provider/src/resources/definitions";
import type { ResourceContext } from "../../provider/src/resources/context";
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

const resources: Readonly<Record<ResourceType, () => pulumi.CustomResource>> = {
  Pipe: () => new Pipe("pipe", { source: { kafka: {} } }),
  ReversePrivateEndpoint: () =>
    new ReversePrivateEndpoint("endpoint", { description: "to it", type: "VPC_ENDPOINT_SERVICE" }),
  ServiceSettings: () => new ServiceSettings("settings", { serviceId }),
};

test.each(Object.keys(resources) as ResourceType[])(
  "a %s has every field and every computed value as an output, and nothing else",
  (type) => {
    const outputs = Object.entries(resources[type]()).filter(
      ([name, value]) =>
        pulumi.Output.isInstance(value) && !["id", "urn"].includes(name) && !name.startsWith("__"),
    );
    expect(outputs.map(([name]) => name).sort()).toEqual(namesOf(DEFINITIONS[type](offline)).sort());
  },
);
