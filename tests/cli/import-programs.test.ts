import { complete, creationBody, withValue } from "../../testkit/pipes";
import { listReads, newSimulator, takeWrites } from "../../testkit/simulator";
import { folderWith, importInto, resultOf } from "./imported";
import { manyPipes } from "./many-pipes";
import { importing, newProject, ofBoth, twoServices } from "./two-services";

test("takes over 50 pipes in 1,200 lines, without a change in each mode; settings that the program then leaves out send nothing", async () => {
  const simulator = await newSimulator();
  simulator.control.seedPipes([...manyPipes(50)]);
  const adopting = await newProject(simulator);
  await importInto(adopting, "--mode", "adopt", "--force", "--split", "kind");
  await expect(adopting.readFile("import.json")).rejects.toThrow("ENOENT");
  await adopting.up();
  await adopting.preview({ expectNoChanges: true });

  const stack = await newProject(simulator);
  const run = await importInto(stack, "--force");
  expect(run.stderr).toMatch(/Left out 15 settings that all pipes have .*: .*pullBatchSize 100000/);
  const program = await stack.readFile("index.ts");
  expect(program.split("\n").length).toBeLessThanOrEqual(1200);
  const constants = [...program.matchAll(/^const (\w+) =(?! new)/gm)].map(([, name]) => name);
  expect(constants).toEqual([
    ...["kafkaMainBrokers", "kafkaAuditBrokers", "kafkaCaCertificate", "kafkaEndpointIds"],
    ...["kafkaSchemaRegistry", "ordersColumns", "returnsAndPaymentsColumns", "defaultTableDefinition"],
    ...["ordersMappings", "returnsAndPaymentsMappings", "scalingOf4Replicas", "defaultScaling"],
    ...["objectStorageSettings", "kinesisAndKafkaSettings", "objectStorageSettings2", "kafkaSettings"],
    "kinesisAndKafkaSettings2",
  ]);
  await stack.pulumi(importing);
  await stack.preview({ expectNoChanges: true });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  const { inputs } = (await stack.export()).named("returns-eu-1");
  expect(inputs?.["settings"]).toEqual({ objectStoragePollingIntervalMs: 1000, dbmsMaxThreads: 8 });
  await stack.write(program.replaceAll(/^ {2}settings: .*\n/gm, ""));
  await stack.up();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});

test("writes 1,100 pipes from one list, and shows its progress", async () => {
  const seeds = Array.from({ length: 1100 }, (_, index) => creationBody(`orders ${index}`, complete.kafka));
  const { simulator, importPipes, read } = await folderWith(...seeds);
  const run = await importPipes("--json");
  expect([run.code, resultOf(run).pipes.length, listReads(simulator).length]).toEqual([0, 1100, 1]);
  expect(run.stderr).toContain("Wrote 1000 of 1100 pipes.");
  expect((await read("index.ts")).match(/new datapipes\.Pipe\(/g)).toHaveLength(1100);
});

test("writes programs that compile under strict, in each mode", async () => {
  const stack = await newProject(await twoServices());
  const modes = {
    imported: ["--all-fields"],
    adopting: ["--mode", "adopt"],
    secret: ["--with-credentials", "--split", "service"],
    kinds: ["--split", "kind"],
  };
  const files = ["uncommented.ts"];
  for (const [folder, flags] of Object.entries(modes))
    files.push(...resultOf(await importInto(stack, ...ofBoth, "--json", "--out", folder, ...flags)).files);
  expect(files.filter((file) => /^(secret|kinds)/.test(file))).toEqual([
    ...["secret/shared.ts", "secret/service-0a1b2c3d.ts", "secret/service-0a1b2c3d2.ts"],
    ...["secret/index.ts", "secret/import.json", "kinds/shared.ts", "kinds/kafka.ts"],
    ...["kinds/object-storage.ts", "kinds/kinesis.ts", "kinds/postgres.ts", "kinds/index.ts"],
    "kinds/import.json",
  ]);
  const program = await stack.readFile("adopting/index.ts");
  const uncommented = program.replaceAll(/\/\/ {3}(\w+: .*,)$/gm, "$1");
  expect(uncommented.match(/requireSecret/g)?.length).toBe(9);
  await stack.writeFile("uncommented.ts", uncommented);
  const project = {
    extends: "./tsconfig.json",
    compilerOptions: { noEmit: true },
    files: files.filter((file) => file.endsWith(".ts")),
  };
  await stack.writeFile("tsconfig.all.json", JSON.stringify(project));
  const compiled = await stack.node(["node_modules/typescript/bin/tsc", "-p", "tsconfig.all.json"]);
  expect(compiled.output).toBe("");
});

test("prints a declaration that adopts a pipe which it skips, and which sends nothing", async () => {
  const { objectStorage: storage, kafka } = complete;
  const simulator = await newSimulator();
  const signed = withValue(storage, "source.objectStorage.url", "https://x.example/*?sig=any");
  const seeds = { unknown: kafka, orders: kafka, storage: signed };
  const [unknown] = simulator.control.seedPipes(
    Object.entries(seeds).map(([name, pipe]) => creationBody(name, pipe)),
  );
  simulator.control.editPipe(unknown?.id ?? "", { source: { kafka: null, pulsar: { url: "x" } } });
  const stack = await newProject(simulator);
  const { stderr } = await importInto(stack, "--out", "imported");
  const snippets = stderr.match(/ {2}new datapipes\.Pipe\([^]*?\n {2}\}\);/g) ?? [];
  expect(snippets).toHaveLength(2);
  await stack.write(`import * as datapipes from "pulumi-datapipes";\n${snippets.join("\n")}\n`);
  await stack.up();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
});
