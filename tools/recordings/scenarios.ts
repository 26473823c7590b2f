import type { SeedPipe } from "../../simulator/src/index";
import { NEXT_PASSWORD, type Recorder } from "./recorder";

/** A stack, what exists before, and what happens to it. */
export interface Scenario {
  readonly recordings: readonly string[];
  readonly pipes?: readonly SeedPipe[];
  readonly run: (recorder: Recorder) => Promise<void>;
}

const columns = [
  { name: "order_id", type: "UInt64" },
  { name: "total", type: "Float64" },
];
const destination = { database: "default", table: "orders", columns };
const fieldMappings = [
  { sourceField: "$.id", destinationField: "order_id" },
  { sourceField: "$.total", destinationField: "total" },
];

interface Orders {
  readonly wait?: number;
  readonly topics?: string;
  readonly secret?: string;
  readonly more?: string;
  readonly name?: string;
  readonly options?: string;
}

/** A pipe that reads a Kafka topic. */
const orders = ({
  wait = 5000,
  topics = "orders",
  secret = "kafkaPassword",
  more = "",
  name = "orders",
  options = "{}",
}: Orders = {}) => `
new datapipes.Pipe("${name}", {
  name: "orders",
  source: {
    kafka: {
      brokers: "kafka:9092",
      topics: "${topics}",
      credentials: { username: "loader", password: config.requireSecret("${secret}") },
    },
  },
  destination: ${JSON.stringify(destination)},
  fieldMappings: ${JSON.stringify(fieldMappings)},
  settings: { streamingMaxInsertWaitMs: ${wait} },
  ${more}
}, ${options});`;

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

/** The program of README.md. */
const readme = (sourceField: string, settings: object): string => `
new datapipes.Pipe("orders", {
  source: {
    kafka: {
      brokers: "kafka:9092",
      topics: "orders",
      credentials: { username: "loader", password: config.requireSecret("kafkaPassword") },
    },
  },
  destination: { database: "default", table: "orders", columns: [{ name: "order_id", type: "UInt64" }] },
  fieldMappings: [{ sourceField: "${sourceField}", destinationField: "order_id" }],
  settings: ${JSON.stringify(settings)},
});`;

const made = (name: string, number: number): SeedPipe => ({
  id: `5d2f8a64-0000-4000-8000-00000000000${number}`,
  name,
  source: { kafka: { brokers: "kafka:9092", topics: name } },
  destination: { ...destination, table: name },
  fieldMappings,
  state: "Running",
});
const MADE = [made("orders", 1), made("returns", 2), made("Invoices (new)", 3)];

const TYPESCRIPT_PACKAGE = '{ "name": "pipes", "private": true, "main": "index.ts" }\n';
const TYPESCRIPT = `{ "compilerOptions": { "strict": true, "module": "nodenext", "skipLibCheck": true } }\n`;

/** One pipe, from the first preview to the destroy. */
const onePipe: Scenario = {
  recordings: [
    "preview-create",
    "up-create",
    "preview-update",
    "refresh-drift",
    "preview-drift",
    "credential-rotation",
    "preview-refused-replacement",
    "preview-replacement",
    "move-alias",
    "destroy-retain",
  ],
  async run(recorder) {
    const { simulator, stack } = recorder;
    await recorder.write(orders());
    await recorder.record("preview-create", "pulumi preview");
    await recorder.record("up-create", "pulumi up --yes");
    await recorder.write(orders({ wait: 2000 }));
    await recorder.record("preview-update", "pulumi preview --diff");
    await stack.up();
    const [pipe] = simulator.control.state().pipes;
    simulator.control.editPipe(pipe?.id ?? "", { name: "orders (paused)" });
    await recorder.record("refresh-drift", "pulumi refresh --yes --diff");
    await recorder.record("preview-drift", "pulumi preview --diff");
    await stack.up();
    await stack.setConfig({}, { "pipes:kafkaPassword": NEXT_PASSWORD });
    await recorder.record("credential-rotation", "pulumi preview --diff", "pulumi up --yes --skip-preview");
    await recorder.write(orders({ wait: 2000, topics: "orders-v2" }));
    await recorder.record("preview-refused-replacement", "pulumi preview");
    await recorder.write(orders({ wait: 2000, topics: "orders-v2", more: 'replacementPolicy: "allow",' }));
    await recorder.record("preview-replacement", "pulumi preview");
    await recorder.write(
      orders({ wait: 2000, name: "shop-orders", options: '{ aliases: [{ name: "orders" }] }' }),
    );
    await recorder.record("move-alias", "pulumi up --yes --skip-preview");
    await recorder.record("destroy-retain", "pulumi destroy --yes");
  },
};

const mapping: Scenario = {
  recordings: ["preview-mapping"],
  async run(recorder) {
    await recorder.write(shop("shop_products"));
    await recorder.stack.up();
    await recorder.write(shop("catalogue"));
    await recorder.record("preview-mapping", "pulumi preview --diff");
  },
};

const picture: Scenario = {
  recordings: ["preview.svg"],
  async run(recorder) {
    await recorder.write(readme("$.id", { streamingMaxInsertWaitMs: 5000 }));
    await recorder.stack.up();
    await recorder.stack.setConfig({}, { "pipes:kafkaPassword": NEXT_PASSWORD });
    await recorder.write(readme("$.order.id", { streamingMaxInsertWaitMs: 2000, dbmsMaxThreads: 4 }));
    await recorder.draw("preview.svg", "A preview of changes of a pipe", "pulumi preview --diff");
  },
};

const importing: Scenario = {
  recordings: ["import", "pulumi-import"],
  pipes: MADE,
  async run(recorder) {
    await recorder.stack.writeFile("package.json", TYPESCRIPT_PACKAGE);
    await recorder.stack.writeFile("tsconfig.json", TYPESCRIPT);
    await recorder.record("import", "npx pulumi-datapipes import --mode import --force");
    await recorder.record(
      "pulumi-import",
      "pulumi import --file import.json --generate-code=false --protect=false --yes",
      "pulumi preview --expect-no-changes",
    );
  },
};

const adopting: Scenario = {
  recordings: ["import-adopt"],
  pipes: MADE,
  async run(recorder) {
    await recorder.stack.writeFile("package.json", TYPESCRIPT_PACKAGE);
    await recorder.stack.writeFile("tsconfig.json", TYPESCRIPT);
    await recorder.record(
      "import-adopt",
      "npx pulumi-datapipes import --mode adopt --force",
      "pulumi up --yes",
    );
  },
};

const diagnosing: Scenario = {
  recordings: ["doctor", "doctor-failed"],
  async run(recorder) {
    await recorder.stack.writeFile("package.json", TYPESCRIPT_PACKAGE);
    await recorder.record("doctor", "npx pulumi-datapipes doctor");
    await recorder.stack.setConfig({
      apiKeySecret: "demo-key-secret",
      serviceId: "0a1b2c3d-0000-4000-8000-00000000000a",
    });
    await recorder.record("doctor-failed", "npx pulumi-datapipes doctor");
  },
};

export const SCENARIOS: readonly Scenario[] = [onePipe, mapping, picture, importing, adopting, diagnosing];
