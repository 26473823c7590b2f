import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { withPulumi } from "../kit/cli";
import { documentFiles, isForUsers, readDocument } from "../kit/documents";
import { install, pack } from "./tarballs";
import { creationBody, minimal } from "../kit/pipes";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { onEnd } from "../kit/cleanup";
import { documentedCalls, npxOf, runGroup } from "./npx";

const CALLS = [...documentedCalls(), "pulumi-datapipes --help", "pulumi-datapipes-simulator --help"];

/** What a call prints if all of its words arrive: npm takes flags of its own for itself. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  "--help": /^Usage: datapipes/,
  "--ui": /^# Page for browsers: /m,
  "--json": /^\{\n {2}"ok": true,/,
  "--out": /^Wrote late\/index\.ts/,
  "--mode import": /^Wrote index\.ts, import\.json/,
  "--with-credentials": /^ {2}pulumi config set --secret /m,
  "--title": /^### Production\n/,
  "-simulator": /^export DATAPIPES_SERVICE_ID=\S+$/m,
  doctor: /^✔ Node /,
  import: /^Wrote index\.ts/,
  status: /^NAME +ID /m,
  summary: /^### `pulumi preview`/,
};

const printedBy = (call: string): RegExp =>
  Object.entries(PRINTED).find(([words]) => call.includes(words))?.[1] ?? /(?!)/;

/** The tier gives them. */
declare const npmVersions: readonly string[];

let cwd: string;
let env: NodeJS.ProcessEnv;
let pipeId: string;

/** The words of a call, with values for what a reader replaces. The port of a simulator may be in use. */
function wordsOf(call: string): readonly string[] {
  const filled = call
    .replace(/<id of the pipe>/, pipeId)
    .replace(/--stack \S+/, "--stack dev")
    .replace(/ --port 8600/, "")
    .replace(/-simulator(?!.*--help)/, "$& --port 0")
    .replace(/summary$/, "$& preview.json");
  return (filled.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
}

beforeAll(async () => {
  const modules = path.join(await install((await pack()).map(({ tarball }) => tarball)), "node_modules");
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
  pipeId = pipe?.id ?? "";
  const stack = await newStack({ simulator, modules, program: "" });
  const { stdout } = await stack.preview({ json: true });
  for (const name of ["preview.json", "drift.json"]) await stack.writeFile(name, stdout);
  cwd = stack.project;
  env = await withPulumi(stack.place().env);
});

test("the documents call each command, and both packages", () => {
  const called = new Set(CALLS.map((call) => call.split(" ").slice(0, 2).join(" ")));
  for (const name of ["doctor", "import", "status", "summary"])
    expect(called).toContain(`pulumi-datapipes ${name}`);
  expect(called).toContain("pulumi-datapipes-simulator");
});

describe.each(npmVersions)("npx of npm %s", (version) => {
  let npx: string;

  beforeAll(async () => {
    npx = await npxOf(version);
  });

  test.each(CALLS)("runs `npx %s` as the documents say", async (call) => {
    const printed = printedBy(call);
    const isEndless = /--watch|-simulator(?!.*--help)/.test(call);
    const until = isEndless ? printed : undefined;
    // What another import wrote.
    for (const name of ["index.ts", "import.json", "late"])
      await rm(path.join(cwd, name), { recursive: true, force: true });
    const run = await runGroup(process.execPath, [npx, ...wordsOf(call)], { cwd, env, until });
    expect(run.stdout).toMatch(printed);
    expect(run.stderr).not.toMatch(/Unknown cli|error: /);
    const code = call.includes("--unmanaged") ? 1 : 0;
    expect(run).toMatchObject(isEndless ? { isInterrupted: true } : { code, isInterrupted: false });
  });
});

test("a documented script ends when the simulator that it waits for has ended", async () => {
  const blocks = documentFiles()
    .filter(isForUsers)
    .map(readDocument)
    .flatMap(({ blocks: own }) => own);
  const scripts = blocks.flatMap(({ code }) => /^[^]*?\bdone$/m.exec(code) ?? []);
  expect(scripts).toHaveLength(1);
  // The port of the simulator is taken, here or by another process.
  const server = createServer().on("error", () => undefined);
  onEnd(() => server.close());
  await new Promise((resolve) =>
    server.once("listening", resolve).once("error", resolve).listen(8600, "127.0.0.1"),
  );
  await writeFile(path.join(cwd, "script.sh"), `${scripts.join("")}\n`);
  const npx = path.dirname(await npxOf("11"));
  const PATH = `${path.join(npx, "../../.bin")}${path.delimiter}${env["PATH"] ?? ""}`;
  const { code } = await runGroup("sh", ["script.sh"], { cwd, env: { ...env, PATH } });
  expect(code).toBe(1);
});
