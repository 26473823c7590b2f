// Runs in a process of its own: prints the bytes, or the CPU in ms, of one call about an unchanged pipe.
import { Session } from "node:inspector/promises";
import type * as pulumi from "@pulumi/pulumi";
import { handler } from "../provider/dist/runtime";
import { withoutSecretMark } from "../provider/src/lifecycle/engine-values";
import { endStarted } from "../testkit/started";
import { connectionOf, newSimulator, type Simulator } from "../testkit/simulator";
import type { UnchangedCall } from "./allocations";
import { pipeArguments } from "./programs/pipes";

const PIPES = 400;
const SAMPLED_BYTES = 512;

type Provider = Required<pulumi.dynamic.ResourceProvider<object, object>>;
/** A pipe of a stack, with values of its own as they come off the wire. */
interface StackedPipe {
  readonly id: string;
  readonly state: object;
  readonly inputs: object;
}

/** Prints the mean of one method over many pipes. */
export async function probe(method: UnchangedCall, measure: "bytes" | "cpuMs"): Promise<void> {
  const simulator = await newSimulator();
  const provider = handler("Pipe") as Provider;
  await startRun(provider, simulator);
  const [first, ...pipes] = await stackOf(provider, simulator);
  await startRun(provider, simulator);
  const call = ({ id, state, inputs }: StackedPipe): Promise<unknown> =>
    method === "check"
      ? provider.check(inputs, { ...inputs })
      : method === "diff"
        ? provider.diff(id, state, inputs)
        : provider.read(id, state);
  // The first read loads the client and the list.
  if (first !== undefined) await call(first);
  const calls = async (): Promise<void> => {
    for (const pipe of pipes) await call(pipe);
  };
  const total = measure === "bytes" ? await bytesOf(calls) : await cpuMsOf(calls);
  process.stdout.write(JSON.stringify(total / pipes.length));
  await endStarted();
}

function startRun(provider: Provider, simulator: Simulator): Promise<void> {
  const { apiKeySecret } = simulator.account;
  const settings: Readonly<Record<string, string>> = { ...connectionOf(simulator), apiKeySecret };
  const get = (key: string): string | undefined => settings[key.replace("datapipes:", "")];
  return provider.configure({ config: { get } as pulumi.dynamic.Config });
}

/** The pipes after their first refresh. */
async function stackOf(provider: Provider, { account }: Simulator): Promise<readonly StackedPipe[]> {
  const shape = { pipes: PIPES, iamRole: "role", serviceIds: account.serviceIds.slice(0, 1) };
  const pipes: StackedPipe[] = [];
  for (let index = 0; index < PIPES; index += 1) {
    const password = `password-${index}`;
    const { source, ...rest } = pipeArguments(shape, index);
    const kafka = { ...source.kafka, credentials: { username: "loader", password } };
    const scope = { organizationId: account.organizationId };
    const inputs = { ...rest, ...scope, source: { kafka }, __key: `Pipe::pipe-${index}`, __provider: "" };
    const { id, outs } = await provider.create(inputs);
    pipes.push({ id, state: offTheWire({ ...outs, __provider: "" }), inputs: offTheWire(inputs) });
  }
  const refreshed = pipes.map(async (pipe) => {
    const { props } = await provider.read(pipe.id, pipe.state);
    return { ...pipe, state: offTheWire({ ...props, __provider: "" }) };
  });
  return Promise.all(refreshed);
}

/** Plain values: the engine marks no secret for a provider that does not accept marks. */
const offTheWire = (properties: object): object =>
  JSON.parse(JSON.stringify(properties, (_, value: unknown) => withoutSecretMark(value))) as object;

async function bytesOf(work: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await work();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  const sizeOf = ({ selfSize, children }: typeof profile.head): number =>
    children.reduce((sum, child) => sum + sizeOf(child), selfSize);
  return sizeOf(profile.head);
}

async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
