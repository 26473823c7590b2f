import { readFile } from "node:fs/promises";
import path from "node:path";
import { diagnose, runFix, soundStack } from "../../testkit/doctor";
import { temporaryFolder } from "../../testkit/folder";
import { newSimulator, type Simulator } from "../../testkit/simulator";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await newSimulator();
});

describe("the stack", () => {
  test("none that is selected fails with two findings until the fix has run", async () => {
    const stack = await soundStack(simulator);
    await stack.pulumi(["stack", "unselect"]);
    const env = { PULUMI_STACK: undefined };
    const { run, bad } = await diagnose(stack, { env });
    expect(run.code).toBe(1);
    expect(bad).toMatchObject([
      { check: "stack", status: "failed", fix: "pulumi stack select dev" },
      { check: "settings", status: "failed", fix: "pulumi stack select dev" },
    ]);
    expect(bad[1]?.message).toContain("datapipes:apiKeyId, datapipes:apiKeySecret, ");
    if (bad[0] !== undefined) await runFix(stack, bad[0]);
    expect((await diagnose(stack, { env })).bad).toEqual([]);
  });

  test("one of another backend fails, and the findings say which backend is used and why", async () => {
    const stack = await soundStack(simulator);
    const other = `file://${await temporaryFolder("doctor")}`;
    const { bad, findings } = await diagnose(stack, { env: { PULUMI_BACKEND_URL: other } });
    expect(findings.find(({ check }) => check === "backend")?.message).toBe(
      `The backend is ${other} (PULUMI_BACKEND_URL).`,
    );
    expect(bad).toMatchObject([{ check: "stack", status: "failed" }]);
    expect(bad[0]?.message).toContain("stack dev, which this backend does not have");
    expect(bad[0]?.fix).toContain("pulumi login <url>");
    expect((await diagnose(stack)).bad).toEqual([]);
  });

  test("a backend of the project file that the environment overrides is a warning", async () => {
    const stack = await soundStack(simulator);
    const text = await readFile(path.join(stack.project, "Pulumi.yaml"), "utf8");
    await stack.writeFile(
      "Pulumi.yaml",
      `${text}backend:\n  url: https://user:backend-pass@api.example.com\n`,
    );
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
    const stack = await soundStack(simulator);
    const own = { PULUMI_ACCESS_TOKEN: "hunter4pw", PULUMI_CONFIG_PASSPHRASE: "hunter4pw" };
    const runs = [await diagnose(stack, { env: { ...own, PULUMI_BACKEND_URL: url } })];
    const text = await readFile(path.join(stack.project, "Pulumi.yaml"), "utf8");
    await stack.writeFile("Pulumi.yaml", `${text}backend:\n  url: ${url}\n`);
    runs.push(await diagnose(stack, { env: { ...own, PULUMI_BACKEND_URL: "" } }));
    for (const { run, bad } of runs) {
      expect(bad).toMatchObject([{ check: "backend", status: "failed" }]);
      expect(run.output).not.toContain("hunter4pw");
    }
  });

  test.each<
    [what: string, env: Record<string, string | undefined>, flags: string[], check: string, fix: string]
  >([
    ["a misspelt stack", {}, ["--stack", "dve"], "stack", "npx datapipes doctor --stack dev"],
    ["an unknown stack", {}, ["--stack", "nope"], "stack", "pulumi stack ls"],
    [
      "a wrong passphrase",
      { PULUMI_CONFIG_PASSPHRASE: "wrong" },
      [],
      "stack",
      "Set PULUMI_CONFIG_PASSPHRASE or",
    ],
    [
      "a missing passphrase",
      { PULUMI_CONFIG_PASSPHRASE: undefined },
      [],
      "stack",
      "Set PULUMI_CONFIG_PASSPHRASE or",
    ],
    ["a missing login", { PULUMI_BACKEND_URL: "" }, [], "backend", "pulumi login"],
  ])("%s fails and is the only finding that is bad", async (_, env, flags, check, fix) => {
    const { run, bad } = await diagnose(await soundStack(simulator, { cold: true }), { env, flags });
    expect(run.code).toBe(1);
    expect(bad).toMatchObject([{ check, status: "failed" }]);
    expect(bad[0]?.fix).toContain(fix);
  });

  test.each<[what: string, variable: string, ofProject: string, fix: string]>([
    ["the environment", "gs://", "", "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`."],
    ["both", "gs://", "file://~", "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`."],
    ["the project file", "", "gs://", "Correct backend.url of Pulumi.yaml."],
    [
      "an unknown scheme",
      "nobackend://x",
      "",
      "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`. If the URL is right, run `pulumi login`.",
    ],
  ])("a wrong backend of %s has its own fix", async (_, variable, ofProject, fix) => {
    const stack = await soundStack(simulator);
    const text = await readFile(path.join(stack.project, "Pulumi.yaml"), "utf8");
    if (ofProject !== "") await stack.writeFile("Pulumi.yaml", `${text}backend:\n  url: ${ofProject}\n`);
    const { bad } = await diagnose(stack, { env: { PULUMI_BACKEND_URL: variable } });
    expect(bad).toMatchObject([{ check: "backend", status: "failed", fix }]);
  });

  test("a project file that cannot be read fails", async () => {
    const stack = await soundStack(simulator);
    await stack.writeFile("Pulumi.yaml", "name: [\n");
    expect((await diagnose(stack)).bad[0]).toMatchObject({ check: "project", status: "failed" });
  });
});
