import type { Fault } from "../../../simulator/src/index";
import { minimal, creationBody, withValue, type JsonObject } from "../../../testkit/pipes";
import { product } from "../../../testkit/pairwise";
import { newSimulator, type SeedPipe, type Simulator } from "../../../testkit/simulator";
import { newStack, type TestStack } from "../../../testkit/stack";
import { errorsOf, nameIn, previewOf, type Preview } from "./observation";
import { programOf } from "./program";

/** How the API answers for the pipe's service, or its DELETE. */
const servers = {
  works: [],
  "service gone": [{ operationId: "*", kind: "status", status: 404, times: 1000 }],
  "pipe gone": [],
  // The list leaves the pipe out once, and has it again when it is read anew.
  "404 and an incomplete list": [
    { operationId: "deletePipe", kind: "status", status: 404, times: 1000 },
    {
      operationId: "listPipes",
      kind: "status",
      status: 200,
      body: { status: 200, requestId: "0a1b2c3d-0000-4000-8000-00000000feed", result: [] },
    },
  ],
  "404 while the list has it": [{ operationId: "deletePipe", kind: "status", status: 404, times: 1000 }],
  "405": [{ operationId: "deletePipe", kind: "status", status: 405, times: 1000 }],
  "403": [{ operationId: "deletePipe", kind: "status", status: 403, times: 1000 }],
} satisfies Record<string, Fault[]>;

type Server = keyof typeof servers;

/** Servers whose answers do not show that the pipe is deleted. */
const refusing: readonly Server[] = ["404 and an incomplete list", "404 while the list has it", "405", "403"];

interface DestroyRow {
  readonly stored: "retain" | "delete";
  readonly origin: "created" | "adopted";
  readonly server: Server;
  readonly name: string;
  readonly serviceId: string;
}

const serviceAt = (index: number): string =>
  `0a1b2c3d-0000-4000-8000-${(0x2000 + index).toString(16).padStart(12, "0")}`;

const rows: DestroyRow[] = product<Pick<DestroyRow, "stored" | "origin" | "server">>({
  stored: ["retain", "delete"],
  origin: ["created", "adopted"],
  server: Object.keys(servers) as Server[],
}).map((row, index) => ({
  ...row,
  name: `destroy.${row.stored}.${row.origin}.${row.server.replaceAll(" ", "-")}`,
  serviceId: serviceAt(index),
}));

const argsOf = (row: DestroyRow, adopt: string | undefined): JsonObject => ({
  ...withValue(minimal.kafka, "destination.table", row.name),
  name: row.name,
  serviceId: row.serviceId,
  deletionPolicy: row.stored,
  ...(adopt === undefined ? {} : { adopt }),
});

function seed(simulator: Simulator, row: DestroyRow): string | undefined {
  if (row.origin === "created") return undefined;
  const body = creationBody(
    row.name,
    withValue(minimal.kafka, "destination.table", row.name),
  ) as unknown as SeedPipe;
  return simulator.control.seedPipes([body], row.serviceId)[0]?.id;
}

/** Sets the faults of each row's server, once all rows are deployed. */
function setServerFaults(simulator: Simulator, ids: ReadonlyMap<string, string>): void {
  for (const { server, serviceId, name } of rows) {
    for (const fault of servers[server]) simulator.control.fault({ ...fault, serviceId });
    if (server === "pipe gone") simulator.control.deletePipe(ids.get(name) ?? "");
  }
}

interface Outcome {
  readonly preview: Preview;
  readonly errors: ReadonlyMap<string, string>;
  /** The names of the rows whose pipe exists. */
  readonly existing: ReadonlySet<string>;
  /** The logical names in the state. */
  readonly held: ReadonlySet<string>;
  /** The services whose pipes a DELETE named. */
  readonly deletes: ReadonlySet<string>;
}

/** The rules that destroy broke for a row. */
function violationsOf(row: DestroyRow, outcome: Outcome): string[] {
  const { stored, server, name, serviceId } = row;
  const step = outcome.preview.steps.find(({ urn }) => nameIn(urn) === name);
  const error = outcome.errors.get(name);
  const fails = stored === "delete" && refusing.includes(server);
  const stays = stored === "retain" || fails || server === "service gone";
  const checks: [boolean, string][] = [
    [
      step?.op === "delete" && (step.retains ?? stored === "retain") === (stored === "retain"),
      `the preview shows ${step?.op ?? "nothing"}${step?.retains === true ? "[retain]" : ""}`,
    ],
    [
      stored === "delete" || !outcome.deletes.has(serviceId),
      'a DELETE was sent although the policy is "retain"',
    ],
    [
      outcome.existing.has(name) === (stays && server !== "pipe gone"),
      "the pipe is not as it is meant to be",
    ],
    [outcome.held.has(name) === fails, `the state ${fails ? "does not hold" : "still holds"} the pipe`],
    [(error !== undefined) === fails, `the error is ${error ?? "missing"}`],
    [!fails || error?.includes('"retain"') === true, `the error does not name "retain": ${error ?? ""}`],
  ];
  return checks.filter(([holds]) => !holds).map(([, violation]) => violation);
}

async function destroyed(simulator: Simulator, stack: TestStack): Promise<Outcome> {
  const preview = previewOf(await stack.pulumi(["destroy", "--preview-only", "--json"]));
  simulator.control.clearRequests();
  const run = await stack.destroy({ flags: ["--continue-on-error"], expectFailure: "either" });
  const state = await stack.export();
  const sent = simulator.control.requests().filter(({ method }) => method === "DELETE");
  return {
    preview,
    errors: errorsOf(run),
    existing: new Set(simulator.control.state().pipes.map(({ destination }) => destination.table ?? "")),
    held: new Set(state.ofType("Pipe").map(({ urn }) => nameIn(urn))),
    deletes: new Set(sent.map(({ path }) => path.split("/").at(-3) ?? "")),
  };
}

test(`destroy deletes only what it may and keeps in state what it could not delete, in ${rows.length} rows`, async () => {
  const account = {
    apiKeyId: "key",
    apiKeySecret: "destroy-secret",
    organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
    serviceIds: rows.map(({ serviceId }) => serviceId),
  };
  const simulator = await newSimulator({ accounts: [account] });
  const adopted = new Map(rows.map((row) => [row.name, seed(simulator, row)]));
  const declarations = rows.map((row) => ({
    kind: "Pipe" as const,
    name: row.name,
    args: argsOf(row, adopted.get(row.name)),
    options: {},
  }));
  const stack = await newStack({ simulator, program: programOf(declarations), config: { maxRetries: "0" } });
  await stack.up();
  const state = await stack.export();
  setServerFaults(simulator, new Map(rows.map(({ name }) => [name, state.named(name).id ?? ""])));

  const outcome = await destroyed(simulator, stack);
  const table = rows.flatMap((row) =>
    violationsOf(row, outcome).map((violation) => `${row.name}: ${violation}`),
  );
  expect(table.join("\n")).toBe("");
});
