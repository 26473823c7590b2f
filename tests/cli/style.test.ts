import { showsColors } from "../../provider/src/cli/style";
import { runDatapipes } from "../kit/cli";
import { creationBody, minimal } from "../kit/pipes";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, variablesOf } from "../kit/simulator";

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  { output: "a terminal", isTTY: true, env: { TERM: "xterm-256color" } },
  { output: "a file with FORCE_COLOR=1", isTTY: false, env: { FORCE_COLOR: "1" } },
])("$output shows colors", ({ isTTY, env }) => {
  jest.replaceProperty(process, "env", env);
  expect(showsColors({ isTTY })).toBe(true);
});

test.each([
  { output: "a dumb terminal", isTTY: true, env: { TERM: "dumb" } },
  { output: "a terminal with NO_COLOR", isTTY: true, env: { TERM: "xterm-256color", NO_COLOR: "1" } },
  { output: "a terminal with FORCE_COLOR=0", isTTY: true, env: { TERM: "xterm-256color", FORCE_COLOR: "0" } },
  { output: "a file", isTTY: false, env: { TERM: "xterm-256color" } },
  { output: "a file with FORCE_COLOR=0", isTTY: false, env: { FORCE_COLOR: "0" } },
])("$output shows no colors", ({ isTTY, env }) => {
  jest.replaceProperty(process, "env", env);
  expect(showsColors({ isTTY })).toBe(false);
});

test.each(["doctor", "status"])(
  "%s has colors where they are forced, and the same text without",
  async (command) => {
    const simulator = await newSimulator();
    simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
    const cwd = await temporaryFolder("style");
    const env = { PATH: process.env["PATH"], ...variablesOf(simulator) };
    const [forced, plain] = await Promise.all(
      [{ FORCE_COLOR: "1" }, {}].map((more) => runDatapipes([command], { cwd, env: { ...env, ...more } })),
    );
    expect(plain?.stdout).not.toContain("\u001B");
    expect(forced?.stdout).toMatch(/^\u001B\[\d+m/);
    const withoutTimes = (text = ""): string =>
      text.replaceAll(/\d+ ms/g, "").replaceAll(/\u001B\[\d+m/g, "");
    expect(withoutTimes(forced?.stdout)).toBe(withoutTimes(plain?.stdout));
  },
);
