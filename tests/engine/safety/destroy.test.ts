import { DEFAULT_ACCOUNT, type Fault } from "../../../simulator/src/index";
import { answer } from "../../../testkit/connected";
import { seed } from "../../../testkit/imported";
import { minimal, withValue, type JsonObject } from "../../../testkit/pipes";
import { product } from "../../../testkit/pairwise";
import { newSimulator, takeWrites, writes, type Simulator } from "../../../testkit/simulator";
import { newStack, type TestStack } from "../../../testkit/stack";
import { messagesOf } from "../../../testkit/messages";
import { errorsOf, nameIn, previewOf } from "./observation";
import { programOf, type Declaration } from "./program";
import { serviceAt } from "./stack-of-rows";

const refusal = (status: number): Fault => {
  return { operationId: "deletePipe", kind: "status", status, times: 1000 };
};

/** The list of a service without pipes. */
const emptyList = (times: number): Fault => ({ operationId: "listPipes", ...answer([]), times });

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

const rows = product<DestroyAxes>({
  stored: ["retain", "delete"],
  origin: ["created", "adopted"],
  server: Object.keys(servers) as Server[],
}).map((row, index) => ({
  ...row,
  name: `destroy.${row.stored}.${row.origin}.${row.server.replaceAll(/\W+/g, "-")}`,
  serviceId: serviceAt(0x2000 + index),
}));

type DestroyRow = (typeof rows)[number];

const fails = ({ stored, server }: DestroyRow): boolean => stored === "delete" && !certain.includes(server);

/** The policy of what is created and stays is the default. */
function declared({ name, serviceId, stored, origin }: DestroyRow, adopt?: string): Declaration {
  const pipe = { ...withValue(minimal.kafka, "destination.table", name), name, serviceId };
  const isDefault = origin === "created" && stored === "retain";
  const policies: JsonObject = isDefault
    ? {}
    : { deletionPolicy: stored, ...(adopt !== undefined && { adopt }) };
  return { kind: "Pipe", name, args: { ...pipe, ...policies } };
}

/** Creates the pipe that a row adopts. */
function seeded({ control }: Simulator, { name, serviceId, origin }: DestroyRow): string | undefined {
  if (origin === "created") return undefined;
  const pipe = withValue(minimal.kafka, "destination.table", name);
  return control.seedPipes([seed(name, pipe)], serviceId)[0]?.id;
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

type Outcome = Awaited<ReturnType<typeof destroyed>>;

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
    [outcome.existing.includes(name) === stays, "the pipe is not as it is meant to be"],
    [
      outcome.held.includes(name) === fails(row),
      `the state ${fails(row) ? "does not hold" : "still holds"} it`,
    ],
    [(error !== undefined) === fails(row), `the error is ${error ?? "missing"}`],
    [
      error === undefined || named.every((text) => error.includes(text)),
      `the error does not name ${named.join(", ")}: ${error ?? ""}`,
    ],
    [stored === "retain" || saysGone === (server === "service gone"), "a line does not say what is gone"],
  ];
  return checks.filter(([holds]) => !holds).map(([, violation]) => violation);
}

async function destroyed(simulator: Simulator, stack: TestStack) {
  const preview = previewOf(await stack.pulumi(["destroy", "--preview-only", "--json"]));
  simulator.control.clearRequests();
  const run = await stack.destroy({ flags: ["--continue-on-error"], expectFailure: true });
  return {
    preview,
    errors: errorsOf(run),
    /** The other messages. */
    lines: messagesOf(run.output).flatMap(({ isError, text }) => (isError ? [] : text.split("\n"))),
    /** The names of the rows whose pipe exists. */
    existing: simulator.control.state().pipes.map(({ name }) => name),
    /** The logical names in the state. */
    held: (await stack.export()).ofType("Pipe").map(({ urn }) => nameIn(urn)),
    writes: writes(simulator),
  };
}

/** A pipe whose policy the program knows only when it runs. */
const UNKNOWN_POLICY = `new datapipes.Pipe("unknown-policy", { ...${JSON.stringify(minimal.kafka)}, deletionPolicy: pulumi.output("retain") });`;

test(`destroy deletes only what it may and keeps in state what it could not delete, in ${rows.length} rows`, async () => {
  const serviceIds = [serviceAt(1), ...rows.map(({ serviceId }) => serviceId)];
  const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
  const pipes = rows.map((row) => declared(row, seeded(simulator, row)));
  const program = `${programOf(pipes)}\n${UNKNOWN_POLICY}`;
  const stack = await newStack({ simulator, program, config: { maxRetries: "0" } });
  await stack.up();
  const state = await stack.export();
  const idOf = (name: string): string => state.named(name).id ?? "";
  setServers(simulator, new Map(rows.map(({ name }) => [name, idOf(name)])));

  const outcome = await destroyed(simulator, stack);
  const violations = rows.flatMap((row) =>
    violationsOf(row, idOf(row.name), outcome).map((violation) => `${row.name}: ${violation}`),
  );
  expect(violations).toEqual([]);
  expect(outcome.existing).toContain("unknown-policy");
  expect(outcome.lines.join("\n")).toMatch(new RegExp(`${idOf("unknown-policy")}.*keeps running`));

  // The next steps that the errors name: retain the pipe, or run it again when the service has recovered.
  const failed = rows.filter(fails);
  const retained = failed.filter(({ origin }) => origin === "created");
  const next = failed.map((row): Declaration => {
    const pipe = pipes[rows.indexOf(row)] ?? declared(row);
    return retained.includes(row) ? { ...pipe, args: { ...pipe.args, deletionPolicy: "retain" } } : pipe;
  });
  await stack.write(programOf(next));
  takeWrites(simulator);
  await stack.up();
  simulator.control.clearFaults();
  await stack.destroy();
  expect((await stack.export()).ofType("Pipe")).toEqual([]);
  const left = simulator.control.state().pipes.map(({ name }) => name);
  const names = failed.map(({ name }) => name);
  expect(names.filter((name) => left.includes(name))).toEqual(retained.map(({ name }) => name));
  expect(takeWrites(simulator)).toHaveLength(failed.length - retained.length);
});
