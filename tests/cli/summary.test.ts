import { canary, leaks } from "../kit/canary";
import { intoTable } from "../kit/pipes";
import { tokenOf } from "../kit/program";
import { pluginFolder } from "../kit/sdk";
import { newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";
import { summary } from "../kit/summary";

/** The summary of a preview, which shows none of the secrets. */
async function summaryOfPreview(
  stack: TestStack,
  secrets: readonly string[],
  ...flags: readonly string[]
): Promise<string> {
  const { stdout } = await stack.preview({ json: true, expectFailure: "either", flags });
  const { code, stdout: markdown } = summary(stdout);
  expect(code).toBe(0);
  expect(leaks({ markdown }, secrets)).toEqual([]);
  return markdown;
}

const password = canary("password");
const rotated = canary("rotated");

interface Declared {
  readonly table?: string;
  readonly secret?: string;
  readonly wait?: number;
  readonly policy?: string;
}

const orders = ({ table = "orders", secret = password, wait = 5000, policy = "allow" }: Declared = {}) => `
  new datapipes.Pipe("orders", {
    source: { kafka: { brokers: "k:9092", topics: "orders", credentials: { username: "u", password: ${JSON.stringify(secret)} } } },
    destination: { database: "shop", table: "${table}", columns: [{ name: "id", type: "UInt64" }] },
    fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
    settings: { streamingMaxInsertWaitMs: ${wait} },
    replacementPolicy: "${policy}",
  });
`;

let simulator: Simulator;
let stack: TestStack;

beforeAll(async () => {
  simulator = await newSimulator();
  stack = await newStack({ simulator, program: orders() });
  await stack.up();
});

test("the summary of an update shows old and new values, and hides secrets", async () => {
  await stack.write(orders({ wait: 6000, secret: rotated }));
  expect(await summaryOfPreview(stack, [password, rotated], "--show-secrets")).toContain(
    "**1 to update**.\n\n#### Update\n\n- Pipe `orders`\n  - `settings.streamingMaxInsertWaitMs`: `5000` → `6000`\n  - `source.kafka.credentials`: `[secret]` (changed)\n",
  );
});

test("the summary of a replacement names the field that requires it", async () => {
  await stack.write(orders({ table: "orders_2" }));
  expect(await summaryOfPreview(stack, [password])).toContain(
    "**1 to replace**.\n\n#### Replace\n\n- Pipe `orders`\n  - `destination.table`: `orders` → `orders_2` (requires the replacement)\n  - The old resource remains, unmanaged.\n",
  );
});

test("the summary names what is deleted and what is left unmanaged, in both forms", async () => {
  const args = (name: string): string => JSON.stringify({ ...intoTable(name), name }).slice(1, -1);
  const native = `pulumi.CustomResource("${tokenOf("Pipe", "native")}",`;
  const program = `
    new datapipes.Pipe("dynamic-kept", { ${args("a")}, deletionPolicy: "retain" });
    new datapipes.Pipe("dynamic-deleted", { ${args("b")}, deletionPolicy: "delete" });
    new ${native} "native-kept", { ${args("c")}, deletionPolicy: "retain" });
    new ${native} "native-deleted", { ${args("d")}, deletionPolicy: "delete" });
  `;
  const both = await newStack({ simulator: await newSimulator(), path: [pluginFolder], program });
  await both.up();
  await both.write("");
  const sections = (await summaryOfPreview(both, [])).split(/^#### /m);
  const namesIn = (heading: string) =>
    sections.find((section) => section.startsWith(`${heading}\n`))?.match(/(dynamic|native)-\w+/g);
  expect(namesIn("Delete")?.sort()).toEqual(["dynamic-deleted", "native-deleted"]);
  expect(namesIn("Leave unmanaged")?.sort()).toEqual(["dynamic-kept", "native-kept"]);
});

test("the summary of a failed preview shows the error", async () => {
  await stack.write(orders({ policy: "never" }));
  expect(await summaryOfPreview(stack, [password])).toContain(
    '**The command failed.**\n\n#### Errors\n\n- **Pipe `orders`: `replacementPolicy must be one of "refuse", "allow", got "never"`**\n',
  );
});

test("the summary of a refresh shows what was changed elsewhere", async () => {
  await stack.write(orders());
  simulator.control.editPipe(pipeNamed(simulator, "orders").id, { name: "renamed" });
  const flags = ["refresh", "--preview-only", "--json", "--expect-no-changes"];
  const drift = await stack.pulumi(flags, { expectFailure: true });
  expect(summary(drift.stdout).stdout).toContain(
    "**1 changed elsewhere**.\n\n#### Changed elsewhere (in the stack → in the service)\n\n- Pipe `orders`\n  - `name`: `orders` → `renamed`\n",
  );
});

test.each([
  {
    code: 1,
    what: "text that is no JSON",
    input: "pulumi: command not found\n",
    args: [],
    error: "The input is not complete JSON.",
  },
  { code: 2, what: "an unknown option", input: "{}", args: ["--titel"], error: "unknown option '--titel'" },
  {
    code: 1,
    what: "a file that does not exist",
    input: "{}",
    args: ["none.json"],
    error: "The preview could not be read: ENOENT",
  },
])("exits with $code for $what", ({ input, args, code, error }) => {
  const { stderr, ...result } = summary(input, ...args);
  expect(result).toEqual({ code, stdout: "" });
  expect(stderr).toContain(error);
});
