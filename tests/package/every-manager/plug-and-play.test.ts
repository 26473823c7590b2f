import { diagnosisOf, noProxies } from "../../../testkit/doctor";
import { installedProject } from "../../../testkit/installed-project";
import { minimal, pipesProgram } from "../../../testkit/pipes";
import { newSimulator, pipeNamed, variablesOf } from "../../../testkit/simulator";

const program = pipesProgram({ orders: { ...minimal.kafka, name: "orders", deletionPolicy: "delete" } });

test("under Plug'n'Play a program goes up if Yarn starts Pulumi, and the doctor's fix makes Pulumi work without", async () => {
  const simulator = await newSimulator();
  const stack = await installedProject({ manager: "yarn-pnp", form: "JavaScript, CommonJS", program });
  const env = { ...noProxies, ...variablesOf(simulator) };
  const yarn = (line: string) => stack.shell("yarn-pnp", line, { env, expectFailure: "either" });
  const preview = () => stack.preview({ env, expectFailure: "either" });

  expect((await preview()).output).toContain("the Pulumi SDK has not been installed");
  const up = await yarn("yarn exec pulumi up --yes --skip-preview");
  expect(up.output).toContain("+ 2 created");
  expect(pipeNamed(simulator, "orders").state).toBe("Running");

  const { ok, bad } = diagnosisOf(await yarn("yarn datapipes doctor --json"));
  expect(ok).toBe(true);
  expect(bad).toMatchObject([{ check: "package", status: "warning" }]);
  expect(bad[0]?.message).toContain("only if Yarn starts it, as in `yarn exec pulumi up`");

  expect((await yarn(bad[0]?.fix ?? "")).code).toBe(0);
  expect((await preview()).output).toContain("2 unchanged");
  expect(diagnosisOf(await yarn("yarn datapipes doctor --json")).bad).toEqual([]);
});
