import type * as pulumi from "@pulumi/pulumi";
import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/state/hidden-inputs";
import { handler } from "../../provider/src/runtime";
import { minimal } from "../kit/pipes";
import { settingsOf } from "../kit/plugin";
import { connectionOf, listReads, newSimulator, type Simulator } from "../kit/simulator";
import { newPlugin, time } from "./in-process";

interface Deployed {
  readonly id: string;
  readonly outputs: object;
}

/** The calls of the engine for one pipe, in a plugin process that serves several runs. */
async function native() {
  const plugin = await newPlugin();
  return {
    startRun: async (simulator: Simulator) => {
      await plugin.attach("127.0.0.1:1");
      await plugin.configure(settingsOf(simulator));
    },
    deploy: (args: object): Promise<Deployed> => plugin.deploy(args),
    read: ({ id, outputs }: Deployed): Promise<unknown> => plugin.read(id, outputs),
    delete: ({ id, outputs }: Deployed): Promise<unknown> => plugin.delete(id, outputs),
  };
}

/** Time passes during a call only. */
const during = async <T>(call: Promise<T> | undefined): Promise<T> =>
  time.runDuring(call ?? Promise.reject(new Error("no such method")));

/** Pulumi's plugin configures the provider of each type, and keeps it. */
function dynamic(): ReturnType<typeof native> {
  const provider = handler("Pipe");
  const other = handler("ReversePrivateEndpoint");
  return Promise.resolve({
    startRun: async (simulator) => {
      const { apiKeySecret } = simulator.account;
      const values = new Map(Object.entries<unknown>({ ...connectionOf(simulator), apiKeySecret }));
      const get = (key: string) => values.get(key.replace("datapipes:", "")) as string | undefined;
      const config = { get, require: (key: string) => get(key) ?? "" };
      for (const each of [provider, other]) await each.configure?.({ config });
    },
    deploy: async (args) => {
      const checked = await provider.check?.({}, { ...args, [HIDDEN_INPUTS.key]: "Pipe::orders" });
      const created = await during<pulumi.dynamic.CreateResult<object>>(provider.create(checked?.inputs));
      return { id: created.id, outputs: created.outs ?? {} };
    },
    read: ({ id, outputs }) => during(provider.read?.(id, outputs)),
    delete: ({ id, outputs }) => during(provider.delete?.(id, outputs)),
  });
}

test.each([
  ["the native plugin", native],
  ["Pulumi's plugin for dynamic resources", dynamic],
])("%s knows nothing in a run of the runs before", async (_, start) => {
  const here = await newSimulator();
  const there = await newSimulator();
  const plugin = await start();
  await plugin.startRun(here);
  const pipe = await plugin.deploy({ ...minimal.kafka, name: "orders", deletionPolicy: "delete" });
  await plugin.read(pipe);

  await plugin.startRun(here);
  here.control.clearRequests();
  await plugin.read(pipe);
  await plugin.read(pipe);
  expect(listReads(here)).toHaveLength(1);
  await plugin.delete(pipe);
  expect(here.control.state().pipes).toEqual([]);

  await plugin.startRun(there);
  here.control.clearRequests();
  await plugin.deploy({ ...minimal.kafka, name: "orders" });
  expect(here.control.requests()).toEqual([]);
  expect(there.control.state().pipes).toHaveLength(1);
});

test("the resources and functions of a run share one list, until the run writes", async () => {
  const simulator = await newSimulator();
  const plugin = await newPlugin(simulator);
  const { id, outputs } = await plugin.deploy({ ...minimal.kafka, name: "orders" });
  await plugin.attach("127.0.0.1:1");
  await plugin.configure(settingsOf(simulator));
  simulator.control.clearRequests();
  await plugin.read(id, outputs);
  expect(await plugin.invoke("getPipes", {})).toMatchObject({ pipes: [{ id }] });
  expect(listReads(simulator)).toHaveLength(1);
  await plugin.delete(id, { ...outputs, deletionPolicy: "delete" });
  expect(await plugin.invoke("getPipes", {})).toEqual({ pipes: [] });
  expect(listReads(simulator)).toHaveLength(2);
});
