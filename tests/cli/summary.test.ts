import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { canary, leaks } from "../../testkit/canary";
import { newSimulator, pipeNamed } from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";

const [password, rotated] = [canary("password"), canary("rotated")];

interface Values {
  wait: number;
  table: string;
  password: string;
}

const orders = ({ wait, table, password: secret }: Values): string => `
  new datapipes.Pipe("orders", {
    source: { kafka: { brokers: "k:9092", topics: "orders", credentials: { username: "u", password: ${JSON.stringify(secret)} } } },
    destination: { database: "shop", table: ${JSON.stringify(table)}, columns: [{ name: "id", type: "UInt64" }] },
    fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
    settings: { streamingMaxInsertWaitMs: ${wait} },
    replacementPolicy: "allow",
  });
`;
const clicks = (name: string, deletionPolicy: string): string => `
  new datapipes.Pipe(${JSON.stringify(name)}, {
    source: { kinesis: { streamName: "clicks", region: "r", iamRole: "reader" } },
    destination: { table: "clicks", columns: [{ name: "id", type: "UInt64" }] },
    fieldMappings: [{ sourceField: "$.id", destinationField: "id" }],
    deletionPolicy: ${JSON.stringify(deletionPolicy)},
  });
`;

async function summary(
  json: string,
  ...args: readonly string[]
): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [path.resolve("provider/bin/datapipes.js"), "summary", ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(json);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { stdout: await text(child.stdout), code: await closed };
}

const summaryOfPreview = async (stack: TestStack, ...flags: readonly string[]): Promise<string> => {
  const { stdout } = await stack.preview({ json: true, expectFailure: "either", flags });
  const { code, stdout: markdown } = await summary(stdout);
  expect(code).toBe(0);
  expect(leaks({ markdown }, [password, rotated])).toEqual([]);
  return markdown;
};

test("summarizes what the real CLI prints: create, update, replace, delete, retain, drift, failure", async () => {
  const simulator = await newSimulator();
  const before = { wait: 5000, table: "orders", password };
  const stack = await newStack({
    simulator,
    program: orders(before) + clicks("kept", "retain") + clicks("<b>`x`</b>", "delete"),
  });
  expect(await summaryOfPreview(stack)).toContain(
    "**3 to create**.\n\n#### Create\n\n- Pipe ``<b>`x`</b>``\n  - reads from `kinesis`, loads into `clicks`\n- Pipe `kept`\n  - reads from `kinesis`, loads into `clicks`\n- Pipe `orders`\n  - reads from `kafka`, loads into `shop.orders`\n",
  );
  await stack.up();

  const after = { wait: 6000, table: "orders", password: rotated };
  await stack.write(orders(after) + clicks("|new| @team", "retain"));
  const changed = await summaryOfPreview(stack, "--show-secrets");
  expect(changed).toContain("**1 to delete**, **1 to leave unmanaged**, **1 to update**, **1 to create**.");
  expect(changed).toContain("#### Delete\n\n- Pipe ``<b>`x`</b>``\n");
  expect(changed).toContain("#### Leave unmanaged\n\n- Pipe `kept`\n");
  expect(changed).toContain(
    "- Pipe `orders`\n  - `settings.streamingMaxInsertWaitMs`: `5000` → `6000`\n  - `source.kafka.credentials`: `[secret]` (changed)\n",
  );
  expect(changed).toContain("#### Create\n\n- Pipe `|new| @team`\n");

  await stack.write(
    orders({ ...before, table: "orders_2" }) + clicks("kept", "retain") + clicks("<b>`x`</b>", "delete"),
  );
  expect(await summaryOfPreview(stack)).toContain(
    "**1 to replace**.\n\n#### Replace\n\n- Pipe `orders`\n  - `destination.table`: `orders` → `orders_2` (requires the replacement)\n  - The old one stays, unmanaged.\n",
  );

  await stack.write(orders(before).replace('"allow"', '"never"'));
  expect(await summaryOfPreview(stack)).toContain(
    '**It failed.**\n\n#### Errors\n\n- Pipe `orders`: `replacementPolicy must be one of "refuse", "allow", got "never"`\n',
  );

  simulator.control.editPipe(pipeNamed(simulator, "orders").id, { name: "renamed" });
  const flags = ["refresh", "--preview-only", "--json", "--expect-no-changes"];
  const drift = await stack.pulumi(flags, { expectFailure: true });
  expect((await summary(drift.stdout)).stdout).toContain(
    "**1 changed elsewhere**.\n\n#### Changed elsewhere (in the stack → in the service)\n\n- Pipe `orders`\n  - `name`: `orders` → `renamed`\n",
  );
});

test("fails where the input is not the JSON of a preview", async () => {
  expect(await summary("pulumi: command not found\n")).toEqual({ code: 1, stdout: "" });
  expect(await summary("{}", "--max-length", "many")).toEqual({ code: 2, stdout: "" });
  expect(await summary("{}", "no-such-file.json")).toEqual({ code: 1, stdout: "" });
});
