import { seed } from "../../testkit/imported";
import { newSimulator, takeWrites } from "../../testkit/simulator";
import { deploy, destroy, stackOf, transpileOnly } from "./example";

test("take-over adopts a pipe with one update, and imports it without a change", async () => {
  const simulator = await newSimulator();
  const [pipe] = simulator.control.seedPipes([
    seed("orders", {
      source: { kafka: { brokers: "kafka.example.com:9092", topics: "orders", consumerGroup: "by-hand" } },
      destination: { database: "default", table: "orders" },
      settings: { streamingMaxInsertWaitMs: 9000 },
    }),
  ]);
  const id = pipe?.id ?? "";
  const { stack } = await stackOf("take-over", { simulator, config: { "take-over:pipe": id } });
  const preview = await stack.preview();
  expect(preview.output).toMatch(/settings\.streamingMaxInsertWaitMs.*9000.*2000/);
  expect(takeWrites(simulator)).toEqual([]);
  await deploy(stack, { env: transpileOnly });
  const update = { method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 2000 } } };
  expect(takeWrites(simulator)).toEqual([expect.objectContaining(update)]);
  await destroy(stack);

  // The commands of the comment.
  await stack.datapipes(["import", "--force", "--only", id]);
  await stack.pulumi(["import", "--file", "import.json", "--generate-code=false", "--yes"]);
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});
