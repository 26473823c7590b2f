import { spawnSync } from "node:child_process";
import path from "node:path";
import { canary, leaks } from "../kit/canary";
import { newSimulator, pipeNamed } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const password = canary("password");
const rotated = canary("rotated");

const orders = (wait: number, table: string, secret: string, policy = "retain"): string => `
  new datapipes.Pipe("orders", {
    source: { kafka: { brokers: "k:9092", topics: "orders", credentials: { username: "u", password: ${JSON.stringify(secret)} } } },
    destination: { database: "shop", table: ${JSON.stringify(table)}, columns: [{ name: "id", type: "UInt64" }] },
    fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
    settings: { streamingMaxInsertWaitMs: ${wait} },
    replacementPolicy: "allow",
    deletionPolicy: ${JSON.stringify(policy)},
  });
`;

function summary(json: string, ...args: readonly string[]) {
  const command = [path.resolve("provider/bin/datapipes.js"), "summary", ...args];
  const { status: code, stdout } = spawnSync(process.execPath, command, { input: json, encoding: "utf8" });
  return { code, stdout };
}

async function summaryOfPreview(stack: TestStack, ...flags: readonly string[]): Promise<string> {
  const { stdout } = await stack.preview({ json: true, expectFailure: "either", flags });
  const { code, stdout: markdown } = summary(stdout);
  expect(code).toBe(0);
  expect(leaks({ markdown }, [password, rotated])).toEqual([]);
  return markdown;
}

test("summarizes what the real CLI prints: create, update, replace, failure, drift", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program: orders(5000, "orders", password) });
  expect(await summaryOfPreview(stack)).toContain("**1 to create**.\n\n#### Create\n\n- Pipe `orders`\n");
  await stack.up();

  await stack.write(orders(6000, "orders", rotated));
  expect(await summaryOfPreview(stack, "--show-secrets")).toContain(
    "**1 to update**.\n\n#### Update\n\n- Pipe `orders`\n  - `settings.streamingMaxInsertWaitMs`: `5000` → `6000`\n  - `source.kafka.credentials`: `[secret]` (changed)\n",
  );

  await stack.write(orders(5000, "orders_2", password));
  expect(await summaryOfPreview(stack)).toContain(
    "**1 to replace**.\n\n#### Replace\n\n- Pipe `orders`\n  - `destination.table`: `orders` → `orders_2` (requires the replacement)\n  - The old resource remains, unmanaged.\n",
  );

  await stack.write(orders(5000, "orders", password).replace('"allow"', '"never"'));
  expect(await summaryOfPreview(stack)).toContain(
    '**The command failed.**\n\n#### Errors\n\n- **Pipe `orders`: `replacementPolicy must be one of "refuse", "allow", got "never"`**\n',
  );

  simulator.control.editPipe(pipeNamed(simulator, "orders").id, { name: "renamed" });
  const flags = ["refresh", "--preview-only", "--json", "--expect-no-changes"];
  const drift = await stack.pulumi(flags, { expectFailure: true });
  expect(summary(drift.stdout).stdout).toContain(
    "**1 changed elsewhere**.\n\n#### Changed elsewhere (in the stack → in the service)\n\n- Pipe `orders`\n  - `name`: `orders` → `renamed`\n",
  );
});

test("fails where the input is not the JSON of a preview", () => {
  expect(summary("pulumi: command not found\n")).toEqual({ code: 1, stdout: "" });
  expect(summary("{}", "--max-length", "many")).toEqual({ code: 2, stdout: "" });
  expect(summary("{}", "no-such-file.json")).toEqual({ code: 1, stdout: "" });
});

test("says which pipes Pulumi retains, deletes and adopts", async () => {
  const simulator = await newSimulator();
  const hostile = "##[command]b";
  const stack = await newStack({ simulator, program: orders(5000, "orders", password) });
  await stack.up();
  const { id } = pipeNamed(simulator, "orders");
  await stack.write("");
  expect(await summaryOfPreview(stack)).toContain(
    "**1 to leave unmanaged**.\n\n#### Leave unmanaged\n\n- Pipe `orders`\n",
  );
  await stack.up();

  const adopted = orders(5000, "orders", password, "delete").replace(
    '"orders", {',
    `"${hostile}", { name: "orders", adopt: "${id}",`,
  );
  await stack.write(adopted);
  const adoption = await summaryOfPreview(stack);
  expect(adoption).toContain(
    `**1 to adopt**.\n\n#### Adopt\n\n- Pipe \`# #[command]b\`\n  - takes over \`${id}\`\n`,
  );
  expect(adoption).toContain(
    `adopts the existing pipe ${id} and changes: source.kafka.credentials: [secret]`,
  );
  await stack.up();

  await stack.write("");
  expect(await summaryOfPreview(stack)).toContain(
    "**1 to delete**.\n\n#### Delete\n\n- **Pipe `# #[command]b`**\n  - `deletionPolicy`: `delete`\n",
  );
});
