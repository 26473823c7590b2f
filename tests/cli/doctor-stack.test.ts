import { mkdir } from "node:fs/promises";
import path from "node:path";
import { runFix, soundStack } from "../../testkit/doctor";
import { temporaryFolder } from "../../testkit/started";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { diagnose, expectBad, findingOf } from "./doctor";

let simulator: Simulator;
let stack: TestStack;
let project: string;

beforeAll(async () => {
  simulator = await newSimulator();
  stack = await soundStack(simulator);
  project = await stack.readFile("Pulumi.yaml");
});

afterEach(() => stack.writeFile("Pulumi.yaml", project));

const nameBackend = (url: string): Promise<void> =>
  stack.writeFile("Pulumi.yaml", `${project}backend:\n  url: ${url}\n`);

const UNUSABLE = /cannot use its backend/;

test("none that is selected fails with two findings until the fix has run", async () => {
  const other = await soundStack(simulator);
  await other.pulumi(["stack", "unselect"]);
  const env = { PULUMI_STACK: undefined };
  const fix = "pulumi stack select dev";
  const diagnosis = await diagnose(other, env);
  const unset = /datapipes:apiKeyId, datapipes:apiKeySecret, /;
  expectBad(diagnosis, ["stack failed", /^No stack is selected, /, fix], ["settings failed", unset, fix]);
  for (const finding of diagnosis.bad.slice(1)) await runFix(other, finding);
  expectBad(await diagnose(other, env));
});

test("a backend of the project file that the environment overrides is a warning", async () => {
  await nameBackend("https://user:backend-pass@api.example.com");
  const diagnosis = await diagnose(stack);
  const message = /names https:\/\/api\.example\.com, which is not used/;
  expectBad(diagnosis, ["backend warning", message, "unset PULUMI_BACKEND_URL"]);
  expect(diagnosis.run.output).not.toContain("backend-pass");
});

test("the secret in a backend's URL is not shown, whether the environment or the project file has it", async () => {
  const url = "azblob://c?storage_account=acct&sas_token=hunter4pw%3D";
  const own = { PULUMI_ACCESS_TOKEN: "hunter4pw", PULUMI_CONFIG_PASSPHRASE: "hunter4pw" };
  await nameBackend(url);
  for (const PULUMI_BACKEND_URL of [url, ""]) {
    const diagnosis = await diagnose(stack, { ...own, PULUMI_BACKEND_URL });
    expectBad(diagnosis, ["backend failed", UNUSABLE, /^Correct /]);
    expect(diagnosis.run.output).not.toContain("hunter4pw");
  }
});

const CORRECT = "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`.";

test.each<[what: string, variable: string, ofProject: string, fix: string]>([
  ["a missing login", "", "", "pulumi login"],
  ["a wrong backend of the environment", "gs://", "", CORRECT],
  ["a wrong backend of both", "gs://", "file://~", CORRECT],
  ["a wrong backend of the project file", "", "gs://", "Correct backend.url of Pulumi.yaml."],
  ["an unknown scheme", "nobackend://x", "", `${CORRECT} If the URL is right, run \`pulumi login\`.`],
])("%s has its own fix", async (_, variable, ofProject, fix) => {
  if (ofProject !== "") await nameBackend(ofProject);
  expectBad(await diagnose(stack, { PULUMI_BACKEND_URL: variable }), ["backend failed", UNUSABLE, fix]);
});

test.each([
  ["dve", "npx --no datapipes doctor --stack dev"],
  ["nope", "pulumi stack ls"],
])("the stack %s, which the backend does not have, fails with the fix `%s`", async (name, fix) => {
  const message = RegExp(`has no stack ${name}; it has dev\\.`);
  expectBad(await diagnose(stack, {}, "--stack", name), ["stack failed", message, fix]);
});

test("a stack of another backend fails, and the findings say which backend is used and why", async () => {
  const other = `file://${await temporaryFolder("doctor")}`;
  const diagnosis = await diagnose(stack, { PULUMI_BACKEND_URL: other });
  const message = /stack dev, which this backend does not have/;
  expectBad(diagnosis, ["stack failed", message, /pulumi login <url>/]);
  expect(findingOf(diagnosis, "backend")?.message).toBe(`The backend is ${other} (PULUMI_BACKEND_URL).`);
});

test("a wrong or missing passphrase fails and is the only bad finding", async () => {
  const other = await soundStack(simulator, { cold: true });
  const fix = /Set PULUMI_CONFIG_PASSPHRASE or/;
  for (const PULUMI_CONFIG_PASSPHRASE of ["wrong", undefined])
    expectBad(await diagnose(other, { PULUMI_CONFIG_PASSPHRASE }), [
      "stack failed",
      /could not be read/,
      fix,
    ]);
});

test("a project file that cannot be read fails", async () => {
  await stack.writeFile("Pulumi.yaml", "name: [\n");
  expect((await diagnose(stack)).bad[0]).toMatchObject({ check: "project", status: "failed" });
});

test("the package is resolved from the folder of `main`, where Pulumi runs the plugin process", async () => {
  await mkdir(path.join(stack.project, "program"));
  await stack.writeFile("Pulumi.yaml", "name: datapipes-test\nruntime: nodejs\nmain: program/\n");
  expect(findingOf(await diagnose(stack), "package")?.message).toContain("/program (");
});

test("a program in another language needs no package of npm", async () => {
  await stack.writeFile("Pulumi.yaml", "name: datapipes-test\nruntime: yaml\n");
  const diagnosis = await diagnose(stack);
  expect(findingOf(diagnosis, "package")).toMatchObject({
    status: "ok",
    message: expect.stringContaining("runs on yaml") as string,
  });
  expect(findingOf(diagnosis, "sdk")).toBeUndefined();
});
