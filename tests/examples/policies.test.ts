import { chmod } from "node:fs/promises";
import path from "node:path";
import type { TestStack } from "../kit/stack";
import { destroy, stackOf, transpileOnly } from "./example";

const role = "arn:aws:iam::000000000000:role/reader";

test("policies finds each violation, and deploys a program without any", async () => {
  const { simulator, stack } = await stackOf("policies", { config: { "policies:role": role }, cold: true });
  const flags = ["--policy-pack", await packOf(stack)];
  await stack.setConfig({
    "policies:deletionPolicy": "delete",
    "policies:files": "http://clicks.example.com/today.json",
    baseUrl: "http://service.example.com",
    allowInsecure: "true",
  });
  await stack.pulumi(["config", "set", "--path", "policies:offices[0]", "0.0.0.0/0"]);
  const { output } = await stack.preview({ flags, expectFailure: true, env: transpileOnly });
  for (const violation of [
    "no-open-access  (pulumi-nodejs:dynamic/datapipes:ServiceSettings: shop)",
    "keep-pipes  (pulumi-nodejs:dynamic/datapipes:Pipe: clicks)",
    "no-plain-http  (pulumi-nodejs:dynamic/datapipes:Pipe: clicks)",
    "no-plain-http  (pulumi:providers:pulumi-nodejs: default",
  ])
    expect(output).toContain(`[mandatory]  ${violation}`);

  await stack.setConfig({
    "policies:deletionPolicy": "retain",
    "policies:files": "https://clicks.example.com/today.json",
    baseUrl: simulator.url,
    allowInsecure: "false",
  });
  await stack.removeConfig("policies:offices");
  await stack.up({ flags });
  await destroy(stack);
});

/**
 * The pack as this CLI can start it. A user names its folder. A CLI that was built from source has a language host that cannot run
 * packs, but every CLI runs an executable file as a pack; this one starts the pack as a language host does.
 */
async function packOf(stack: TestStack): Promise<string> {
  const { code, output } = await stack.preview({
    flags: ["--policy-pack", "pack"],
    expectFailure: "either",
    env: transpileOnly,
  });
  if (code === 0) return "pack";
  expect(output).toContain("not supported");
  const file = path.join("pack", "run-pack");
  const run = 'require("@pulumi/pulumi/cmd/run-policy-pack")';
  await stack.writeFile(file, `#!/bin/sh\ncd "$(dirname "$0")"\nexec node --eval '${run}' pack "$1" .\n`);
  await chmod(path.join(stack.project, file), 0o755);
  return path.join(stack.project, file);
}
