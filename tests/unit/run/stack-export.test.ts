import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { exportStack } from "../../../provider/src/run/stack-export";
import { temporaryFolder } from "../../kit/cleanup";

const { PATH } = process.env;

afterEach(() => {
  process.env["PATH"] = PATH;
});

/** Puts a `pulumi` on the PATH that fails with a message the first times it runs. Returns how often it has run. */
async function failingCli(times: number, message: string): Promise<() => Promise<number>> {
  const folder = await temporaryFolder("stack-export");
  const log = path.join(folder, "runs");
  const script = [
    "#!/bin/sh",
    `echo run >> "${log}"`,
    `if [ "$(wc -l < "${log}")" -le ${times} ]; then echo "error: ${message}" >&2; exit 255; fi`,
    'echo "{}"',
  ];
  await writeFile(path.join(folder, "pulumi"), `${script.join("\n")}\n`, { mode: 0o755 });
  process.env["PATH"] = `${folder}:${PATH ?? ""}`;
  return async () => (await readFile(log, "utf8")).trim().split("\n").length;
}

test.each(["EOF", "unexpected EOF", "unexpected end of JSON input"])(
  "reads a state again that the engine has not written whole: %s",
  async (reason) => {
    const runs = await failingCli(2, `failed to load checkpoint: ${reason}`);
    expect(await exportStack("dev")).toBe("{}\n");
    expect(await runs()).toBe(3);
  },
);

test("fails if the state stays incomplete", async () => {
  const runs = await failingCli(99, "failed to load checkpoint: EOF");
  await expect(exportStack("dev")).rejects.toThrow("failed to load checkpoint: EOF");
  expect(await runs()).toBe(6);
});

test("does not repeat another failure", async () => {
  const runs = await failingCli(99, "no stack named 'dev' found");
  await expect(exportStack("dev")).rejects.toThrow("no stack named 'dev' found");
  expect(await runs()).toBe(1);
});
