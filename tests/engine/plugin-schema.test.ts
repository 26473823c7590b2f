import { readFile } from "node:fs/promises";
import path from "node:path";
import { runPulumi } from "../../testkit/cli";
import { temporaryFolder } from "../../testkit/folder";

const DIST = path.resolve(__dirname, "../../plugin/dist");
const SCHEMA = path.join(DIST, "schema.json");

test("the CLI reads the schema from the plugin unchanged, and finds no mistake in it", async () => {
  const place = { cwd: await temporaryFolder("schema"), env: process.env };
  const plugin = path.join(DIST, "pulumi-resource-datapipes");
  const read = await runPulumi(["package", "get-schema", plugin], place);
  expect([read.code, read.stderr]).toEqual([0, ""]);
  expect(JSON.parse(read.stdout)).toEqual(JSON.parse(await readFile(SCHEMA, "utf8")));
  const checked = await runPulumi(["schema", "check", SCHEMA], place);
  expect([checked.code, checked.output]).toEqual([0, ""]);
});
