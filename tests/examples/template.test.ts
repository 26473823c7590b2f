import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { runCommand, withPulumi } from "../kit/cli";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";
import { transpileOnly } from "./example";
import { answered, type Answers } from "./terminal";

const repository = path.resolve(__dirname, "../..");
const template = path.join(repository, "templates/datapipes-typescript");

const password = "kafka-password-canary";

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

/** An environment whose npm links the packages of this repository, because ours may not be published. */
async function withoutRegistry(stack: TestStack): Promise<NodeJS.ProcessEnv> {
  const bin = path.join(stack.project, "bin");
  await mkdir(bin);
  const link = `#!/bin/sh\nln -s "${path.join(repository, "node_modules")}" node_modules\n`;
  await writeFile(path.join(bin, "npm"), link, { mode: 0o755 });
  const { PULUMI_STACK: _, ...env } = await withPulumi(stack.place().env);
  return { ...env, PATH: `${bin}${path.delimiter}${env["PATH"] ?? ""}` };
}

/** Runs a step of the template's pipeline as GitHub does. The page of the run has what it shows. */
async function runStep(
  stack: TestStack,
  made: string,
  name: string,
): Promise<{ code: number; page: string }> {
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

describe("a project that `pulumi new` makes from the template", () => {
  let simulator: Simulator;
  /** A backend with a project of its own, beside which the template makes another one. */
  let stack: TestStack;
  let made: string;
  /** What the terminal showed. */
  let shown: string;

  beforeAll(async () => {
    simulator = await newSimulator();
    stack = await newStack({ program: "" });
    made = path.join(stack.project, "shop");
    const place = { cwd: stack.project, env: await withoutRegistry(stack) };
    shown = await answered(`pulumi new "${template}" --dir shop`, answersFor(simulator), place);
  });

  /** A command of the CLI in that project; its own test has checked the types. */
  const pulumi = (...args: string[]) => stack.pulumi(["--cwd", made, ...args], { env: transpileOnly });
  const setKey = (secret: string) =>
    pulumi("config", "set", "--secret", "datapipes:apiKeySecret", secret, "--stack", "dev");

  test("says what to do next, and has the name and description in its README", async () => {
    expect(shown).toContain("Your new project is ready to go!");
    expect(shown).toContain("README.md says how to change the pipe");
    expect(await readFile(path.join(made, "README.md"), "utf8")).toMatch(/^# shop\n\nLoads the shop\n/);
  });

  test("has the settings, with encrypted secrets that the terminal did not show", async () => {
    const settings = await readFile(path.join(made, "Pulumi.dev.yaml"), "utf8");
    expect(settings).toContain(`datapipes:baseUrl: ${simulator.url}`);
    for (const key of ["datapipes:apiKeySecret", "shop:kafkaPassword"])
      expect(settings).toMatch(new RegExp(`${key}:\n +secure: `));
    for (const secret of [simulator.account.apiKeySecret, password]) {
      expect(settings).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
  });

  test("passes its own tests", async () => {
    const { code, stdout } = await runCommand("npm", ["test"], { ...stack.place(), cwd: made });
    expect(code).toBe(0);
    expect(stdout).toMatch(/# fail 0|ℹ fail 0/);
  });

  test("has a pipeline that explains a wrong key, and then previews the pipe", async () => {
    await setKey("not-a-known-key");
    expect(await runStep(stack, made, "Doctor")).toEqual({
      code: 1,
      page: expect.stringMatching(/no preview.*\n\n {4}✘ .* 401.* are not swapped/) as string,
    });
    await setKey(simulator.account.apiKeySecret);
    expect(await runStep(stack, made, "Doctor")).toEqual({ code: 0, page: "" });
    const page = expect.stringContaining("orders") as string;
    expect(await runStep(stack, made, "Preview")).toEqual({ code: 0, page });
  });

  test("goes up without a change afterwards, and keeps the pipe when it is destroyed", async () => {
    await pulumi("up", "--yes", "--skip-preview");
    expect(pipeNamed(simulator, "orders").destination.table).toBe("orders");
    await pulumi("preview", "--expect-no-changes");
    takeWrites(simulator);
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(takeWrites(simulator)).toEqual([]);
  });
});
