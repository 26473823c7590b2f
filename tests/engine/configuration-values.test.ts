import { canary, leaks } from "../../testkit/canary";
import { minimal, pipesProgram } from "../../testkit/pipes";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const program = pipesProgram({ orders: minimal.kafka, other: minimal.kinesis });
/** The output from the diagnostics on: the display shows each line once more during the run. */
const diagnosticsOf = (output: string): string => output.slice(output.lastIndexOf("Diagnostics:"));
const oneLine = (text: string): string => text.replace(/\s+/g, " ");

test("a preview names a wrong value once, without the secret", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  const secret = canary("key-secret");
  await stack.removeConfig("apiKeySecret");
  for (const [value, defect] of [
    [`${secret}\n`, "ends with a line break"],
    [`${secret}\n${secret}`, "contains a line break"],
    [`${secret}\u0007${secret}`, "contains a control character"],
  ]) {
    stack.env["DATAPIPES_API_KEY_SECRET"] = value ?? "";
    const { output } = await stack.preview({ expectFailure: true });
    expect(oneLine(output)).toContain(
      `datapipes:apiKeySecret cannot be used: it ${defect}. Set it with \`pulumi config set --secret datapipes:apiKeySecret\` ` +
        "or as DATAPIPES_API_KEY_SECRET in the environment.",
    );
    expect(diagnosticsOf(output).match(/pulumi config set/g)).toHaveLength(1);
    expect(leaks({ output }, [secret])).toEqual([]);
  }
  expect(simulator.control.requests()).toEqual([]);
});

test("an address with a slash or with /v1 at its end works, and one that holds a password is refused without it", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  await stack.setConfig({ baseUrl: `${simulator.url}/v1` });
  await stack.up();
  expect(takeWrites(simulator).map(({ path }) => path)).toEqual(["/pipes", "/pipes"]);
  await stack.setConfig({ baseUrl: `${simulator.url}/v1/` });
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });

  const password = canary("url-password");
  await stack.setConfig({ baseUrl: simulator.url.replace("//", `//user:${password}@`) });
  const { output } = await stack.preview({ expectFailure: true });
  expect(oneLine(output)).toContain("which contains a user name; expected an https URL without user");
});

test("allowInsecure causes one warning at every run, also at a preview that sends nothing", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  await stack.setConfig({ allowInsecure: "true" });
  const warnings = (output: string): number =>
    diagnosticsOf(output).match(/warning: datapipes:allowInsecure/g)?.length ?? 0;
  expect(warnings((await stack.preview()).output)).toBe(1);
  await stack.setConfig({ baseUrl: "http://api.example.com" });
  expect((await stack.preview()).output).toContain("http://api.example.com uses plain http");
});
