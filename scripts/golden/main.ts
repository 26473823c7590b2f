import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as golden from "./states";
import { endStarted, temporaryFolder } from "../../tests/kit/cleanup";
import { version } from "../../provider/package.json";
import { repository } from "../made-files";
import { run } from "../run";

/**
 * Records in tests/golden a state of this version of the provider, the service that goes with it, the requests of a
 * change and of a destroy, and the package. The recording of a released version must not change.
 */
async function main(): Promise<number> {
  const recorded = await record();
  const target = path.join(golden.goldenFolder, version);
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  for (const [name, text] of Object.entries(recorded)) await writeFile(path.join(target, name), text);
  await packInto(path.join(target, golden.files.package));
  process.stdout.write(`${path.relative(repository, target)} written\n`);
  return 0;
}

/** Packs the provider as it is published. */
async function packInto(file: string): Promise<void> {
  const folder = await temporaryFolder("golden");
  const args = ["pack", "--silent", "--workspace", "provider", "--pack-destination", folder];
  const name = execFileSync("npm", args, { cwd: repository, encoding: "utf8" }).trim();
  await copyFile(path.join(folder, name), file);
}

async function record(): Promise<Record<string, string>> {
  const program = await readFile(path.join(__dirname, golden.files.program), "utf8");
  const data = path.join(await temporaryFolder("golden"), golden.files.service);
  const simulator = await golden.goldenSimulator(data);
  golden.seedAdopted(simulator);
  const stack = await golden.goldenStack(simulator, program);
  await stack.up();
  const { text } = await stack.export();
  const service = await readFile(data, "utf8");
  const requests: golden.GoldenRequests = {
    change: await golden.changed(stack, simulator),
    destroy: await golden.destroyed(stack, simulator),
  };
  return {
    [golden.files.program]: program,
    [golden.files.state]: golden.withoutMachine(text, simulator),
    [golden.files.service]: `${service}\n`,
    [golden.files.requests]: `${JSON.stringify(requests, null, 2)}\n`,
  };
}

run(() => main().finally(endStarted));
