import { DEFAULT_ACCOUNT, type Fault } from "../../../simulator/src/index";
import { seed } from "../../../testkit/imported";
import { minimal, withValue, type JsonObject } from "../../../testkit/pipes";
import { product } from "../../../testkit/pairwise";
import { newSimulator, takeWrites, writes, type Call, type Simulator } from "../../../testkit/simulator";
import { newStack, type TestStack } from "../../../testkit/stack";
import { messagesOf } from "../../../testkit/messages";
import { errorsOf, nameIn, previewOf, type Preview } from "./observation";
import { programOf } from "./program";
import { serviceAt } from "./stack-of-rows";

const refusal = (status: number): Fault => ({
  operationId: "deletePipe",
  kind: "status",
  status,
  times: 1000,
});

/** The list of a service without pipes. */
const emptyList = (times: number): Fault => {
  const body = { status: 200, requestId: "0a1b2c3d-0000-4000-8000-00000000feed", result: [] };
  return { operationId: "listPipes", kind: "status", status: 200, body, times };
};

/** How the API answers for the pipe's service, or its DELETE. Only with the first three the pipe is certainly gone afterwards. */
const servers = {
  works: [],
  "service gone": [],
  "pipe gone": [],
  // The list leaves the pipe out once, and has it again when it is read anew.
  "404 and an incomplete list": [refusal(404), emptyList(1)],
  "404 while no list has it, and its settings can be read": [refusal(404), emptyList(1000)],
  "404 while the list has it": [refusal(404)],
  "405": [refusal(405)],
  "403": [refusal(403)],
} satisfies Record<string, Fault[]>;

type Server = keyof typeof servers;
const certain: readonly Server[] = ["works", "service gone", "pipe gone"];

interface DestroyAxes {
  readonly stored: "retain" | "delete";
  readonly origin: "created" | "adopted";
  readonly server: Server;
}

interface DestroyRow extends DestroyAxes {
  readonly name: string;
  readonly serviceId: string;
}

const rows: DestroyRow[] = product<DestroyAxes>({
  stored: ["retain", "delete"],
  origin: ["created", "adopted"],
  server: Object.keys(servers) as Server[],
}).map((row, index) => ({
  ...row,
  name: `destroy.${row.stored}.${row.origin}.${row.server.replaceAll(/\W+/g, "-")}`,
  serviceId: serviceAt(0x2000 + index),
}));

const fails = ({ stored, server }: DestroyRow): boolean => stored === "delete" && !certain.includes(server);

/** The policy of what is created and stays is the default. */
function argsOf({ name, serviceId, stored, origin }: DestroyRow, adopt: string | undefined): JsonObject {
  const args = { ...withValue(minimal.kafka, "destination.table", name), name, serviceId };
  if (origin === "created" && stored === "retain") return args;
  return { ...args, deletionPolicy: stored, ...(adopt === undefined ? {} : { adopt }) };
}

function seeded(simulator: Simulator, row: DestroyRow): string | undefined {
  if (row.origin === "created") return undefined;
  const { deletionPolicy: _, serviceId: __, ...pipe } = argsOf(row, undefined);
  return simulator.control.seedPipes([seed(row.name, pipe)], row.serviceId)[0]?.id;
}

/** Sets what each row's server does, once all rows are deployed. */
function setServers({ control }: Simulator, ids: ReadonlyMap<string, string>): void {
  // A list needs some time after a create to show a pipe.
  control.advance(120);
  for (const { server, serviceId, name } of rows) {
    for (const fault of servers[server]) control.fault({ ...fault, serviceId });
    if (server === "service gone") control.deleteService(serviceId);
    if (server === "pipe gone") control.deletePipe(ids.get(name) ?? "");
  }
}

interface Outcome {
  readonly preview: Preview;
  readonly errors: ReadonlyMap<string, string>;
  /** The other messages. */
  readonly lines: readonly string[];
  /** The names of the rows whose pipe exists. */
  readonly existing: ReadonlySet<string>;
  /** The logical names in the state. */
  readonly held: ReadonlySet<string>;
  readonly writes: readonly Call[];
}

/** The rules that destroy broke for a row. */
function violationsOf(row: DestroyRow, id: string, { preview, ...outcome }: Outcome): string[] {
  const { stored, server, name, serviceId } = row;
  const step = preview.steps.find(({ urn }) => nameIn(urn) === name);
  const error = outcome.errors.get(name);
  const sent = outcome.writes.filter(({ path }) => path.includes(serviceId));
  const wanted = stored === "delete" ? 1 : 0;
  const stays = (stored === "retain" || fails(row)) && !certain.slice(1).includes(server);
  const named = [id, '"retain"', server.slice(0, 3)];
  const saysGone = outcome.lines.some(
    (line) => line.includes(serviceId) && line.includes("no longer exists"),
  );
  const checks: [boolean, string][] = [
    [
      step?.op === "delete" && (step.retains ?? stored === "retain") === (stored === "retain"),
      `the preview shows ${step?.op ?? "nothing"}${step?.retains === true ? "[retain]" : ""}`,
    ],
    [
      sent.length === wanted && sent.every(({ method, body }) => method === "DELETE" && body === null),
      `sent ${JSON.stringify(sent)}`,
    ],
    [outcome.existing.has(name) === stays, "the pipe is not as it is meant to be"],
    [outcome.held.has(name) === fails(row), `the state ${fails(row) ? "does not hold" : "still holds"} it`],
    [(error !== undefined) === fails(row), `the error is ${error ?? "missing"}`],
    [
      error === undefined || named.every((text) => error.includes(text)),
      `the error does not name ${named.join(", ")}: ${error ?? ""}`,
    ],
    [stored === "retain" || saysGone === (server === "service gone"), "a line does not say what is gone"],
  ];
  return checks.filter(([holds]) => !holds).map(([, violation]) => violation);
}

async function destroyed(simulator: Simulator, stack: TestStack): Promise<Outcome> {
  const preview = previewOf(await stack.pulumi(["destroy", "--preview-only", "--json"]));
  simulator.control.clearRequests();
  const run = await stack.destroy({ flags: ["--continue-on-error"], expectFailure: true });
  return {
    preview,
    errors: errorsOf(run),
    lines: messagesOf(run.output).flatMap(({ isError, text }) => (isError ? [] : text.split("\n"))),
    existing: new Set(simulator.control.state().pipes.map(({ name }) => name)),
    held: new Set((await stack.export()).ofType("Pipe").map(({ urn }) => nameIn(urn))),
    writes: writes(simulator),
  };
}

/** A pipe whose policy the program knows only when it runs. */
const UNKNOWN_POLICY = `new datapipes.Pipe("unknown-policy", { ...${JSON.stringify(minimal.kafka)}, deletionPolicy: pulumi.output("retain") });`;

test(`destroy deletes only what it may and keeps in state what it could not delete, in ${rows.length} rows`, async () => {
  const serviceIds = [serviceAt(1), ...rows.map(({ serviceId }) => serviceId)];
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  const adopted = new Map(rows.map((row) => [row, seeded(simulator, row)]));
  const declared = (row: DestroyRow, more: JsonObject = {}) => ({
    kind: "Pipe" as const,
    name: row.name,
    args: { ...argsOf(row, adopted.get(row)), ...more },
    options: {},
  });
  const program = `${programOf(rows.map((row) => declared(row)))}\n${UNKNOWN_POLICY}`;
  const stack = await newStack({ simulator, program, config: { maxRetries: "0" } });
  await stack.up();
  const state = await stack.export();
  const idOf = (name: string): string => state.named(name).id ?? "";
  setServers(simulator, new Map(rows.map(({ name }) => [name, idOf(name)])));

  const outcome = await destroyed(simulator, stack);
  const table = rows.flatMap((row) =>
    violationsOf(row, idOf(row.name), outcome).map((violation) => `${row.name}: ${violation}`),
  );
  expect(table.join("\n")).toBe("");
  const keeps = new RegExp(`${idOf("unknown-policy")}.*keeps running`);
  expect(outcome.existing).toContain("unknown-policy");
  expect(outcome.lines).toContainEqual(expect.stringMatching(keeps));

  // The next steps that the errors name: retain the pipe, or run it again when the service has recovered.
  const failed = rows.filter(fails);
  const retained = failed.filter(({ origin }) => origin === "created");
  const next = failed.map((row) => declared(row, retained.includes(row) ? { deletionPolicy: "retain" } : {}));
  await stack.write(programOf(next));
  takeWrites(simulator);
  await stack.up();
  simulator.control.clearFaults();
  await stack.destroy();
  expect((await stack.export()).ofType("Pipe")).toEqual([]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  for (const row of failed)
    expect([row.name, left.includes(row.name)]).toEqual([row.name, retained.includes(row)]);
  expect(takeWrites(simulator)).toHaveLength(failed.length - retained.length);
});
