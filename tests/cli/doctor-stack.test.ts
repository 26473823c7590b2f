import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { runFix, soundStack } from "../../testkit/doctor";
import { temporaryFolder } from "../../testkit/folder";
import { newSimulator, type Simulator } from "../../testkit/simulator";
import type { TestStack } from "../../testkit/stack";
import { diagnose, findingOf } from "./doctor";

let simulator: Simulator;
let stack: TestStack;
let project: string;

beforeAll(async () => {
  simulator = await newSimulator();
  stack = await soundStack(simulator);
  project = await readFile(path.join(stack.project, "Pulumi.yaml"), "utf8");
});

afterEach(() => stack.writeFile("Pulumi.yaml", project));

/** Makes the project file name a backend. */
const nameBackend = (url: string): Promise<void> =>
  stack.writeFile("Pulumi.yaml", `${project}backend:\n  url: ${url}\n`);

test("none that is selected fails with two findings until the fix has run", async () => {
  const other = await soundStack(simulator);
  await other.pulumi(["stack", "unselect"]);
  const env = { PULUMI_STACK: undefined };
  const { run, bad } = await diagnose(other, { env });
  expect(run.code).toBe(1);
  expect(bad).toMatchObject([
    { check: "stack", status: "failed", fix: "pulumi stack select dev" },
    { check: "settings", status: "failed", fix: "pulumi stack select dev" },
  ]);
  expect(bad[1]?.message).toContain("datapipes:apiKeyId, datapipes:apiKeySecret, ");
  if (bad[0] !== undefined) await runFix(other, bad[0]);
  expect((await diagnose(other, { env })).bad).toEqual([]);
});

test("one of another backend fails, and the findings say which backend is used and why", async () => {
  const other = `file://${await temporaryFolder("doctor")}`;
  const diagnosis = await diagnose(stack, { env: { PULUMI_BACKEND_URL: other } });
  expect(findingOf(diagnosis, "backend")?.message).toBe(`The backend is ${other} (PULUMI_BACKEND_URL).`);
  const { bad } = diagnosis;
  expect(bad).toMatchObject([{ check: "stack", status: "failed" }]);
  expect(bad[0]?.message).toContain("stack dev, which this backend does not have");
  expect(bad[0]?.fix).toContain("pulumi login <url>");
});

test("a backend of the project file that the environment overrides is a warning", async () => {
  await nameBackend("https://user:backend-pass@api.example.com");
  const { run, bad } = await diagnose(stack);
  expect(bad).toMatchObject([{ check: "backend", status: "warning", fix: "unset PULUMI_BACKEND_URL" }]);
  expect(bad[0]?.message).toContain("names https://api.example.com, which is not used");
  expect(run.output).not.toContain("backend-pass");
});

test.each([
  "postgres://db.invalid/x?user=u&password=hunter4pw",
  "azblob://c?storage_account=acct&sas_token=hunter4pw%3D",
  "s3://bk?region=us-east-1&secretKey=hunter4pw",
  "nobackend://user:hunter4pw@host:port",
])("the secret in %s is not shown, whether the environment or the project file has it", async (url) => {
  const own = { PULUMI_ACCESS_TOKEN: "hunter4pw", PULUMI_CONFIG_PASSPHRASE: "hunter4pw" };
  const runs = [await diagnose(stack, { env: { ...own, PULUMI_BACKEND_URL: url } })];
  await nameBackend(url);
  runs.push(await diagnose(stack, { env: { ...own, PULUMI_BACKEND_URL: "" } }));
  for (const { run, bad } of runs) {
    expect(bad).toMatchObject([{ check: "backend", status: "failed" }]);
    expect(run.output).not.toContain("hunter4pw");
  }
});

type Row = [what: string, env: Record<string, string>, flags: string[], check: string, fix: string];

test.each<Row>([
  ["a misspelt stack", {}, ["--stack", "dve"], "stack", "npx datapipes doctor --stack dev"],
  ["an unknown stack", {}, ["--stack", "nope"], "stack", "pulumi stack ls"],
  ["a missing login", { PULUMI_BACKEND_URL: "" }, [], "backend", "pulumi login"],
])("%s fails and is the only finding that is bad", async (_, env, flags, check, fix) => {
  const { run, bad } = await diagnose(stack, { env, flags });
  expect(run.code).toBe(1);
  expect(bad).toMatchObject([{ check, status: "failed", fix }]);
});

test("a wrong or missing passphrase fails and is the only finding that is bad", async () => {
  const other = await soundStack(simulator, { cold: true });
  for (const PULUMI_CONFIG_PASSPHRASE of ["wrong", undefined]) {
    const { run, bad } = await diagnose(other, { env: { PULUMI_CONFIG_PASSPHRASE } });
    expect(run.code).toBe(1);
    expect(bad).toMatchObject([{ check: "stack", status: "failed" }]);
    expect(bad[0]?.fix).toContain("Set PULUMI_CONFIG_PASSPHRASE or");
  }
});

const CORRECT = "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`.";

test.each<[what: string, variable: string, ofProject: string, fix: string]>([
  ["the environment", "gs://", "", CORRECT],
  ["both", "gs://", "file://~", CORRECT],
  ["the project file", "", "gs://", "Correct backend.url of Pulumi.yaml."],
  ["an unknown scheme", "nobackend://x", "", `${CORRECT} If the URL is right, run \`pulumi login\`.`],
])("a wrong backend of %s has its own fix", async (_, variable, ofProject, fix) => {
  if (ofProject !== "") await nameBackend(ofProject);
  const { bad } = await diagnose(stack, { env: { PULUMI_BACKEND_URL: variable } });
  expect(bad).toMatchObject([{ check: "backend", status: "failed", fix }]);
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
