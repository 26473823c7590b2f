import { UNKNOWN } from "../../../provider/src/core/property-value";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { checks, failuresFor } from "../core/refusal-table";

const right = {
  name: "Shop service 2",
  ipAccessList: [{ source: "10.0.0.0/8", description: "office" }, { source: "192.0.2.7" }],
  privateEndpointIds: ["vpce-1", "vpce-2"],
  releaseChannel: "fast",
  endpoints: [
    { protocol: "mysql", enabled: true },
    { protocol: "https", enabled: false },
  ],
  transparentDataEncryptionKeyId: "key",
  exclusive: true,
  deletionPolicy: "delete",
};

const uuid = "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";
const characters = "name must consist of letters, digits and white space";
const known =
  "organizationId, serviceId, name, ipAccessList, privateEndpointIds, releaseChannel, endpoints, " +
  "transparentDataEncryptionKeyId, exclusive, deletionPolicy";

checks(serviceSettingsDefinition, right, {
  refused: [
    ["organizationId", "acme", `organizationId ${uuid}`],
    ["serviceId", "shop", `serviceId ${uuid}`],
    ["serviceId", 7, "serviceId must be a string"],
    ["name", 7, "name must be a string"],
    ["name", "x".repeat(51), "name must have at most 50 characters"],
    ["name", "shop-service", characters],
    ["name", "shop_service", characters],
    ["name", "shop.", characters],
    ["name", "-".repeat(51), "name must have at most 50 characters", characters],
    ["ipAccessList", "10.0.0.0/8", "ipAccessList must be a list"],
    ["ipAccessList.0", "10.0.0.0/8", "ipAccessList[0] must be an object"],
    ["ipAccessList.1.source", undefined, "ipAccessList[1].source is required (string)"],
    ["ipAccessList.1.source", 10, "ipAccessList[1].source must be a string"],
    ["ipAccessList.0.description", true, "ipAccessList[0].description must be a string"],
    [
      "ipAccessList.0.descripton",
      "x",
      'ipAccessList[0].descripton is not an argument; did you mean "description"?',
    ],
    [
      "ipAccessList.0.port",
      1,
      "ipAccessList[0].port is not an argument; expected one of source, description",
    ],
    [
      "ipAccessList.1",
      { source: "10.0.0.0/8", description: "office" },
      'ipAccessList[1] repeats the entry "10.0.0.0/8", "office" of element 0',
    ],
    ["ipAccessList.0", { source: "192.0.2.7" }, 'ipAccessList[1] repeats the entry "192.0.2.7" of element 0'],
    [
      "ipAccessList.1",
      { source: "10.9.9.9/8", description: " office " },
      'ipAccessList[1] repeats the entry "10.0.0.0/8", "office" of element 0',
    ],
    [
      "ipAccessList",
      [{ source: "2001:DB8::1" }, { source: "2001:db8:0::1/128", description: "" }],
      'ipAccessList[1] repeats the entry "2001:db8::1" of element 0',
    ],
    [
      "ipAccessList",
      [{}, {}],
      "ipAccessList[0].source is required (string)",
      "ipAccessList[1].source is required (string)",
    ],
    ["privateEndpointIds", "vpce-1", "privateEndpointIds must be a list"],
    ["privateEndpointIds.1", 2, "privateEndpointIds[1] must be a string"],
    ["privateEndpointIds.1", "vpce-1", 'privateEndpointIds[1] repeats the entry "vpce-1" of element 0'],
    ["releaseChannel", "beta", 'releaseChannel must be one of "slow", "default", "fast"'],
    ["releaseChannel", "Fast", 'releaseChannel must be one of "slow", "default", "fast"'],
    ["endpoints", { mysql: true }, "endpoints must be a list"],
    ["endpoints.0.enabled", undefined, "endpoints[0].enabled is required (boolean)"],
    ["endpoints.0.enabled", "true", "endpoints[0].enabled must be a boolean"],
    ["endpoints.1.protocol", undefined, "endpoints[1].protocol is required (string)"],
    ["endpoints.1.protocol", "mysql", 'endpoints[1].protocol repeats the protocol "mysql" of element 0'],
    ["endpoints.0.port", 3306, "endpoints[0].port is not an argument; expected one of protocol, enabled"],
    ["transparentDataEncryptionKeyId", 7, "transparentDataEncryptionKeyId must be a string"],
    ["exclusive", "yes", "exclusive must be a boolean"],
    ["deletionPolicy", "keep", 'deletionPolicy must be one of "retain", "delete"'],
    ["replacementPolicy", "allow", `replacementPolicy is not an argument; expected one of ${known}`],
    ["releaseChannelxyz", "fast", 'releaseChannelxyz is not an argument; did you mean "releaseChannel"?'],
    ["releaseChannelwxyz", "fast", `releaseChannelwxyz is not an argument; expected one of ${known}`],
    ["ipAccesList", [], 'ipAccesList is not an argument; did you mean "ipAccessList"?'],
    ["release_channel", "fast", 'release_channel is not an argument; did you mean "releaseChannel"?'],
  ],
  accepted: [
    ["name", "x".repeat(50)],
    ["name", "Ünïcode 服务 2"],
    ["name", undefined],
    ["name", UNKNOWN],
    ["ipAccessList", []],
    ["ipAccessList", null],
    ["ipAccessList", UNKNOWN],
    ["ipAccessList.0.source", UNKNOWN],
    ["ipAccessList.0.description", null],
    [
      "ipAccessList",
      [
        { source: "192.0.2.7", description: UNKNOWN },
        { source: "192.0.2.7", description: UNKNOWN },
      ],
    ],
    ["ipAccessList.1", { source: "10.0.0.0/8", description: "another reason" }],
    ["ipAccessList.1", { source: "10.0.0.0/8" }],
    ["ipAccessList.0.source", "anything the service takes"],
    ["privateEndpointIds.0", UNKNOWN],
    ["privateEndpointIds", []],
    ["releaseChannel", UNKNOWN],
    ["releaseChannel", null],
    ["endpoints.0.protocol", "a protocol of tomorrow"],
    ["endpoints.0.enabled", UNKNOWN],
    ["serviceId", UNKNOWN],
    ["serviceId", "0A1B2C3D-0000-4000-8000-0000000000E1"],
    ["exclusive", false],
  ],
});

test("names all failures at once", () => {
  const wrong = { ...right, name: "a-b", releaseChannel: "beta", exclusive: 1, endpoints: [{}], extra: 1 };
  expect(failuresFor(serviceSettingsDefinition, wrong)).toHaveLength(6);
});

test("accepts another service, which replaces the resource", () => {
  const olds = { ...right, serviceId: "0a1b2c3d-0000-4000-8000-0000000000e1" };
  const news = { ...right, serviceId: "0a1b2c3d-0000-4000-8000-0000000000e2" };
  expect(failuresFor(serviceSettingsDefinition, news, olds)).toEqual([]);
});
