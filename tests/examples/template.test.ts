import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import { parse } from "yaml";
import { runCommand, withPulumi, type RunPlace } from "../kit/cli";
import { PROCESS_MS } from "../kit/timeouts";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";
import { transpileOnly } from "./example";

const repository = path.resolve(__dirname, "../..");
const template = path.join(repository, "templates/datapipes-typescript");

const password = "kafka-password-canary";

/** What ends a prompt, and what a person types there. */
type Answers = Readonly<Record<string, string>>;

const COLUMNS = 200;

/** Runs a command in a terminal and answers its prompts; returns what the terminal showed. Needs the `script` of util-linux. */
async function answered(command: string, answers: Answers, { cwd, env }: RunPlace): Promise<string> {
  const { CI: _, ...others } = env;
  const sized = `stty cols ${COLUMNS} rows 1000 && ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", sized, "/dev/null"], {
    cwd,
    env: { ...others, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const terminal = new Terminal({ cols: COLUMNS, rows: 1000, allowProposedApi: true });
  // The CLI asks the terminal for its colors and its cursor.
  terminal.onData((reply) => child.stdin.write(reply));
  let shown = "";
  child.stdout.on("data", (bytes: Buffer) => {
    terminal.write(bytes);
    shown += bytes.toString();
  });
  for (const [prompt, answer] of Object.entries(answers)) {
    const deadline = Date.now() + PROCESS_MS;
    while (!shown.includes(prompt)) {
      if (Date.now() > deadline) child.kill("SIGTERM");
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${command} ended without the prompt "${prompt}":\n${shown}`);
      await wait(50);
    }
    child.stdin.write(`${answer}\r`);
  }
  const [code] = (await ended) as [number | null];
  child.stdin.destroy();
  if (code !== 0) throw new Error(`${command} ended with ${code ?? "a signal"}:\n${shown}`);
  return shown;
}

/** Each prompt of `pulumi new`, in its order. */
const answersFor = ({ url, account }: Simulator): Answers => ({
  "Project name": "shop",
  "Project description": "Loads the shop",
  "Stack name": "dev",
  "(datapipes:apiKeyId):": account.apiKeyId,
  "(datapipes:apiKeySecret):": account.apiKeySecret,
  "(datapipes:baseUrl):": url,
  "(datapipes:organizationId):": account.organizationId,
  "(datapipes:serviceId):": account.serviceIds[0] ?? "",
  "(kafkaBrokers)": "",
  "(kafkaPassword)": password,
  "(kafkaTopic)": "",
  "(kafkaUsername)": "",
});

/** A backend with a project of its own, beside which the template makes another one. */
let stack: TestStack;
let made: string;

beforeEach(async () => {
  stack = await newStack({ program: "" });
  made = path.join(stack.project, "shop");
});

/** A command of the CLI in that project; its own test has checked the types. */
const pulumi = (...args: string[]) => stack.pulumi(["--cwd", made, ...args], { env: transpileOnly });

/** An environment whose npm links the packages of this repository, because ours may not be published. */
async function withoutRegistry(): Promise<NodeJS.ProcessEnv> {
  const bin = path.join(stack.project, "bin");
  await mkdir(bin);
  const link = `#!/bin/sh\nln -s "${path.join(repository, "node_modules")}" node_modules\n`;
  await writeFile(path.join(bin, "npm"), link, { mode: 0o755 });
  const { PULUMI_STACK: _, ...env } = await withPulumi(stack.place().env);
  return { ...env, PATH: `${bin}${path.delimiter}${env["PATH"] ?? ""}` };
}

test("`pulumi new` asks for settings, encrypts the secrets, and makes a project that goes up", async () => {
  const simulator = await newSimulator();
  const place = { cwd: stack.project, env: await withoutRegistry() };
  const shown = await answered(`pulumi new "${template}" --dir shop`, answersFor(simulator), place);
  expect(shown).toContain("Your new project is ready to go!");
  expect(shown).toContain("README.md says how to change the pipe");

  expect(await readFile(path.join(made, "README.md"), "utf8")).toMatch(/^# shop\n\nLoads the shop\n/);
  const settings = await readFile(path.join(made, "Pulumi.dev.yaml"), "utf8");
  expect(settings).toContain(`datapipes:baseUrl: ${simulator.url}`);
  for (const key of ["datapipes:apiKeySecret", "shop:kafkaPassword"])
    expect(settings).toMatch(new RegExp(`${key}:\n +secure: `));
  for (const secret of [simulator.account.apiKeySecret, password]) {
    expect(settings).not.toContain(secret);
    expect(shown).not.toContain(secret);
  }

  const tested = await runCommand("npm", ["test"], { ...stack.place(), cwd: made });
  expect(tested.code).toBe(0);
  expect(tested.stdout).toMatch(/# fail 0|ℹ fail 0/);
  await expectDeployment(simulator);
});

/** Runs a step of the template's pipeline as GitHub does. The page of the run has what it shows. */
async function runStep(name: string): Promise<{ code: number; page: string }> {
  const workflow = parse(await readFile(path.join(made, ".github/workflows/pulumi.yml"), "utf8")) as Workflow;
  const script = workflow.jobs.preview.steps.find((step) => step.name === name)?.run ?? "";
  const GITHUB_STEP_SUMMARY = path.join(stack.project, "page.md");
  await writeFile(GITHUB_STEP_SUMMARY, "");
  const env = { ...stack.place().env, ...transpileOnly, FORCE_COLOR: "1", GITHUB_STEP_SUMMARY };
  const { code } = await runCommand("bash", ["-eo", "pipefail", "-c", script], { cwd: made, env });
  return { code, page: await readFile(GITHUB_STEP_SUMMARY, "utf8") };
}

interface Workflow {
  readonly jobs: { readonly preview: { readonly steps: readonly { name?: string; run?: string }[] } };
}

/** The commands of the template's pipeline, and what they do. */
async function expectDeployment(simulator: Simulator): Promise<void> {
  const setKey = (secret: string) =>
    pulumi("config", "set", "--secret", "datapipes:apiKeySecret", secret, "--stack", "dev");
  await setKey("not-a-known-key");
  expect(await runStep("Doctor")).toEqual({
    code: 1,
    page: expect.stringMatching(/no preview.*\n\n {4}✘ .* 401.* are not swapped/) as string,
  });
  await setKey(simulator.account.apiKeySecret);
  expect(await runStep("Doctor")).toEqual({ code: 0, page: "" });
  expect(await runStep("Preview")).toEqual({ code: 0, page: expect.stringContaining("orders") as string });
  await pulumi("up", "--yes", "--skip-preview");
  expect(pipeNamed(simulator, "orders").destination.table).toBe("orders");
  await pulumi("preview", "--expect-no-changes");
  takeWrites(simulator);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(takeWrites(simulator)).toEqual([]);
}
