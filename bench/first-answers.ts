import { spawn } from "node:child_process";
import path from "node:path";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { call, connectTo } from "../testkit/native-plugin";
import { structOf } from "../testkit/plugin-calls";
import { callsOf } from "./bytes";
import { spreadOf, type Spread } from "./statistics";
import { linesOf, VariantStack } from "./variant-stack";
import { byVariant, VARIANT, VARIANTS, type ByVariant } from "./variants";

/** The first calls of a plugin process. */
interface FirstCalls {
  readonly configure: pb.ConfigureRequest;
  readonly check: pb.CheckRequest;
}

/** No engine listens there: no provider logs in these calls. */
const NO_ENGINE = "127.0.0.1:1";

/**
 * Measures how long a plugin process takes from its start to its first answer for a pipe, in ms. The requests are those of the engine, and
 * no engine runs beside it.
 */
export async function measureFirstAnswers(rounds: number): Promise<ByVariant<Spread | undefined>> {
  const samples = byVariant((): number[] => []);
  const started = [];
  for (const name of VARIANTS) {
    const variant = await VariantStack.start(name);
    started.push({ variant, calls: await firstCallsOf(variant) });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { variant, calls } of started) samples[variant.name].push(await firstAnswerMs(variant, calls));
  return byVariant((name) => spreadOf(samples[name]));
}

/** What the engine sends when a stack has one pipe. */
async function firstCallsOf(variant: VariantStack): Promise<FirstCalls> {
  const log = path.join(variant.stack.project, "first-calls.jsonl");
  await variant.run("up", { env: { PULUMI_DEBUG_GRPC: log } });
  const lines = await linesOf(log);
  const first = (method: string): object => {
    const [logged] = callsOf(method, lines);
    if (logged === undefined) throw new Error(`the engine has not called ${method}`);
    return logged.request;
  };
  const { args } = first("Configure") as { args: object };
  const { urn, olds, news } = first("Check") as { urn: string; olds: object; news: object };
  return {
    configure: new pb.ConfigureRequest().setArgs(structOf(args)).setName("default"),
    check: new pb.CheckRequest().setUrn(urn).setOlds(structOf(olds)).setNews(structOf(news)),
  };
}

async function firstAnswerMs(
  { name, stack }: VariantStack,
  { configure, check }: FirstCalls,
): Promise<number> {
  const launcher = await VARIANT[name].plugin.launcher();
  const begun = performance.now();
  // A group of its own, so that what the launcher starts ends with it.
  const child = spawn(launcher, [NO_ENGINE], {
    ...stack.place(),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { client } = await connectTo(child);
    await call((done) => client.configure(configure, done));
    const answer = await call<pb.CheckResponse>((done) => client.check(check, done));
    const ms = performance.now() - begun;
    client.close();
    if (answer.getInputs() === undefined || answer.getFailuresList().length > 0)
      throw new Error(`the first answer of ${name} is no checked pipe`);
    return ms;
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }
}
