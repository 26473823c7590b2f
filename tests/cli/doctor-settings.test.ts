import { canary, leaks } from "../kit/canary";
import { runFix, soundStack } from "../kit/doctor";
import { accountOf, newSimulator, type Simulator } from "../kit/simulator";
import { diagnose, expectBad, findingOf } from "./doctor";

const secret = canary("key-secret");
const account = { ...accountOf(1), apiKeyId: "key-id-1234", apiKeySecret: secret };
const otherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

let simulator: Simulator;

beforeAll(async () => {
  // One for all tests of this file: `endStarted` runs after the last of them.
  simulator = await newSimulator({ accounts: [account] });
});

test("a key secret in plain text is a warning until its fix, which names the stack, has run", async () => {
  const other = await soundStack(simulator);
  await other.setConfig({ apiKeySecret: secret });
  const plain = ["datapipes:apiKeySecret warning", /plain text/] as const;
  const diagnosis = await diagnose(other);
  expectBad(diagnosis, [...plain, "pulumi config set --secret datapipes:apiKeySecret"]);
  expect(leaks({ output: diagnosis.run.output }, [secret])).toEqual([]);
  await other.pulumi(["stack", "init", "second"]);
  const asked = await diagnose(other, { PULUMI_STACK: "second" }, "--stack", "dev");
  expectBad(asked, [...plain, "pulumi config set --stack dev --secret datapipes:apiKeySecret"]);
  for (const finding of diagnosis.bad) await runFix(other, finding, secret);
  expectBad(await diagnose(other));
});

test("the permission for plain http is warned of where the API's address uses it", async () => {
  const config = { baseUrl: "http://nowhere.invalid", allowInsecure: "true" };
  const { bad } = await diagnose(await soundStack(simulator, { config }));
  expect(bad[0]).toMatchObject({ check: "datapipes:allowInsecure", status: "warning" });
  expect(bad[0]?.fix).toBe("pulumi config set datapipes:baseUrl <value>");
});

test("a key that is no setting is a warning with the nearest one, until its fix has run", async () => {
  const other = await soundStack(simulator);
  await other.setConfig({ maxretries: "2" });
  const diagnosis = await diagnose(other, {}, "--stack", "dev");
  const message = "datapipes:maxretries is not a setting; did you mean datapipes:maxRetries?";
  const fix = "pulumi config rm --stack dev datapipes:maxretries";
  expectBad(diagnosis, ["datapipes:maxretries warning", message, fix]);
  for (const finding of diagnosis.bad) await runFix(other, finding);
  expectBad(await diagnose(other));
});

test("a variable of the environment that the stack hides is named", async () => {
  const diagnosis = await diagnose(await soundStack(simulator), { DATAPIPES_SERVICE_ID: otherId });
  expect(findingOf(diagnosis, "datapipes:serviceId")?.message).toContain(
    "(stack dev; DATAPIPES_SERVICE_ID has another value, which is not used)",
  );
});

test("the fix of a wrong setting in the stack sets it there, although a variable has one, too", async () => {
  const stack = await soundStack(simulator, { config: { serviceId: "abc" } });
  const diagnosis = await diagnose(stack, { DATAPIPES_SERVICE_ID: otherId });
  const fix = "pulumi config set datapipes:serviceId <value>";
  expect(findingOf(diagnosis, "datapipes:serviceId")?.fix).toBe(fix);
});
