import { mkdir } from "node:fs/promises";
import path from "node:path";
import { soundStack } from "../kit/doctor";
import { newSimulator, variablesOf, type Simulator } from "../kit/simulator";
import { diagnose, expectBad, findingOf } from "./doctor";

// One for all tests of this file; each has a stack of its own.
let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

test("a stack that is not selected is a warning, and the settings come from the environment", async () => {
  const stack = await soundStack(simulator);
  await stack.pulumi(["stack", "unselect"]);
  const env = { ...variablesOf(simulator), PULUMI_STACK: undefined };
  expectBad(await diagnose(stack, env), [
    "stack warning",
    /^No stack is selected: the settings come from the environment/,
    "pulumi stack select",
  ]);
});

test("the secret in a backend's URL is not shown", async () => {
  const PULUMI_BACKEND_URL = "azblob://c?storage_account=acct&sas_token=hunter4pw%3D";
  const diagnosis = await diagnose(await soundStack(simulator), { PULUMI_BACKEND_URL });
  expectBad(diagnosis, ["stack failed", /cannot be read/, "pulumi stack ls"]);
  expect(diagnosis.run.output).not.toContain("hunter4pw");
});

test.each([
  ["an option", {}, ["--stack", "nope"]],
  ["a variable", { PULUMI_STACK: "nope" }, []],
])("a stack of %s that the backend does not have fails", async (_, env, flags) => {
  const diagnosis = await diagnose(await soundStack(simulator), env, ...flags);
  expectBad(diagnosis, ["stack failed", /^The stack cannot be read: .*nope/, "pulumi stack ls"]);
});

test.each([
  ["wrong", "wrong"],
  ["missing", undefined],
])("a %s passphrase fails, and is the only bad finding", async (_, PULUMI_CONFIG_PASSPHRASE) => {
  const stack = await soundStack(simulator);
  await stack.pulumi(["stack", "change-secrets-provider", "passphrase"]);
  const fix = /Set PULUMI_CONFIG_PASSPHRASE to the passphrase/;
  const diagnosis = await diagnose(stack, { PULUMI_CONFIG_PASSPHRASE });
  expectBad(diagnosis, ["stack failed", /could not be read/, fix]);
});

/** What the doctor finds of the package in a project with this text. */
async function packageIn(project: string) {
  const stack = await soundStack(simulator);
  await mkdir(path.join(stack.project, "program"));
  await stack.writeFile("Pulumi.yaml", `name: datapipes-test\n${project}`);
  return diagnose(stack);
}

test("the package is resolved from the folder of `main`, where Pulumi runs the plugin process", async () => {
  const diagnosis = await packageIn("runtime: nodejs\nmain: program/\n");
  expect(findingOf(diagnosis, "package")?.message).toContain("/program (");
});

test("a program in another language needs no package of npm", async () => {
  const diagnosis = await packageIn("runtime: yaml\n");
  const message = expect.stringContaining("runs on yaml") as string;
  expect(findingOf(diagnosis, "package")).toMatchObject({ status: "ok", message });
  expect(findingOf(diagnosis, "sdk")).toBeUndefined();
});
