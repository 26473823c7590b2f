import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { basic, start } from "./client";
import { onEnd } from "../kit/cleanup";

const ROOT = join(__dirname, "../../simulator");

beforeAll(() => {
  if (!existsSync(join(ROOT, "dist/main.js")))
    throw new Error("The simulator is not built: run `npm run build` first.");
});

function run(...args: string[]) {
  const command = [join(ROOT, "bin/datapipes-simulator.js"), ...args];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  onEnd(() => child.kill("SIGKILL"));
  const running = { child, output: "", errors: "", exit: new Promise((end) => child.once("close", end)) };
  child.stdout.on("data", (chunk: Buffer) => (running.output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (running.errors += chunk.toString()));
  return running;
}

async function shows(running: ReturnType<typeof run>, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(running.output);
    if (found) return found[1] ?? "";
    if (running.child.exitCode !== null) throw new Error(`It ended without showing ${pattern.source}`);
    await Promise.race([running.exit, new Promise((resolve) => running.child.stdout.once("data", resolve))]);
  }
}

test("says that it is ready and what to set, one line per request, and ends on SIGINT", async () => {
  const simulator = run("--port", "0", "--control");
  const url = await shows(simulator, /ready on (http:\/\/127\.0\.0\.1:\d+)\n/);
  const variable = (name: string) => shows(simulator, new RegExp(`^export DATAPIPES_${name}=(.*)\n`, "m"));
  expect(await variable("BASE_URL")).toBe(url);
  const path = `/v1/organizations/${await variable("ORGANIZATION_ID")}/services/${await variable("SERVICE_ID")}/pipes`;
  const authorization = basic(await variable("API_KEY_ID"), await variable("API_KEY_SECRET"));
  expect((await fetch(url + path, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${url}/control/state`)).status).toBe(200);
  await shows(simulator, new RegExp(`^GET ${path} 200 \\d+ ms$`, "m"));
  simulator.child.kill("SIGINT");
  expect(await simulator.exit).toBe(0);
  expect(simulator.errors).toBe("");
});

test("ends without an error when the reader of its output has read enough", async () => {
  const simulator = run("--port", "0", "--control");
  const url = await shows(simulator, /ready on (http:\/\/127\.0\.0\.1:\d+)\n/);
  simulator.child.stdout.destroy();
  for (let ended = false; !ended;)
    ended = await Promise.race([
      simulator.exit.then(() => true),
      fetch(`${url}/v1/organizations`).then(
        () => false,
        () => simulator.exit.then(() => true),
      ),
    ]);
  expect(await simulator.exit).toBe(0);
  expect(simulator.errors).toBe("");
});

test("prints the page's address as a comment, takes flags of the behaviour, ends on SIGTERM", async () => {
  const flags = ["--profile=sparse, omit", "--time-format=absent", "--clock-skew=-60", "--read-lag=3"];
  const simulator = run("--port", "0", "--ui", "--control", ...flags);
  const pageUrl = await shows(simulator, /^# Page for browsers: (http:\/\/127\.0\.0\.1:\d+\/ui)$/m);
  expect(await (await fetch(pageUrl)).text()).toContain("<title>Datapipes simulator</title>");
  expect(await (await fetch(pageUrl.replace("/ui", "/control/behaviour"))).json()).toEqual({
    profiles: ["sparse", "omit"],
    timeFormat: "absent",
    clockSkewSeconds: -60,
    readLagSeconds: 3,
  });
  await shows(simulator, /DATAPIPES_SERVICE_ID=.*\n/);
  simulator.child.kill("SIGTERM");
  expect(await simulator.exit).toBe(0);
  expect(simulator.output).not.toContain("GET");
});

test("wrong usage ends with 2 and says what is wrong", async () => {
  const usages = [
    "--port=http",
    "--rate-limit=fast",
    "--service-id=x",
    "--profile=quantity,fast",
    "--clock-skew=soon",
    "extra",
  ];
  const ended = usages.map(async (usage) => {
    const wrong = run(usage);
    return [usage, await wrong.exit, wrong.errors];
  });
  const says = expect.stringContaining("error:") as string;
  expect(await Promise.all(ended)).toEqual(usages.map((usage) => [usage, 2, says]));
});

test("a port that is in use ends with 1 and says so", async () => {
  const { port } = new URL((await start()).url);
  const failed = run("--port", port);
  expect(await failed.exit).toBe(1);
  expect(failed.errors).toContain(`Port ${port} of 127.0.0.1 is in use`);
});
