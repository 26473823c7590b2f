import fc from "fast-check";
import type { Generated } from "../any-pipe";
import { anyFault } from "./any-fault";
import { anyRenaming, stepsOf, weighted } from "./steps";

const some = <T>(...values: T[]): fc.Arbitrary<T[]> =>
  fc.subarray(values).chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

const deletionPolicy = fc.constantFrom("retain", "delete");

export const anySettings = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    ipAccessList: fc
      .tuple(
        some("10.0.0.1", "10.0.0.2", "10.0.0.3"),
        fc.constantFrom("", "", "/32"),
        fc.constantFrom(undefined, "", "office", " office", "home"),
      )
      .map(([sources, length, description]) =>
        sources.map((source) => ({
          source: `${source}${length}`,
          ...(description !== undefined && { description }),
        })),
      ),
    privateEndpointIds: some("own-1", "own-2", "own-3"),
    releaseChannel: fc.constantFrom("slow", "default", "fast"),
    endpoints: some("https", "mysql", "nativesecure").chain((protocols) =>
      fc.tuple(...protocols.map((protocol) => fc.boolean().map((enabled) => ({ protocol, enabled })))),
    ),
    transparentDataEncryptionKeyId: fc.constantFrom("key-1", "key-2"),
    exclusive: fc.boolean(),
    deletionPolicy,
  },
  { requiredKeys: [] },
);

/** Any endpoint. Several endpoints may bear one description. */
export const anyEndpoint = fc
  .tuple(
    fc.constantFrom("to the cluster", "to the broker"),
    fc.constantFrom(
      { type: "VPC_ENDPOINT_SERVICE" },
      { type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "name" },
      { type: "VPC_RESOURCE", vpcResourceConfigurationId: "rcfg-1", vpcResourceShareArn: "arn" },
      { type: "MSK_MULTI_VPC", mskClusterArn: "arn", mskAuthentication: "SASL_IAM" },
    ),
    fc.record(
      { deletionPolicy, replacementPolicy: fc.constantFrom("refuse", "allow") },
      { requiredKeys: [] },
    ),
  )
  .map(([description, fixed, policy]) => ({ description, ...fixed, ...policy }));

const slot = fc.constantFrom("first", "second", "parent/first");

/** An action between two runs: an edit of the program, or a change that another client makes. */
const anyAction = fc.oneof(
  weighted(6, "declare settings", { args: anySettings }),
  weighted(1, "remove settings", {}),
  weighted(3, "add by hand", {
    sources: some("192.168.0.1", "192.168.0.2"),
    endpointIds: some("other-1", "other-2"),
  }),
  weighted(4, "declare endpoint", { slot, args: anyEndpoint }),
  weighted(2, "remove endpoint", { slot }),
  weighted(1, "delete endpoint by hand", { slot }),
  weighted(3, "rename settings", {
    to: fc.constantFrom("settings", "parent/settings"),
    how: fc.constantFrom(...(["with alias", "without alias"] as const)),
  }),
  weighted(2, "rename endpoint", { slot, to: slot, how: anyRenaming }),
  weighted(2, "adopt endpoint", { slot, nth: fc.nat(3), args: anyEndpoint }),
);

export type ServiceAction = Generated<typeof anyAction>;

export const anyServiceSteps = stepsOf(
  anyAction,
  anyFault(
    ...(["updateService", "updateService"] as const),
    ...(["createReversePrivateEndpoint", "deleteReversePrivateEndpoint"] as const),
  ),
);
