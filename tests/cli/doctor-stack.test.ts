import { mkdir } from "node:fs/promises";
import path from "node:path";
import { soundStack } from "../kit/doctor";
import { newSimulator, variablesOf, type Simulator } from "../kit/simulator";
import type { TestStack } from "../kit/stack";
import { diagnose, expectBad, findingOf } from "./doctor";

let simulator: Simulator;
let stack: TestStack;

beforeAll(async () => {
  simulator = await newSimulator();
  stack = await soundStack(simulator);
});

test("a stack that is not selected is a warning, and the settings come from the environment", async () => {
  const other = await soundStack(simulator);
  await other.pulumi(["stack", "unselect"]);
  const env = { ...variablesOf(simulator), PULUMI_STACK: undefined };
  expectBad(await diagnose(other, env), [
    "stack warning",
    /^No stack is selected: the settings come from the environment/,
    "pulumi stack select",
  ]);
});

test("the secret in a backend's URL is not shown", async () => {
  const PULUMI_BACKEND_URL = "azblob://c?storage_account=acct&sas_token=hunter4pw%3D";
  const diagnosis = await diagnose(stack, { PULUMI_BACKEND_URL });
  expectBad(diagnosis, ["stack failed", /cannot be read/, "pulumi stack ls"]);
  expect(diagnosis.run.output).not.toContain("hunter4pw");
});

test("a stack that the backend does not have fails", async () => {
  for (const diagnosis of [
    await diagnose(stack, {}, "--stack", "nope"),
    await diagnose(stack, { PULUMI_STACK: "nope" }),
  ])
    expectBad(diagnosis, ["stack failed", /^The stack cannot be read: .*nope/, "pulumi stack ls"]);
});

test("a wrong or missing passphrase fails and is the only bad finding", async () => {
  const other = await soundStack(simulator, { cold: true });
  const fix = /Set PULUMI_CONFIG_PASSPHRASE to the passphrase/;
  for (const PULUMI_CONFIG_PASSPHRASE of ["wrong", undefined])
    expectBad(await diagnose(other, { PULUMI_CONFIG_PASSPHRASE }), [
      "stack failed",
      /could not be read/,
      fix,
    ]);
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
