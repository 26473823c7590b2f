import { showsColors } from "../../provider/src/cli/style";
import { runDatapipes } from "../kit/cli";
import { creationBody, minimal } from "../kit/pipes";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, variablesOf } from "../kit/simulator";

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
});

test.each<[isTTY: boolean, env: Record<string, string>, expected: boolean]>([
  [true, { TERM: "xterm-256color" }, true],
  [true, { TERM: "dumb" }, false],
  [true, { TERM: "xterm-256color", NO_COLOR: "1" }, false],
  [true, { TERM: "xterm-256color", FORCE_COLOR: "0" }, false],
  [false, { TERM: "xterm-256color" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [false, { FORCE_COLOR: "0" }, false],
])("a terminal: %j, with %j, shows colours: %j", (isTTY, env, expected) => {
  process.env = env;
  expect(showsColors({ isTTY })).toBe(expected);
});

test.each(["doctor", "status"])(
  "%s has colours where they are forced, and the same text without",
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
