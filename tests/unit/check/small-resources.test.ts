import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { withProperty, offlineLifecycle, preview } from "../../kit/lifecycle";
import { allServiceSettings } from "../../kit/resources";
import { checks, meant, ONE_POLICY, unknown, UUID } from "./refusals";

const ID = "0a1b2c3d-0000-4000-8000-0000000000e1";
const toService = { description: "it", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "a.example" };
const toResource = {
  description: "to a resource",
  type: "VPC_RESOURCE",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:::share/1",
};
const toCluster = {
  description: "to a cluster",
  type: "MSK_MULTI_VPC",
  mskClusterArn: "arn:aws:kafka:::cluster/1",
  mskAuthentication: "SASL_IAM",
};

const required = (name: string, type: string): string => `${name} is required when type is "${type}"`;
const types = 'PATH must be one of "VPC_ENDPOINT_SERVICE", "VPC_RESOURCE", "MSK_MULTI_VPC"';

checks("an endpoint to a service", reversePrivateEndpointDefinition, toService, {
  refused: [
    ["organizationId", "acme", UUID],
    ["serviceId", "shop", UUID],
    ["description", undefined, "PATH is required (string)"],
    ["description", "x".repeat(256), "PATH must have at most 255 characters"],
    ["type", "VPC_PEERING", types],
    ["type", "vpc_resource", types],
    ["adopt", "the one", UUID],
    ["deletionPolicy", "destroy", ONE_POLICY],
    ["replacementPolicy", "yes", 'PATH must be one of "refuse", "allow"'],
    ["msk_cluster_arn", "x", meant("mskClusterArn")],
  ],
  accepted: [
    ["description", "", "x".repeat(255), UNKNOWN],
    ["type", UNKNOWN],
    ["serviceId", UNKNOWN],
    ["adopt", ID, UNKNOWN],
    ["deletionPolicy", "delete"],
    ["replacementPolicy", null],
    ["vpcEndpointServiceName", null, UNKNOWN],
  ],
});

checks("an endpoint to a resource", reversePrivateEndpointDefinition, toResource, {
  refused: [
    ["vpcResourceConfigurationId", undefined, required("PATH", "VPC_RESOURCE")],
    ["vpcResourceShareArn", null, required("PATH", "VPC_RESOURCE")],
  ],
  accepted: [
    ["vpcResourceConfigurationId", UNKNOWN],
    ["vpcResourceShareArn", UNKNOWN],
    ["mskAuthentication", null],
  ],
});

checks("an endpoint to a cluster", reversePrivateEndpointDefinition, toCluster, {
  refused: [
    ["mskClusterArn", undefined, required("PATH", "MSK_MULTI_VPC")],
    ["mskAuthentication", null, required("PATH", "MSK_MULTI_VPC")],
    ["mskAuthentication", "sasl_iam", 'PATH must be one of "SASL_IAM", "SASL_SCRAM"'],
  ],
  accepted: [
    ["mskAuthentication", "SASL_SCRAM", UNKNOWN],
    ["mskClusterArn", UNKNOWN],
    ["vpcEndpointServiceName", null],
  ],
});

/** Another value of each field than `toResource` has. */
const ofOthers = { ...toCluster, ...toService, organizationId: ID, serviceId: ID };
const ofResource = { vpcResourceConfigurationId: "rcfg-2", vpcResourceShareArn: "arn:aws:ram:::share/2" };

test.each(Object.entries({ ...ofOthers, ...ofResource }))(
  "a change of an endpoint's %s to %j is refused, unless the policy allows it",
  (path, value) => {
    const organizationId = ID.replace(/1$/, "2");
    const serviceId = ID.replace(/1$/, "3");
    const stored = { ...toResource, organizationId, serviceId };
    const inputs = withProperty(stored, path, value);
    const refusal = expect.stringMatching(new RegExp(`^${path} cannot be changed in place`)) as unknown;
    const failuresOf = (args: PropertyMap) => {
      const { lifecycle } = offlineLifecycle({}, reversePrivateEndpointDefinition);
      return preview(lifecycle, { id: ID, outputs: stored }, args).failures;
    };
    for (const policy of [{}, { deletionPolicy: "delete" }, { replacementPolicy: "refuse" }])
      expect(failuresOf({ ...inputs, ...policy })).toEqual([refusal]);
    expect(failuresOf({ ...inputs, replacementPolicy: "allow" })).toEqual([]);
    expect(failuresOf(withProperty(stored, path, UNKNOWN))).toEqual([]);
  },
);

const right = { ...allServiceSettings, name: "Shop service 2", exclusive: true, deletionPolicy: "delete" };
const characters = "PATH must consist of letters, digits and whitespace";
const channels = 'PATH must be one of "slow", "default", "fast"';
const names = Object.keys({ organizationId: 1, serviceId: 1, ...right }).join(", ");
const office = 'ipAccessList[1] repeats "10.0.0.0/8", "office" of element 0';
const twoFormats = [{ source: "2001:db8::1" }, { source: "2001:db8::1/128", description: "" }];
const sources = [0, 1].map((index) => `ipAccessList[${index}].source is required (string)`);

checks("settings of a service", serviceSettingsDefinition, right, {
  refused: [
    ["organizationId", "acme", UUID],
    ["serviceId", "shop", UUID],
    ["name", "x".repeat(51), "PATH must have at most 50 characters"],
    ["name", "shop-service", characters],
    ["name", "shop_service", characters],
    ["name", "-".repeat(51), "PATH must have at most 50 characters", characters],
    ["ipAccessList.0", "10.0.0.0/8", "PATH must be an object"],
    ["ipAccessList.0.descripton", "x", meant("description")],
    ["ipAccessList.0.port", 1, unknown("source, description")],
    ["ipAccessList.1", { source: "10.0.0.0/8", description: "office" }, office],
    ["ipAccessList.1", { source: " 10.0.0.0/8", description: " office " }, office],
    ["ipAccessList.0", { source: "192.0.2.7" }, 'ipAccessList[1] repeats "192.0.2.7" of element 0'],
    ["ipAccessList", twoFormats, 'PATH[1] repeats "2001:db8::1" of element 0'],
    ["ipAccessList", [{}, {}], ...sources],
    ["privateEndpointIds.1", 2, "PATH must be a string"],
    ["privateEndpointIds.1", "vpce-1", 'PATH repeats "vpce-1" of element 0'],
    ["releaseChannel", "beta", channels],
    ["endpoints.0.enabled", undefined, "PATH is required (boolean)"],
    ["endpoints.1.protocol", undefined, "PATH is required (string)"],
    ["endpoints.1.protocol", "mysql", 'PATH repeats "mysql" of element 0'],
    ["endpoints.0.port", 3306, unknown("protocol, enabled")],
    ["deletionPolicy", "keep", ONE_POLICY],
    ["replacementPolicy", "allow", unknown(names)],
    ["releaseChannelxyz", "fast", meant("releaseChannel")],
    ["releaseChannelwxyz", "fast", unknown(names)],
  ],
  accepted: [
    ["name", "x".repeat(50), "Ünïcode 服务 2", undefined, UNKNOWN],
    ["ipAccessList", [], null, UNKNOWN, [1, 2].map(() => ({ source: "192.0.2.7", description: UNKNOWN }))],
    ["ipAccessList.0.source", UNKNOWN, "anything the service takes"],
    ["ipAccessList.0.description", null],
    ["ipAccessList.1", { source: "10.0.0.0/8", description: "another reason" }, { source: "10.0.0.0/8" }],
    ["privateEndpointIds", []],
    ["releaseChannel", UNKNOWN, null],
    ["endpoints.0.protocol", "a protocol of tomorrow"],
    ["endpoints.0.enabled", UNKNOWN],
    ["serviceId", UNKNOWN, ID.toUpperCase()],
    ["exclusive", false],
  ],
});

test("settings may be those of another service, which replaces the resource", () => {
  const { lifecycle } = offlineLifecycle({}, serviceSettingsDefinition);
  const stored = { id: ID, outputs: { ...right, serviceId: ID } };
  const inputs = { ...right, serviceId: ID.replace(/1$/, "2") };
  expect(preview(lifecycle, stored, inputs)).toMatchObject({
    failures: [],
    difference: { replaces: ["organizationId", "serviceId"] },
  });
});
