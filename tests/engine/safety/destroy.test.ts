import { DEFAULT_ACCOUNT, type Fault } from "../../../simulator/src/index";
import { answer } from "../../../testkit/connected";
import { minimal } from "../../../testkit/pipes";
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
  readonly server: Server;
}

const rows = product<DestroyAxes>({
  stored: ["retain", "delete"],
  server: Object.keys(servers) as Server[],
}).map((row, index) => ({
  ...row,
  name: `destroy.${row.stored}.${row.server.replaceAll(/\W+/g, "-")}`,
  serviceId: serviceAt(0x2000 + index),
}));

type DestroyRow = (typeof rows)[number];

const fails = ({ stored, server }: DestroyRow): boolean => stored === "delete" && !certain.includes(server);

/** The policy of what stays is the default. */
const declared = ({ name, serviceId }: DestroyRow, stored: DestroyAxes["stored"]): Declaration => ({
  ...{ kind: "Pipe", name },
  args: { ...minimal.kafka, name, serviceId, ...(stored === "delete" && { deletionPolicy: stored }) },
});

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

function resultOf({ stored, name, serviceId }: DestroyRow, { preview, ...outcome }: Outcome) {
  const step = preview.steps.find(({ urn }) => nameIn(urn) === name);
  const isGone = (line: string) => line.includes(serviceId) && line.includes("no longer exists");
  return {
    ...{ name, op: step?.op, retains: step?.retains ?? stored === "retain" },
    sent: outcome.writes.flatMap(({ method, path, body }) =>
      path.includes(serviceId) ? [[method, body]] : [],
    ),
    error: outcome.errors.get(name),
    exists: outcome.existing.includes(name),
    isInState: outcome.held.includes(name),
    saysWhatIsGone: stored === "delete" && outcome.lines.some(isGone),
  };
}

function expectedOf(row: DestroyRow, id: string): ReturnType<typeof resultOf> {
  const { stored, server, name } = row;
  const isDeleted = stored === "delete";
  const named = [id, '"retain"', server.slice(0, 3)].map((text) => `(?=[^]*${text})`);
  return {
    ...{ name, op: "delete", retains: !isDeleted },
    sent: isDeleted ? [["DELETE", null]] : [],
    error: fails(row) ? (expect.stringMatching(new RegExp(named.join(""))) as string) : undefined,
    exists: (!isDeleted || fails(row)) && !["service gone", "pipe gone"].includes(server),
    isInState: fails(row),
    saysWhatIsGone: isDeleted && server === "service gone",
  };
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
  const program = `${programOf(rows.map((row) => declared(row, row.stored)))}\n${UNKNOWN_POLICY}`;
  const stack = await newStack({ simulator, program, config: { maxRetries: "0" } });
  await stack.up();
  const state = await stack.export();
  const idOf = (name: string): string => state.named(name).id ?? "";
  setServers(simulator, new Map(rows.map(({ name }) => [name, idOf(name)])));

  const outcome = await destroyed(simulator, stack);
  const expected = rows.map((row) => expectedOf(row, idOf(row.name)));
  expect(rows.map((row) => resultOf(row, outcome))).toEqual(expected);
  expect(outcome.existing).toContain("unknown-policy");
  expect(outcome.lines.join("\n")).toMatch(new RegExp(`${idOf("unknown-policy")}.*keeps running`));

  // The next steps that the errors name: retain the pipe, or run it again when the service has recovered.
  const failed = rows.filter(fails);
  const retained = failed.filter(({ server }) => server !== "405");
  const next = failed.map((row) => declared(row, retained.includes(row) ? "retain" : "delete"));
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
