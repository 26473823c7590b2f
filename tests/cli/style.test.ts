import { runDatapipes } from "../kit/cli";
import { creationBody, minimal } from "../kit/pipes";
import { temporaryFolder } from "../kit/cleanup";
import { newSimulator, variablesOf } from "../kit/simulator";

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
