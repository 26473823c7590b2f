import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { withPulumi } from "../kit/cli";
import { documentFiles, isForUsers, readDocument } from "../kit/documents";
import { install, pack } from "../kit/tarballs";
import { creationBody, minimal } from "../kit/pipes";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";
import { onEnd } from "../kit/cleanup";
import { documentedCalls, npxOf, runGroup } from "./npx";

/** A call through npx. npm takes flags of its own for itself, so each flag in the documents is in one of these. */
interface NpxRun {
  readonly call: string;
  readonly prints: RegExp;
  /** Null: it does not end by itself. */
  readonly code: number | null;
}

const pipeId = "0a1b2c3d-0000-4000-8000-0000000000c1";

const ends = (call: string, prints: RegExp, code = 0): NpxRun => ({ call, prints, code });
const endless = (call: string, prints: RegExp): NpxRun => ({ call, prints, code: null });

const DOCTOR_JSON = ends("pulumi-datapipes doctor --json", /^\{\n {2}"ok": true,/);
const DOCTOR_STACK = ends("pulumi-datapipes doctor --stack dev", /^✔ Node /);
const IMPORT_OUT = ends("pulumi-datapipes import --mode adopt --out late", /^Wrote late\/index\.ts/);
const IMPORT_ONE = ends(
  `pulumi-datapipes import --mode import --force --only ${pipeId}`,
  /^Wrote index\.ts, import\.json/,
);
const IMPORT_CREDENTIALS = ends(
  "pulumi-datapipes import --with-credentials --force",
  /^ {2}pulumi config set --secret /m,
);
const STATUS = ends(
  "pulumi-datapipes status --fail-on Failed,InternalError,Stopped --unmanaged",
  /^NAME +ID /m,
  1,
);
const STATUS_WATCH = endless("pulumi-datapipes status --watch 30", /^NAME +ID /m);
const SUMMARY = ends("pulumi-datapipes summary preview.json --title Production", /^### Production\n/);
// The port that the documents name may be in use.
const SIMULATOR = endless(
  "pulumi-datapipes-simulator --port 0 --state-seconds 0 --control",
  /^export DATAPIPES_SERVICE_ID=\S+$/m,
);
const SIMULATOR_UI = endless("pulumi-datapipes-simulator --port 0 --ui", /^# Page for browsers: /m);
const HELP = ends("pulumi-datapipes --help", /^Usage: datapipes/);

/** Each call in the documents, and the run that has its flags. */
const CALLS: Readonly<Record<string, NpxRun>> = {
  "pulumi-datapipes doctor": DOCTOR_STACK,
  "pulumi-datapipes doctor --json": DOCTOR_JSON,
  "pulumi-datapipes doctor --stack $STACK": DOCTOR_STACK,
  "pulumi-datapipes doctor --stack production": DOCTOR_STACK,
  "pulumi-datapipes import": IMPORT_OUT,
  "pulumi-datapipes import --mode adopt --force": IMPORT_ONE,
  "pulumi-datapipes import --mode adopt --out late": IMPORT_OUT,
  "pulumi-datapipes import --mode import": IMPORT_ONE,
  "pulumi-datapipes import --mode import --force": IMPORT_ONE,
  "pulumi-datapipes import --mode import --force --only <id of the pipe>": IMPORT_ONE,
  "pulumi-datapipes import --with-credentials --force": IMPORT_CREDENTIALS,
  "pulumi-datapipes status": STATUS,
  "pulumi-datapipes status --fail-on Failed,InternalError": STATUS,
  "pulumi-datapipes status --fail-on Failed,InternalError,Stopped --unmanaged": STATUS,
  "pulumi-datapipes status --unmanaged": STATUS,
  "pulumi-datapipes status --watch 30": STATUS_WATCH,
  "pulumi-datapipes summary": SUMMARY,
  "pulumi-datapipes summary drift.json": SUMMARY,
  "pulumi-datapipes summary preview.json": SUMMARY,
  'pulumi-datapipes summary preview.json --title "Production"': SUMMARY,
  "pulumi-datapipes-simulator": SIMULATOR,
  "pulumi-datapipes-simulator --port 8600 --state-seconds 0 --control": SIMULATOR,
  "pulumi-datapipes-simulator --ui": SIMULATOR_UI,
};

let cwd: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const modules = path.join(await install((await pack()).map(({ tarball }) => tarball)), "node_modules");
  const simulator = await newSimulator();
  simulator.control.seedPipes([{ ...creationBody("orders", minimal.kafka), id: pipeId }]);
  const stack = await newStack({ simulator, modules, program: "" });
  await stack.writeFile("preview.json", (await stack.preview({ json: true })).stdout);
  cwd = stack.project;
  env = await withPulumi(stack.place().env);
});

test("each call of the documents is in the table", () => {
  expect(documentedCalls()).toEqual(Object.keys(CALLS));
});

test("each flag in the documents is one of a run", () => {
  const flagsIn = (calls: readonly string[]): string[] => calls.join(" ").match(/--[a-z-]+/g) ?? [];
  const runs = Object.values(CALLS).map(({ call }) => call);
  expect(flagsIn(runs)).toEqual(expect.arrayContaining(flagsIn(Object.keys(CALLS))));
});

describe.each(["11", "10"])("npx of npm %s", (version) => {
  let npx: string;

  beforeAll(async () => {
    npx = await npxOf(version);
  });

  beforeEach(async () => {
    // What another import wrote.
    for (const name of ["index.ts", "import.json", "late"])
      await rm(path.join(cwd, name), { recursive: true, force: true });
  });

  test.each([...new Set(Object.values(CALLS)), HELP])("runs $call", async ({ call, prints, code }) => {
    const until = code === null ? prints : undefined;
    const run = await runGroup(process.execPath, [npx, ...call.split(" ")], { cwd, env, until });
    expect(run.stdout).toMatch(prints);
    expect(run.stderr).not.toMatch(/Unknown cli|error: (?!1 pipe that no resource)/);
    expect(run).toMatchObject(code === null ? { isInterrupted: true } : { isInterrupted: false, code });
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
