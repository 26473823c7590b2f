import fc from "fast-check";
import type { PropertyMap } from "../../../provider/src/core/property-value";
import { anyFault } from "./any-fault";
import { anyRun } from "./any-run";
import type { Step } from "./steps";

type Args = PropertyMap;

/** An action between two runs: an edit of the program, or a change that another client makes. */
export type ServiceAction =
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
const constant = <D extends ServiceAction["do"]>(what: D) => fc.constant(what);

const action: fc.Arbitrary<ServiceAction> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: constant("declare settings"), args: settings }) },
  { weight: 1, arbitrary: fc.record({ do: constant("remove settings") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: constant("add by hand"),
      sources: some("192.168.0.1", "192.168.0.2"),
      endpointIds: some("other-1", "other-2"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: constant("declare endpoint"), slot, args: endpoint }) },
  { weight: 2, arbitrary: fc.record({ do: constant("remove endpoint"), slot }) },
  { weight: 1, arbitrary: fc.record({ do: constant("delete endpoint by hand"), slot }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: constant("rename settings"),
      to: fc.constantFrom("settings", "parent/settings"),
      alias: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: constant("rename endpoint"),
      slot,
      to: slot,
      how: fc.constantFrom("with alias" as const, "without alias" as const, "adopting" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: constant("adopt endpoint"), slot, nth: fc.nat(3), args: endpoint }),
  },
);

const faults = fc.array(
  anyFault("updateService", "updateService", "createReversePrivateEndpoint", "deleteReversePrivateEndpoint"),
  { maxLength: 2 },
);

/** Steps for the settings of a service and its endpoints. */
export const anyServiceSteps: fc.Arbitrary<Step<ServiceAction>[]> = fc.array(
  fc.record({ actions: fc.array(action, { minLength: 1, maxLength: 3 }), faults, run: anyRun }),
  { minLength: 1, maxLength: 6 },
);
