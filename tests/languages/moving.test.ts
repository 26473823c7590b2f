import { leaks, pipeCanaries, withCanaries } from "../kit/canary";
import type { StoredResource } from "../kit/deployment";
import { accountOf, newSimulator, takeWrites, type Simulator } from "../kit/simulator";
import type { TestStack } from "../kit/stack";
import { idsOf, newMovableStack, plannedSteps, stored, writeForm, type MovableProgram } from "./moving";
import type { JsonObject } from "../kit/json";
import { complete, creationBody, minimal } from "../kit/pipes";
import { allServiceSettings } from "../kit/resources";

const adopted = "0a1b2c3d-0000-4000-8000-0000000000c1";
const otherService = "0a1b2c3d-0000-4000-8000-0000000000f3";
const account = { ...accountOf(1), serviceIds: [...accountOf(1).serviceIds, otherService] };

async function newService(): Promise<Simulator> {
  const simulator = await newSimulator({ accounts: [account] });
  simulator.control.seedPipes([{ ...creationBody("theirs", minimal.kinesis), id: adopted }]);
  return simulator;
}

const kafka = withCanaries(complete.kafka, "kafka");
const storage = withCanaries(complete.objectStorage, "objectStorage");

/** All types of resources, with policies, secrets, a component and an explicit provider. */
function program({ url }: Simulator, stateOfStorage: JsonObject = {}): MovableProgram {
  const { apiKeyId, apiKeySecret, organizationId } = account;
  return {
    eu: { baseUrl: url, apiKeyId, apiKeySecret, organizationId, serviceId: otherService, rateLimit: "off" },
    find: "theirs",
    resources: {
      kafka: { type: "Pipe", args: kafka, protect: true },
      storage: { type: "Pipe", args: { ...storage, deletionPolicy: "delete", ...stateOfStorage } },
      postgres: { type: "Pipe", args: { ...complete.postgres, deletionPolicy: "retain" }, inComponent: true },
      away: { type: "Pipe", args: minimal.kinesis, inEu: true },
      theirs: { type: "Pipe", args: { ...minimal.kinesis, adopt: adopted } },
      settings: { type: "ServiceSettings", args: allServiceSettings },
      link: {
        type: "ReversePrivateEndpoint",
        args: { description: "link", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "shop" },
      },
    },
  };
}

/** What the state says of a resource, apart from its values. */
const withoutValues = ({ type, inputs, outputs, protect, retainOnDelete }: StoredResource) => ({
  isDynamic: type.startsWith("pulumi-nodejs:dynamic/"),
  hasHandlerInInputs: inputs?.["__provider"] !== undefined,
  hasHandlerInOutputs: outputs?.["__provider"] !== undefined,
  protect,
  retainOnDelete,
});

describe.each(["yaml", "sdk"] as const)(
  "a stack of dynamic resources whose program becomes one in %s",
  (form) => {
    let simulator: Simulator;
    let stack: TestStack;
    let ids: Awaited<ReturnType<typeof idsOf>>;
    /** A program in YAML has no components. */
    const group = (op: string): string[] => (form === "yaml" ? [`${op} Group::group`] : []);
    const declared = () => Object.entries(program(simulator).resources);
    const renamed = () => program(simulator, { name: "renamed" });

    beforeAll(async () => {
      simulator = await newService();
      stack = await newMovableStack(simulator, "dynamic", program(simulator));
      await stack.up();
      ids = await idsOf(stack);
    });

    test("shows no change of a resource, sends no write, and keeps ids and values", async () => {
      takeWrites(simulator);
      const { pipes } = simulator.control.state();
      await writeForm(stack, form, program(simulator));
      const steps = ["create datapipes::eu", ...group("delete"), "delete pulumi-nodejs::eu"];
      expect(await plannedSteps(stack)).toEqual(steps);
      await stack.up();
      expect(takeWrites(simulator)).toEqual([]);
      expect(simulator.control.state().pipes).toEqual(pipes);
      expect(await idsOf(stack)).toEqual(ids);
      // A move updates no resource, so the outputs keep the handler.
      const native = { isDynamic: false, hasHandlerInInputs: false, hasHandlerInOutputs: true };
      expect(await stored(stack, withoutValues)).toEqual({
        ...Object.fromEntries(declared().map(([name]) => [name, native])),
        kafka: { ...native, protect: true },
      });
      expect(await stack.outputs()).toEqual({ found: adopted });
      await stack.refresh({ flags: ["--expect-no-changes"] });
      await stack.preview({ expectNoChanges: true });
    });

    test("sends the changed field of a pipe after the move", async () => {
      await writeForm(stack, form, renamed());
      await stack.up();
      const body = { name: "renamed", source: { validateSamples: false } };
      const path = `/pipes/${ids["storage"] ?? ""}`;
      expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path, body }]);
    });

    test("comes back with an update of each resource, without a write", async () => {
      await writeForm(stack, "dynamic", renamed());
      const updates = declared().map(([name, { type }]) => `update ${type}::${name}`);
      expect(await plannedSteps(stack)).toEqual(
        [...updates, ...group("create"), "create pulumi-nodejs::eu", "delete datapipes::eu"].sort(),
      );
      await stack.up();
      expect(takeWrites(simulator)).toEqual([]);
      expect(await idsOf(stack)).toEqual(ids);
      const dynamic = {
        isDynamic: true,
        hasHandlerInInputs: true,
        hasHandlerInOutputs: true,
        retainOnDelete: true,
      };
      expect(await stored(stack, withoutValues)).toEqual({
        ...Object.fromEntries(declared().map(([name]) => [name, dynamic])),
        kafka: { ...dynamic, protect: true },
        storage: { ...dynamic, retainOnDelete: undefined },
      });
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ flags: ["--expect-no-changes"] });
    });

    test("stores no secret in either form", async () => {
      expect(leaks({ stored: await stack.storedText() }, pipeCanaries)).toEqual([]);
    });
  },
);
