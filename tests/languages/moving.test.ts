import { leaks, pipeCanaries, withCanaries } from "../kit/canary";
import type { StoredResource } from "../kit/deployment";
import { accountOf, newSimulator, takeMethods, takeWrites, type Simulator } from "../kit/simulator";
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

interface Move {
  readonly simulator: Simulator;
  readonly stack: TestStack;
  /** The form of the other program. */
  readonly form: "yaml" | "sdk";
  readonly ids: Awaited<ReturnType<typeof idsOf>>;
}

/** What happens to the component; a program in YAML has none. */
const group = (form: Move["form"], op: string): string[] => (form === "yaml" ? [`${op} Group::group`] : []);

const declared = (simulator: Simulator) => Object.entries(program(simulator).resources);

/** Moves to the other form: no resource changes, and no request writes. */
async function expectMove({ simulator, stack, form, ids }: Move): Promise<void> {
  const { pipes } = simulator.control.state();
  await writeForm(stack, form, program(simulator));
  const steps = ["create datapipes::eu", ...group(form, "delete"), "delete pulumi-nodejs::eu"];
  expect(await plannedSteps(stack)).toEqual(steps);
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  expect(simulator.control.state().pipes).toEqual(pipes);
  expect(await idsOf(stack)).toEqual(ids);
  const native = { isDynamic: false, hasHandlerInInputs: false, hasHandlerInOutputs: true };
  expect(await stored(stack, withoutValues)).toEqual({
    ...Object.fromEntries(declared(simulator).map(([name]) => [name, native])),
    kafka: { ...native, protect: true },
  });
  expect(await stack.outputs()).toEqual({ found: adopted });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.preview({ expectNoChanges: true });
}

/** Moves back to dynamic resources: the plan updates each one, and no request writes. */
async function expectMoveBack({ simulator, stack, form, ids }: Move, changed: MovableProgram): Promise<void> {
  await writeForm(stack, "dynamic", changed);
  const updates = declared(simulator).map(([name, { type }]) => `update ${type}::${name}`);
  expect(await plannedSteps(stack)).toEqual(
    [...updates, ...group(form, "create"), "create pulumi-nodejs::eu", "delete datapipes::eu"].sort(),
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
    ...Object.fromEntries(declared(simulator).map(([name]) => [name, dynamic])),
    kafka: { ...dynamic, protect: true },
    storage: { ...dynamic, retainOnDelete: undefined },
  });
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
}

describe.each(["yaml", "sdk"] as const)(
  "a stack of dynamic resources whose program becomes one in %s",
  (form) => {
    test("shows no change of a resource, sends no write, keeps ids and secrets, and comes back", async () => {
      const simulator = await newService();
      const stack = await newMovableStack(simulator, "dynamic", program(simulator));
      await stack.up();
      const ids = await idsOf(stack);
      const names = declared(simulator).map(([name]) => name);
      expect(Object.keys(ids).sort()).toEqual(names.sort());
      takeWrites(simulator);
      const move = { simulator, stack, form, ids };
      await expectMove(move);

      const changed = program(simulator, { name: "renamed" });
      await writeForm(stack, form, changed);
      await stack.up();
      const body = { name: "renamed", source: { validateSamples: false } };
      const path = `/pipes/${ids["storage"] ?? ""}`;
      expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path, body }]);

      await expectMoveBack(move, changed);
      await writeForm(stack, "dynamic", program(simulator));
      await stack.up();
      expect(takeMethods(simulator)).toEqual(["PATCH"]);
      expect(leaks({ stored: await stack.storedText() }, pipeCanaries)).toEqual([]);
    });
  },
);
