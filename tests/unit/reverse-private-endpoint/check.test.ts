import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { edited } from "../../../testkit/offline";
import { checks, failuresFor, type Case } from "../core/refusal-table";

const service = {
  description: "to a service",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.example.vpce-svc-1",
};
const resource = {
  description: "to a resource",
  type: "VPC_RESOURCE",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:::share/1",
};
const cluster = {
  description: "to a cluster",
  type: "MSK_MULTI_VPC",
  mskClusterArn: "arn:aws:kafka:::cluster/1",
  mskAuthentication: "SASL_IAM",
};

const types = 'type must be one of "VPC_ENDPOINT_SERVICE", "VPC_RESOURCE", "MSK_MULTI_VPC"';
const logins = 'mskAuthentication must be one of "SASL_IAM", "SASL_SCRAM"';
const forResource = 'is required when type is "VPC_RESOURCE"';
const forCluster = 'is required when type is "MSK_MULTI_VPC"';
const uuid = "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";

/** What is refused and accepted for endpoints of all types. */
const refused: Case[] = [
  ["organizationId", "acme", `organizationId ${uuid}`],
  ["serviceId", "shop", `serviceId ${uuid}`],
  ["description", undefined, "description is required (string)"],
  ["description", 5, "description must be a string"],
  ["description", "x".repeat(256), "description must have at most 255 characters"],
  ["type", "VPC_PEERING", types],
  ["type", "vpc_resource", types],
  ["type", 5, types],
  ["adopt", "the one", `adopt ${uuid}`],
  ["deletionPolicy", "destroy", 'deletionPolicy must be one of "retain", "delete"'],
  ["replacementPolicy", "yes", 'replacementPolicy must be one of "refuse", "allow"'],
  ["descripton", "x", 'descripton is not an argument; did you mean "description"?'],
  ["msk_cluster_arn", "x", 'msk_cluster_arn is not an argument; did you mean "mskClusterArn"?'],
];
const accepted: [string, PropertyValue][] = [
  ["description", ""],
  ["description", "x".repeat(255)],
  ["description", UNKNOWN],
  ["type", UNKNOWN],
  ["serviceId", UNKNOWN],
  ["adopt", "0a1b2c3d-0000-4000-8000-0000000000e1"],
  ["adopt", UNKNOWN],
  ["deletionPolicy", "delete"],
  ["replacementPolicy", null],
];

describe("an endpoint to a service", () => {
  checks(reversePrivateEndpointDefinition, service, {
    refused: [...refused, ["vpcEndpointServiceName", 5, "vpcEndpointServiceName must be a string"]],
    accepted: [...accepted, ["vpcEndpointServiceName", null], ["vpcEndpointServiceName", UNKNOWN]],
  });

  test("becomes one of another type only with what that type needs", () => {
    expect(failuresFor(reversePrivateEndpointDefinition, edited(service, "type", "VPC_RESOURCE"))).toEqual([
      `vpcResourceConfigurationId ${forResource}`,
      `vpcResourceShareArn ${forResource}`,
    ]);
    expect(failuresFor(reversePrivateEndpointDefinition, edited(service, "type", "MSK_MULTI_VPC"))).toEqual([
      `mskClusterArn ${forCluster}`,
      `mskAuthentication ${forCluster}`,
    ]);
  });
});

describe("an endpoint to a resource", () => {
  checks(reversePrivateEndpointDefinition, resource, {
    refused: [
      ["vpcResourceConfigurationId", undefined, `vpcResourceConfigurationId ${forResource}`],
      ["vpcResourceConfigurationId", null, `vpcResourceConfigurationId ${forResource}`],
      ["vpcResourceShareArn", null, `vpcResourceShareArn ${forResource}`],
      ["vpcResourceShareArn", 5, "vpcResourceShareArn must be a string"],
    ],
    accepted: [
      ["vpcResourceConfigurationId", UNKNOWN],
      ["vpcResourceShareArn", UNKNOWN],
      ["mskAuthentication", null],
    ],
  });
});

describe("an endpoint to a cluster", () => {
  checks(reversePrivateEndpointDefinition, cluster, {
    refused: [
      ["mskClusterArn", undefined, `mskClusterArn ${forCluster}`],
      ["mskClusterArn", ["arn"], "mskClusterArn must be a string"],
      ["mskAuthentication", null, `mskAuthentication ${forCluster}`],
      ["mskAuthentication", "PLAIN", logins],
      ["mskAuthentication", "sasl_iam", logins],
    ],
    accepted: [
      ["mskAuthentication", "SASL_SCRAM"],
      ["mskAuthentication", UNKNOWN],
      ["mskClusterArn", UNKNOWN],
      ["vpcEndpointServiceName", null],
    ],
  });
});

test("names all failures at once", () => {
  const wrong = {
    type: "MSK_MULTI_VPC",
    description: 5,
    mskAuthentication: "PLAIN",
    serviceId: "x",
    typo: 1,
  };
  expect(failuresFor(reversePrivateEndpointDefinition, wrong)).toHaveLength(5);
});

const replacements: [string, PropertyValue][] = [
  ["organizationId", "0a1b2c3d-0000-4000-8000-0000000000e1"],
  ["serviceId", "0a1b2c3d-0000-4000-8000-0000000000e1"],
  ["description", "another"],
  ["type", "VPC_ENDPOINT_SERVICE"],
  ["vpcEndpointServiceName", "com.example.other"],
  ["vpcResourceConfigurationId", "rcfg-2"],
  ["vpcResourceShareArn", "arn:aws:ram:::share/2"],
  ["mskClusterArn", "arn:aws:kafka:::cluster/2"],
  ["mskAuthentication", "SASL_IAM"],
];

test.each(replacements)("a change of %s to %j is refused, unless the policy allows it", (path, value) => {
  const olds = { ...resource, organizationId: "11111111-1111-4111-8111-111111111111" };
  const stored = { ...olds, serviceId: "22222222-2222-4222-8222-222222222222" };
  const news = edited(stored, path, value);
  const failuresWith = (policy: PropertyMap): readonly string[] =>
    failuresFor(reversePrivateEndpointDefinition, { ...news, ...policy }, stored);
  for (const policy of [{}, { deletionPolicy: "delete" }, { replacementPolicy: "refuse" }])
    expect(failuresWith(policy)).toEqual([
      expect.stringMatching(new RegExp(`^${path} cannot be changed in place`)),
    ]);
  expect(failuresWith({ replacementPolicy: "allow" })).toEqual([]);
  expect(failuresFor(reversePrivateEndpointDefinition, edited(stored, path, UNKNOWN), stored)).toEqual([]);
});
