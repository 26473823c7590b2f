import type { SeedPipe } from "../../simulator/src/index";
import { endStarted } from "../../tests/kit/cleanup";
import { NEXT_PASSWORD, Recorder } from "./recorder";

const columns = [
  { name: "order_id", type: "UInt64" },
  { name: "total", type: "Float64" },
];
const destination = { database: "default", table: "orders", columns };
const mappingsFrom = (sourceField: string) => [
  { sourceField, destinationField: "order_id" },
  { sourceField: "$.total", destinationField: "total" },
];

interface Orders {
  readonly name?: string;
  readonly topics?: string;
  readonly sourceField?: string;
  readonly settings?: object;
  readonly more?: string;
  readonly options?: string;
}

/** A pipe that reads a Kafka topic. */
const orders = ({
  name = "orders",
  topics = "orders",
  sourceField = "$.id",
  settings = { streamingMaxInsertWaitMs: 2000 },
  more = "",
  options = "{}",
}: Orders = {}) => `
new datapipes.Pipe("${name}", {
  name: "orders",
  source: {
    kafka: {
      brokers: "kafka:9092",
      topics: "${topics}",
      credentials: { username: "loader", password: config.requireSecret("kafkaPassword") },
    },
  },
  destination: ${JSON.stringify(destination)},
  fieldMappings: ${JSON.stringify(mappingsFrom(sourceField))},
  settings: ${JSON.stringify(settings)},
  ${more}
}, ${options});`;

const FIRST_SETTINGS = { streamingMaxInsertWaitMs: 5000 };

/** A pipe that reads two tables of Postgres; the target of the second may differ. */
const shop = (target: string) => `
const table = (sourceTable, targetTable) => ({ sourceSchemaName: "public", sourceTable, targetTable });
new datapipes.Pipe("shop", {
  source: {
    postgres: {
      host: "db.example.com",
      port: 5432,
      database: "shop",
      credentials: { username: "loader", password: config.requireSecret("postgresPassword") },
      settings: { syncIntervalSeconds: 60 },
      tableMappings: [table("customers", "shop_customers"), table("products", "${target}")],
    },
  },
  destination: { database: "default" },
});`;

const made = (name: string, number: number): SeedPipe => ({
  id: `5d2f8a64-0000-4000-8000-00000000000${number}`,
  name,
  source: { kafka: { brokers: "kafka:9092", topics: name } },
  destination: { ...destination, table: name },
  fieldMappings: mappingsFrom("$.id"),
  state: "Running",
});
const MADE = [made("orders", 1), made("returns", 2), made("Invoices (new)", 3)];

/** Three pipes that no stack manages, and an empty project in TypeScript. */
async function seeded({ simulator, stack, ids }: Recorder): Promise<void> {
  for (const { id } of simulator.control.seedPipes(MADE)) ids.keep(id);
  await stack.writeFile("package.json", '{ "name": "pipes", "private": true, "main": "index.ts" }\n');
  const compilerOptions = { strict: true, module: "nodenext", skipLibCheck: true };
  await stack.writeFile("tsconfig.json", JSON.stringify({ compilerOptions }));
}

/** One pipe, from the first preview to the destroy. */
async function onePipe(recorder: Recorder): Promise<void> {
  const { simulator, stack } = recorder;
  await recorder.write(orders({ settings: FIRST_SETTINGS }));
  await recorder.record("preview-create", "pulumi preview");
  await stack.up();
  await recorder.write(orders());
  await recorder.record("preview-update", "pulumi preview --diff");
  await stack.up();
  const [pipe] = simulator.control.state().pipes;
  simulator.control.editPipe(pipe?.id ?? "", { name: "orders (paused)" });
  await recorder.record("refresh-drift", "pulumi refresh --yes --diff");
  await recorder.record("preview-drift", "pulumi preview --diff");
  await stack.up();
  await stack.setConfig({}, { "pipes:kafkaPassword": NEXT_PASSWORD });
  await recorder.record("credential-rotation", "pulumi preview --diff", "pulumi up --yes --skip-preview");
  await recorder.write(orders({ topics: "orders-v2" }));
  await recorder.record("preview-refused-replacement", "pulumi preview");
  await recorder.write(orders({ topics: "orders-v2", more: 'replacementPolicy: "allow",' }));
  await recorder.record("preview-replacement", "pulumi preview");
  await recorder.write(orders({ name: "shop-orders", options: '{ aliases: [{ name: "orders" }] }' }));
  await recorder.record("move-alias", "pulumi up --yes --skip-preview");
  await recorder.write("");
  await recorder.record("up-retain", "pulumi up --yes");
}

async function mapping(recorder: Recorder): Promise<void> {
  await recorder.write(shop("shop_products"));
  await recorder.stack.up();
  await recorder.write(shop("catalogue"));
  await recorder.record("preview-mapping", "pulumi preview --diff");
}

/** The picture of README.md. */
async function picture(recorder: Recorder): Promise<void> {
  await recorder.write(orders({ settings: FIRST_SETTINGS }));
  await recorder.stack.up();
  await recorder.stack.setConfig({}, { "pipes:kafkaPassword": NEXT_PASSWORD });
  await recorder.write(
    orders({ sourceField: "$.order.id", settings: { streamingMaxInsertWaitMs: 2000, dbmsMaxThreads: 4 } }),
  );
  await recorder.draw("preview", "A preview of changes of a pipe", "pulumi preview --diff");
}

async function importing(recorder: Recorder): Promise<void> {
  await seeded(recorder);
  await recorder.stack.datapipes(["import", "--mode", "import", "--force"]);
  await recorder.record(
    "pulumi-import",
    "pulumi import --file import.json --generate-code=false --protect=false --yes",
    "pulumi preview --expect-no-changes",
  );
}

async function adopting(recorder: Recorder): Promise<void> {
  await seeded(recorder);
  await recorder.record(
    "import-adopt",
    "npx pulumi-datapipes import --mode adopt --force",
    "pulumi up --yes",
  );
}

async function diagnosing(recorder: Recorder): Promise<void> {
  await recorder.record("doctor", "npx pulumi-datapipes doctor");
}

/** What happens to a stack of its own. */
const SCENARIOS = { onePipe, mapping, picture, importing, adopting, diagnosing };

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];

/** Runs scenarios one after the other, and returns the files of all recordings. */
export async function record(names: readonly ScenarioName[]): Promise<ReadonlyMap<string, string>> {
  const made: (readonly [string, string])[] = [];
  for (const name of names) {
    const recorder = await Recorder.start();
    await SCENARIOS[name](recorder).finally(endStarted);
    made.push(...recorder.recordings);
  }
  return new Map(made);
}
