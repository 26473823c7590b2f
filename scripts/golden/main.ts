import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as golden from "../../tests/kit/golden";
import { version } from "../../provider/package.json";
import { runWithOption } from "../run";
import { endStarted } from "../../tests/kit/started";

const usage = `usage: npm run golden [-- --again]

Records in tests/golden a state of this version of the provider, the service that goes with it, the requests of a
change and of a destroy, and the package. --again overwrites the recording of this version.
`;

const target = path.join(golden.goldenFolder, version);

async function main(isAgain: boolean): Promise<number> {
  if (existsSync(target) && !isAgain) {
    process.stderr.write(`A recording of ${version} exists. Once released, it must not change.\n${usage}`);
    return 1;
  }
  const recorded = await record();
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  for (const [name, text] of Object.entries(recorded)) await writeFile(path.join(target, name), text);
  await packInto(path.join(target, golden.files.package));
  process.stdout.write(`${path.relative(process.cwd(), target)} written\n`);
  return 0;
}

/** Packs the provider as it is published. */
async function packInto(file: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-golden-"));
  const args = ["pack", "--silent", "--workspace", "provider", "--pack-destination", folder];
  const name = execFileSync("npm", args, { cwd: path.resolve(__dirname, "../.."), encoding: "utf8" }).trim();
  await copyFile(path.join(folder, name), file);
  await rm(folder, { recursive: true });
}

async function record(): Promise<Record<string, string>> {
  const program = await readFile(path.join(__dirname, golden.files.program), "utf8");
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-golden-"));
  const data = path.join(folder, golden.files.service);
  try {
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
  } finally {
    await endStarted();
    await rm(folder, { recursive: true, force: true });
  }
}

runWithOption("--again", usage, main);
