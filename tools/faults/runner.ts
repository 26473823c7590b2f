import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary, leaks } from "../../testkit/canary";
import type { Run } from "../../testkit/cli";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";
import { phases, type Operation, type Phase } from "./operation";
import { messagesOf } from "./diagnostics";
import type { Outcome, Row } from "./row";
import { Scenario, serviceIdOf } from "./scenario";
import { MAX_RETRIES, REQUEST_TIMEOUT_SECONDS, type FaultCase } from "./fault-case";

/** A run of many scenarios takes minutes on a busy machine. */
const RUN_SECONDS = 900;

const keySecret = canary("api-key-secret");

/** The program waits for all data functions and catches no error, so that the CLI shows each as a user sees it. */
const calling = `let open = 0;
const call = (answer) => { open += 1; answer.finally(() => { open -= 1; }); };
module.exports = async () => { while (open > 0) await new Promise((resolve) => setTimeout(resolve, 50)); }`;

/** What happened: a row for each operation and fault, and what was wrong with a run as a whole. */
export interface Report {
  readonly rows: readonly Row[];
  readonly complaints: readonly string[];
}

/** Runs all operations under these faults on one stack of the real engine. Numbers keep its scenarios apart from those of other stacks. */
export async function runFaults(
  faultCases: readonly FaultCase[],
  firstNumber: number,
  onRows: (rows: readonly Row[]) => void,
  chosen: readonly Phase[] = phases,
): Promise<Report> {
  const numbers = faultCases.map((_, index) => firstNumber + index);
  const account = { ...DEFAULT_ACCOUNT, apiKeySecret: keySecret, serviceIds: numbers.map(serviceIdOf) };
  const simulator = await newSimulator({ accounts: [account] });
  const config = { maxRetries: `${MAX_RETRIES}`, requestTimeoutSeconds: `${REQUEST_TIMEOUT_SECONDS}` };
  const stack = await newStack({ simulator, program: "", config });
  const scenarios = faultCases.map(
    (faultCase, index) => new Scenario(firstNumber + index, faultCase, simulator),
  );
  const runner = new ScenarioRunner(stack, simulator, scenarios);
  const rows: Row[] = [];
  for (const phase of chosen) {
    const ended = await runner.run(phase);
    rows.push(...ended);
    onRows(ended);
  }
  return { rows, complaints: runner.complaints };
}

class ScenarioRunner {
  readonly complaints: string[] = [];

  constructor(
    private readonly stack: TestStack,
    private readonly simulator: Simulator,
    private readonly scenarios: readonly Scenario[],
  ) {}

  async run(phase: Phase): Promise<readonly Row[]> {
    await this.stack.write(
      [calling, ...this.scenarios.map((scenario) => scenario.program(phase))].join(";\n"),
    );
    for (const scenario of this.scenarios) scenario.addFaults(phase.operations);
    const during = await this.runCommand(phase, `${phase.name} under faults`);
    this.simulator.control.clearFaults();
    const after = await this.runCommand(phase, `${phase.name} afterwards`);
    const { preview, corrections } = await this.previewed(phase);
    const stored = await this.stack.storedText();
    const texts = { during: during.run.output, after: after.run.output, stored };
    const deployment = await this.stack.export();
    for (const scenario of this.scenarios) scenario.deleteUnmanaged(deployment);

    return this.pairs(phase).map(([scenario, operation]) => ({
      ...{ operation, phase, scenario, faultCase: scenario.faultCase },
      during: during.outcome(scenario, operation),
      after: after.outcome(scenario, operation),
      corrections: corrections(scenario),
      previewIsEmpty: preview.code === 0 || !preview.output.includes(` ${scenario.nameOf(operation)} `),
      leaks: leaks(texts, [...scenario.secrets, keySecret]),
    }));
  }

  /** The preview after a command. A refresh may find what a service normalized: then `pulumi up` runs first, and its updates count. */
  private async previewed({ command }: Phase): Promise<{
    readonly preview: Run;
    readonly corrections: (scenario: Scenario) => number;
  }> {
    const options = { expectFailure: "either", seconds: RUN_SECONDS } as const;
    const preview = await this.stack.preview({ ...options, expectNoChanges: true });
    if (command !== "refresh" || preview.code === 0) return { preview, corrections: () => 0 };
    this.simulator.control.clearRequests();
    await this.stack.up(options);
    const updates = this.simulator.control.requests().filter(({ method }) => method !== "GET");
    return {
      preview: await this.stack.preview({ ...options, expectNoChanges: true }),
      corrections: ({ serviceId }) => updates.filter(({ path }) => path.includes(serviceId)).length,
    };
  }

  /** Runs the command, and collects what each operation did. */
  private async runCommand(
    phase: Phase,
    what: string,
  ): Promise<{ readonly run: Run; readonly outcome: (scenario: Scenario, operation: Operation) => Outcome }> {
    const options = { expectFailure: "either", seconds: RUN_SECONDS } as const;
    this.simulator.control.clearRequests();
    const run =
      phase.command === "refresh"
        ? await this.stack.refresh(options)
        : await this.stack.up({ ...options, flags: ["--continue-on-error"] });
    const deployment = await this.stack.export();
    const outcomes = new Map(
      this.pairs(phase).map(([scenario, operation]) => {
        const present = scenario.present(operation, phase.version, deployment);
        const messages = messagesFor(run.output, scenario, operation, present.existing);
        return [
          keyOf(scenario, operation),
          { ...messages, ...present, counts: scenario.counts(operation) },
        ] as const;
      }),
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
      outcome: (scenario, operation) => outcomes.get(keyOf(scenario, operation)) ?? unseen(what),
    };
  }

  private pairs({ operations }: Phase): readonly (readonly [Scenario, Operation])[] {
    return operations.flatMap((operation) =>
      this.scenarios
        .filter((scenario) => scenario.isRun(operation))
        .map((scenario) => [scenario, operation] as const),
    );
  }
}

const keyOf = (scenario: Scenario, operation: Operation): string => `${operation.title} ${scenario.number}`;

function unseen(what: string): never {
  throw new Error(`${what}: an operation did not run`);
}

/** What a run shows for one operation: the errors of its resource, or of the program, and the lines about its requests. */
function messagesFor(
  output: string,
  scenario: Scenario,
  operation: Operation,
  ids: readonly string[],
): Pick<Outcome, "failure" | "lines"> {
  const messages = messagesOf(output);
  const name = scenario.nameOf(operation);
  const parts = [scenario.serviceId, `${name}"`, ...ids];
  const ours = (text: string): boolean => parts.some((part) => text.includes(part));
  const failures = messages.filter(
    ({ isError, resource, text }) =>
      isError &&
      (operation.resource === undefined ? operation.attempt.test(text) && ours(text) : resource === name),
  );
  const others = messages.filter(({ isError }) => !isError).flatMap(({ text }) => text.split("\n"));
  return {
    failure: failures.length === 0 ? undefined : failures.map(({ text }) => text).join("\n"),
    lines: others.filter((line) => ours(line) && isAbout(operation, line)),
  };
}

/** Resources of one scenario share a service: the attempt, or the path of the request, says which resource a line is about. */
function isAbout({ resource }: Operation, text: string): boolean {
  const [, below] = /\/services\/[0-9a-f-]{36}(\/\w+)?/.exec(text) ?? [];
  if (text.startsWith("list the ")) return resource === undefined || resource === "pipe";
  if (text.includes("reverse private endpoint")) return resource === "endpoint";
  if (/^(update )?service /.test(text)) return resource === "settings";
  if (!text.includes("/services/")) return resource === "pipe";
  if (resource === "endpoint") return below === "/pipesReversePrivateEndpoints";
  if (resource === "settings") return below === undefined;
  return below === "/pipes";
}
