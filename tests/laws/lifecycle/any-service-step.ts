import fc from "fast-check";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { anyFault } from "./any-fault";
import { anyRun } from "./any-run";
import type { Step } from "./life";

type Args = PropertyMap;

/** What somebody does between two runs: to the program, or behind its back. */
export type ServiceDeed =
  | { do: "declare settings"; args: Args }
  | { do: "remove settings" }
  | { do: "add by hand"; sources: string[]; endpointIds: string[] }
  | { do: "declare endpoint"; slot: string; args: Args }
  | { do: "remove endpoint"; slot: string }
  | { do: "delete endpoint by hand"; slot: string }
  | { do: "rename settings"; to: string; alias: boolean }
  | { do: "rename endpoint"; slot: string; to: string; how: "with alias" | "without alias" | "adopting" }
  | { do: "adopt endpoint"; slot: string; nth: number; args: Args };

const some = <T>(...values: T[]): fc.Arbitrary<T[]> =>
  fc.subarray(values).chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

const entries = fc
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
  );

const endpoints = some("https", "mysql", "nativesecure").chain((protocols) =>
  fc.tuple(...protocols.map((protocol) => fc.boolean().map((enabled) => ({ protocol, enabled })))),
);

const deletionPolicy = fc.constantFrom("retain", "delete");

const settings: fc.Arbitrary<Args> = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    ipAccessList: entries,
    privateEndpointIds: some("own-1", "own-2", "own-3"),
    releaseChannel: fc.constantFrom("slow", "default", "fast"),
    endpoints,
    transparentDataEncryptionKeyId: fc.constantFrom("key-1", "key-2"),
    exclusive: fc.boolean(),
    deletionPolicy,
  },
  { requiredKeys: [] },
);

const policies = fc.record(
  { deletionPolicy, replacementPolicy: fc.constantFrom("refuse", "allow") },
  { requiredKeys: [] },
);

/** Several endpoints may bear one description. */
const endpoint: fc.Arbitrary<Args> = fc
  .tuple(
    fc.constantFrom("to the cluster", "to the broker"),
    fc.constantFrom(
      { type: "VPC_ENDPOINT_SERVICE" },
      { type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "name" },
      { type: "MSK_MULTI_VPC", mskClusterArn: "arn", mskAuthentication: "SASL_IAM" },
    ),
    policies,
  )
  .map(([description, fixed, policy]) => ({ description, ...fixed, ...policy }));

const slot = fc.constantFrom("first", "second", "parent/first");
const does = <D extends ServiceDeed["do"]>(what: D) => fc.constant(what);

const deed: fc.Arbitrary<ServiceDeed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: does("declare settings"), args: settings }) },
  { weight: 1, arbitrary: fc.record({ do: does("remove settings") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does("add by hand"),
      sources: some("192.168.0.1", "192.168.0.2"),
      endpointIds: some("other-1", "other-2"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: does("declare endpoint"), slot, args: endpoint }) },
  { weight: 2, arbitrary: fc.record({ do: does("remove endpoint"), slot }) },
  { weight: 1, arbitrary: fc.record({ do: does("delete endpoint by hand"), slot }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does("rename settings"),
      to: fc.constantFrom("settings", "parent/settings"),
      alias: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: does("rename endpoint"),
      slot,
      to: slot,
      how: fc.constantFrom("with alias" as const, "without alias" as const, "adopting" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: does("adopt endpoint"), slot, nth: fc.nat(3), args: endpoint }),
  },
);

const faults = fc.array(
  anyFault("updateService", "updateService", "createReversePrivateEndpoint", "deleteReversePrivateEndpoint"),
  { maxLength: 2 },
);

/** What happens to the settings of a service and to its endpoints. */
export const anyServiceSteps: fc.Arbitrary<Step<ServiceDeed>[]> = fc.array(
  fc.record({ deeds: fc.array(deed, { minLength: 1, maxLength: 3 }), faults, run: anyRun }),
  { minLength: 1, maxLength: 6 },
);
