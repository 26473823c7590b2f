import { readFile } from "node:fs/promises";
import path from "node:path";
import { runPulumi } from "../kit/cli";
import { temporaryFolder } from "../kit/cleanup";
import { minimal } from "../kit/pipes";
import { tokenOf } from "../kit/program";
import { pluginFolder } from "../kit/sdk";
import { newSimulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

test("customTimeouts ends a wait, and the pipe stays in the stack", async () => {
  const waiting = JSON.stringify({ ...minimal.kafka, name: "orders", waitFor: { states: ["Nope"] } });
  const token = tokenOf("Pipe", "native");
  const program = `new pulumi.CustomResource("${token}", "orders", ${waiting}, { customTimeouts: { create: "10s" } });`;
  const stack = await newStack({ simulator: await newSimulator(), path: [pluginFolder], program });
  const { output } = await stack.up({ expectFailure: true });
  const { id = "", outputs } = (await stack.export()).named("orders");
  expect(outputs).toMatchObject({ name: "orders", state: "Running" });
  expect(output).toContain(`pipe "orders" (${id}) did not become Nope within the 10 s of customTimeouts;`);
});

const schema = path.join(pluginFolder, "schema.json");

test("the CLI reads the schema from the plugin unchanged", async () => {
  const plugin = path.join(pluginFolder, "pulumi-resource-datapipes");
  const place = { cwd: await temporaryFolder("schema"), env: process.env };
  const read = await runPulumi(["package", "get-schema", plugin], place);
  expect(read.code).toBe(0);
  expect(read.stderr).toBe("");
  expect(JSON.parse(read.stdout)).toEqual(JSON.parse(await readFile(schema, "utf8")));
});

test("the CLI finds no mistake in the schema", async () => {
  const place = { cwd: await temporaryFolder("schema"), env: process.env };
  expect(await runPulumi(["schema", "check", schema], place)).toMatchObject({ code: 0, output: "" });
});
