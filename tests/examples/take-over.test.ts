import { takenOverId } from "../../testkit/examples";
import { takeWrites } from "../../testkit/simulator";
import { deploy, destroy, stackOf, transpileOnly } from "./example";

test("take-over adopts a pipe with one update, and imports it without a change", async () => {
  const { simulator, stack } = await stackOf("take-over");
  const preview = await stack.preview();
  expect(preview.output).toMatch(/settings\.streamingMaxInsertWaitMs.*9000.*2000/);
  expect(takeWrites(simulator)).toEqual([]);
  await deploy(stack, { env: transpileOnly });
  const update = { method: "PATCH", body: { settings: { streaming_max_insert_wait_ms: 2000 } } };
  expect(takeWrites(simulator)).toEqual([expect.objectContaining(update)]);
  await destroy(stack);

  // The commands of the comment.
  await stack.datapipes(["import", "--force", "--only", takenOverId]);
  await stack.pulumi(["import", "--file", "import.json", "--generate-code=false", "--yes"]);
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});
