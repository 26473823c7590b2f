import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../../tests/support/canary";
import type { Run } from "../../tests/support/cli";
import { newSimulator, type Simulator } from "../../tests/support/simulator";
import { newStack, type TestStack } from "../../tests/support/stack";
import { phases, type Act, type Phase } from "./act";
import { messagesOf } from "./diagnostics";
import type { Outcome, Row } from "./row";
import { Scene, serviceIdOf } from "./scene";
import { MAX_RETRIES, REQUEST_TIMEOUT_SECONDS, type Trouble } from "./trouble";

const keySecret = canary("api-key-secret");

/** The program waits for all answers, and catches no error: each is shown as a user sees it. */
const asking = `let open = 0;
const ask = (answer) => { open += 1; answer.finally(() => { open -= 1; }); };
module.exports = async () => { while (open > 0) await new Promise((resolve) => setTimeout(resolve, 50)); }`;

/** What was seen: a row for each act and trouble, and what was wrong with a run as a whole. */
export interface Play {
  readonly rows: readonly Row[];
  readonly complaints: readonly string[];
}

/** Plays all acts under these troubles, on one stack of the real engine. Numbers tell its scenes from those of others. */
export async function play(
  troubles: readonly Trouble[],
  firstNumber: number,
  report: (rows: readonly Row[]) => void,
  chosen: readonly Phase[] = phases,
): Promise<Play> {
  const numbers = troubles.map((_, index) => firstNumber + index);
  const account = { ...DEFAULT_ACCOUNT, apiKeySecret: keySecret, serviceIds: numbers.map(serviceIdOf) };
  const simulator = await newSimulator({ accounts: [account] });
  const config = { maxRetries: `${MAX_RETRIES}`, requestTimeoutSeconds: `${REQUEST_TIMEOUT_SECONDS}` };
  const stack = await newStack({ simulator, program: "", config });
  const scenes = troubles.map((trouble, index) => new Scene(firstNumber + index, trouble, simulator));
  const stage = new Stage(stack, simulator, scenes);
  const rows: Row[] = [];
  for (const phase of chosen) {
    const played = await stage.play(phase);
    rows.push(...played);
    report(played);
  }
  return { rows, complaints: stage.complaints };
}

class Stage {
  readonly complaints: string[] = [];

  constructor(
    private readonly stack: TestStack,
    private readonly simulator: Simulator,
    private readonly scenes: readonly Scene[],
  ) {}

  async play(phase: Phase): Promise<readonly Row[]> {
    await this.stack.write([asking, ...this.scenes.map((scene) => scene.program(phase))].join(";\n"));
    for (const scene of this.scenes) scene.arm(phase.acts);
    const during = await this.run(phase, `${phase.name} under faults`);
    this.simulator.control.clearFaults();
    const after = await this.run(phase, `${phase.name} afterwards`);
    const preview = await this.stack.preview({ expectNoChanges: true, expectFailure: "either" });
    const stored = await this.stack.storedText();
    const texts = { during: during.run.output, after: after.run.output, stored };
    const deployment = await this.stack.export();
    for (const scene of this.scenes) scene.tidy(deployment);

    return this.played(phase).map(([scene, act]) => ({
      ...{ act, phase, scene, trouble: scene.trouble },
      during: during.outcome(scene, act),
      after: after.outcome(scene, act),
      settled: preview.code === 0 || !preview.output.includes(` ${scene.nameOf(act)} `),
      leaks: leaks(texts, [...scene.secrets, keySecret]),
    }));
  }

  /** Runs the command, and sees for each act what it did. */
  private async run(
    phase: Phase,
    what: string,
  ): Promise<{ readonly run: Run; readonly outcome: (scene: Scene, act: Act) => Outcome }> {
    const options = { expectFailure: "either" } as const;
    this.simulator.control.clearRequests();
    const run =
      phase.command === "refresh"
        ? await this.stack.refresh(options)
        : await this.stack.up({ ...options, flags: ["--continue-on-error"] });
    const deployment = await this.stack.export();
    const outcomes = new Map(
      this.played(phase).map(([scene, act]) => [
        keyOf(scene, act),
        {
          ...spokenOf(run.output, scene, act),
          ...scene.present(act, phase.version, deployment),
          counts: scene.counts(act),
        },
      ]),
    );
    const failed = [...outcomes.values()].some(({ failure }) => failure !== undefined);
    if (failed !== (run.code !== 0)) {
      this.complaints.push(`${what}: exit code ${run.code}, while ${failed ? "an" : "no"} operation failed`);
    }
    if (/AxiosError|^\s+at .+:\d+:\d+/m.test(run.output)) {
      this.complaints.push(`${what}: the output shows the stack of an error:\n${run.output}`);
    }
    return {
      run,
      outcome: (scene, act) => outcomes.get(keyOf(scene, act)) ?? unseen(what),
    };
  }

  private played({ acts }: Phase): readonly (readonly [Scene, Act])[] {
    return acts.flatMap((act) =>
      this.scenes.filter((scene) => scene.isPlayed(act)).map((scene) => [scene, act] as const),
    );
  }
}

const keyOf = (scene: Scene, act: Act): string => `${act.title} ${scene.number}`;

function unseen(what: string): never {
  throw new Error(`${what}: an act was not played`);
}

/** What a run says of one act: the errors of its resource, or of the program, and the lines about its requests. */
function spokenOf(output: string, scene: Scene, act: Act): Pick<Outcome, "failure" | "told"> {
  const messages = messagesOf(output);
  const name = scene.nameOf(act);
  const ours = (text: string): boolean => text.includes(scene.serviceId) || text.includes(`${name}"`);
  const failures = messages.filter(
    ({ isError, resource, text }) =>
      isError && (act.resource === undefined ? act.attempt.test(text) && ours(text) : resource === name),
  );
  const lines = messages.filter(({ isError }) => !isError).flatMap(({ text }) => text.split("\n"));
  return {
    failure: failures.length === 0 ? undefined : failures.map(({ text }) => text).join("\n"),
    told: lines.filter((line) => ours(line) && isAbout(act, line)),
  };
}

/** Resources of one scene share a service: what was attempted, or the path of the request, tells of which a line speaks. */
function isAbout({ resource }: Act, text: string): boolean {
  const [, below] = /\/services\/[0-9a-f-]{36}(\/\w+)?/.exec(text) ?? [];
  if (text.startsWith("list the ")) return resource === undefined || resource === "pipe";
  if (text.includes("reverse private endpoint")) return resource === "endpoint";
  if (text.startsWith("update service ")) return resource === "settings";
  if (!text.includes("/services/")) return resource === "pipe";
  if (resource === "endpoint") return below === "/pipesReversePrivateEndpoints";
  if (resource === "settings") return below === undefined;
  return below === "/pipes";
}
