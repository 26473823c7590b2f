import { writeFile } from "node:fs/promises";
import path from "node:path";
import { ReportedFailure } from "../../../provider/src/cli/output";
import { probeFrom } from "../../../provider/src/cli/probe/probe";
import { ASSUMPTIONS, type Finding } from "../../../provider/src/cli/probe/report";
import { type Fault, PROFILES, type Profile } from "../../../simulator/src/index";
import { canary, leaks, canaryAt, pipeCanaries, withCanaries } from "../../../testkit/canary";
import { temporaryFolder } from "../../../testkit/started";
import { complete, creationBody, KINDS, minimal, withValues } from "../../../testkit/pipes";
import type { JsonObject, SourceKind } from "../../../testkit/pipes";
import { connectionOf, newSimulator, takeWrites } from "../../../testkit/simulator";
import type { Simulator, SimulatorOptions } from "../../../testkit/simulator";

const CONNECTION = "source.objectStorage.connectionString";

/** A pipe of a kind with every field, whose secrets are canaries. */
function pipeOf(kind: SourceKind, names: Record<string, string> = {}): JsonObject {
  const args = withCanaries(withValues(complete[kind], names), kind);
  // Services mask the values of such members.
  return kind === "objectStorage"
    ? withValues(args, { [CONNECTION]: `AccountName=demo;AccountKey=${canaryAt(CONNECTION)}` })
    : args;
}

/** A service with a pipe of each kind that has every field. */
async function newService(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await newSimulator(options);
  simulator.control.seedPipes(KINDS.map((kind) => creationBody(kind, pipeOf(kind))));
  return simulator;
}

/** Names with capital letters show a service that keeps them in lower case. */
const NAMES = { "destination.table": "Orders", "destination.database": "Sales" };

interface Probed {
  readonly code: 0 | 1;
  readonly findings: readonly Finding[];
  readonly left: readonly string[];
  readonly output: string;
}

/** Probes with `--json`; with a pipe, also writes. */
async function probe(
  simulator: Simulator,
  { kind, ids = false, json = true }: { kind?: SourceKind; ids?: boolean; json?: boolean } = {},
): Promise<Probed> {
  const file = path.join(await temporaryFolder("probe"), "pipe.json");
  if (kind !== undefined) await writeFile(file, JSON.stringify(pipeOf(kind, NAMES)));
  const { apiKeySecret } = simulator.account;
  const settings: Record<string, string> = { ...connectionOf(simulator), apiKeySecret, maxRetries: "0" };
  const said = { result: "", progress: "" };
  const output = {
    result: (text: string) => (said.result += text),
    progress: (text: string) => (said.progress += text),
  };
  const write = { write: kind !== undefined, namePrefix: "probe-", pipe: file };
  let code: 0 | 1 = 0;
  await probeFrom((key) => settings[key.replace("datapipes:", "")], { ...write, ids, json }, output).catch(
    (error: unknown) => {
      if (!(error instanceof ReportedFailure)) throw error;
      code = 1;
    },
  );
  const { findings, left } = (json && said.result !== "" ? JSON.parse(said.result) : {}) as Partial<Probed>;
  return { code, findings: findings ?? [], left: left ?? [], output: said.result + said.progress };
}

/** What differs from what the provider assumes. */
const differing = ({ findings }: Probed): readonly Finding[] =>
  findings.filter(({ verdict }) => verdict === "handled" || verdict === "not handled");

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/i;

describe("a faithful service", () => {
  test.each<[what: string, seeds: readonly SourceKind[]]>([
    ["no pipe", []],
    ["one small pipe", ["kinesis"]],
    ["small pipes of every kind", KINDS],
  ])("with %s has no finding, and sees GETs only", async (_, seeds) => {
    const simulator = await newSimulator();
    simulator.control.seedPipes(seeds.map((kind) => creationBody(kind, minimal[kind])));
    const probed = await probe(simulator);
    expect([probed.code, differing(probed)]).toEqual([0, []]);
    const methods = new Set(simulator.control.requests().map(({ method }) => method));
    expect([...methods]).toEqual(["GET"]);
  });

  test.each(KINDS)(
    "creates the %s pipe of the file, changes each kind of field, and has no pipe of the probe after it",
    async (kind) => {
      const simulator = await newService();
      const before = simulator.control.state().pipes.map(({ id }) => id);
      const probed = await probe(simulator, { kind });
      expect([probed.code, differing(probed), probed.left]).toEqual([0, [], []]);
      expect(simulator.control.state().pipes.map(({ id }) => id)).toEqual(before);
      const sent = takeWrites(simulator);
      expect(sent.every(({ path }) => before.every((id) => !path.includes(id)))).toBe(true);
      const created = sent
        .filter(({ method }) => method === "POST")
        .map(({ body }) => body as { name: string });
      expect(created.map(({ name }) => /^probe-[0-9a-f]{8}$/.test(name))).toEqual([true, true, true]);
      expect(sent.filter(({ method }) => method === "DELETE")).toHaveLength(3);
      expect(leaks({ output: probed.output }, pipeCanaries)).toEqual([]);
    },
  );
});

/** A line that names the flag, and its verdict; `until a write` where only `--write` can show it. */
type Named = "handled" | "not handled" | "until a write";

test.each<[profile: Profile, read: Named, kind: SourceKind, written: Named]>([
  ["quantity", "handled", "kafka", "handled"],
  ["omit", "handled", "kafka", "handled"],
  ["zero-later", "until a write", "kafka", "handled"],
  ["sparse", "until a write", "kinesis", "handled"],
  ["masked", "handled", "objectStorage", "handled"],
  ["cidr", "until a write", "kafka", "until a write"],
  ["lower-case", "until a write", "kafka", "handled"],
  ["recheck-connection", "until a write", "postgres", "handled"],
  ["pause-required", "until a write", "postgres", "not handled"],
])("the profile %s is %s, and after a write %s pipe %s", async (profile, read, kind, written) => {
  const simulator = await newService({ profiles: [profile] });
  for (const [options, expected] of [
    [{}, read],
    [{ kind }, written],
  ] as const) {
    const probed = await probe(simulator, options);
    const named = probed.findings.filter(({ simulator: flags }) => flags.includes(`--profile ${profile}`));
    const verdicts = named.map(({ verdict, seen }) =>
      seen.startsWith("unknown until a write") ? "until a write" : verdict,
    );
    expect(verdicts).toContain(expected);
    expect(probed.code).toBe(expected === "not handled" ? 1 : 0);
    expect(probed.left).toEqual([]);
  }
});

test("every profile has an assumption", () => {
  const named = ASSUMPTIONS.flatMap(
    ({ simulator = [] }) => simulator.join().match(/(?<=--profile )[\w-]+/g) ?? [],
  );
  expect([...new Set(named)].sort()).toEqual([...PROFILES].sort());
});

test.each<[flag: string, options: SimulatorOptions, kind: SourceKind | undefined]>([
  ["--nulls", { nulls: true }, undefined],
  ["--time-format without-zone", { timeFormat: "without-zone" }, undefined],
  ["--time-format unix-seconds", { timeFormat: "unix-seconds" }, undefined],
  ["--time-format absent", { timeFormat: "absent" }, undefined],
  ["--clock-skew 90", { clockSkewSeconds: 90 }, undefined],
  ["--ignore-settings", { ignoreSettings: true }, "kafka"],
  ["--no-deletes", { deletes: false }, "kafka"],
  ["--read-lag 1", { readLagSeconds: 0.5 }, "kinesis"],
])("a service like %s is handled", async (flag, options, kind) => {
  const probed = await probe(await newService(options), kind === undefined ? {} : { kind });
  const verdicts = differing(probed).flatMap(({ simulator, verdict }) =>
    simulator.includes(flag) ? [verdict] : [],
  );
  expect([verdicts, probed.code]).toEqual([["handled"], 0]);
});

const secret = canary("probe-secret");
const ofFindings = (findings: readonly Finding[], seen: RegExp) =>
  findings.filter((one) => seen.test(one.seen));
const login = { username: "u", password: secret };
const yesAsText = { destination: { managedTable: "yes" } };
const pigeon = { kafka: null, carrierPigeon: { loft: secret } };
const inKafka = (kafka: object) => ({ source: { kafka } });

/** A pipe of a service that no profile is like: what is in it, and the verdict of the line that says it. */
test.each<[what: string, edit: object, verdict: string, seen: RegExp]>([
  ["an unknown field", { owner: { [secret]: secret } }, "handled", /`owner` \(1 of 4 pipes\)/],
  ["a flag as text", yesAsText, "not handled", /`destination.managedTable` \(1 of 4 pipes\)/],
  ["a number as text", { scaling: { replicas: "2" } }, "handled", /`scaling.replicas` \(1 of 4 pipes\)/],
  ["a credential", inKafka({ credentials: login }), "handled", /`source.kafka.credentials`/],
  ["a masked name", inKafka({ consumerGroup: "******" }), "handled", /`source.kafka.consumerGroup`/],
  ["a state of its own", { state: "Dreaming" }, "handled", /also `Dreaming`/],
  ["a state with a secret", { state: `is ${secret}` }, "handled", /also a text of another form/],
  ["no name", { name: null }, "not handled", /missing or of another type: `name`/],
  ["a time of its own", { createdAt: "yesterday" }, "handled", /another form/],
  ["a name twice", { name: "kinesis" }, "handled", /2 pipes share a name/],
  ["a kind of its own", { source: pigeon }, "handled", /1 pipe of 4 left out/],
])("a service with %s is named, without its values and ids", async (_, edit, verdict, seen) => {
  const simulator = await newService();
  const [pipe] = simulator.control.state().pipes;
  simulator.control.editPipe(pipe?.id ?? "", edit);
  const probed = await probe(simulator);
  expect(ofFindings(differing(probed), seen).map((finding) => finding.verdict)).toEqual([verdict]);
  expect(probed.code).toBe(verdict === "not handled" ? 1 : 0);
  expect(probed.output).not.toMatch(UUID);
  expect(leaks({ output: probed.output }, [secret, ...pipeCanaries])).toEqual([]);
  const [first] = ofFindings(differing(await probe(simulator, { ids: true })), seen);
  if (first?.pipes !== undefined) expect(first.pipes).toContain(pipe?.id);
});

const REQUEST_ID = "0a1b2c3d-0000-4000-8000-00000000000a";
const page = (list: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  ({
    operationId: "listPipes",
    kind: "status",
    status: 200,
    times: "always",
    headers,
    body: { status: 200, requestId: REQUEST_ID, result: list, ...more },
  }) as const;

test("a value that changes by itself is named by its field, and as a difference of the next refresh", async () => {
  const simulator = await newService();
  const [{ credentialsDigest: _, ...pipe } = {}] = simulator.control.state().pipes;
  const tables = ["one", "two"].map((table) => ({ ...pipe, destination: { table } }));
  for (const listed of tables) simulator.control.fault({ ...page([listed]), times: 1 });
  const probed = await probe(simulator);
  expect(differing(probed).map(({ verdict, seen }) => [verdict, seen])).toEqual([
    ["handled", expect.stringContaining("differs in `destination`")],
    ["not handled", "1 pipe of 1 would change: `destination.table`"],
  ]);
});

const otherType = { kind: "wrong-content-type", times: "always" } as const;
const webPage = { kind: "html", status: 404, times: "always" } as const;
const broken = { kind: "status", status: 500 } as const;
const stated = { "ratelimit-remaining": "7", "ratelimit-limit": "10" };

test.each<[what: string, fault: Fault, verdict: string, seen: RegExp]>([
  ["a list of pages", page([], { nextCursor: "abc" }), "not handled", /`nextCursor`/],
  ["an id that is no UUID", page([{ id: "p1", name: secret }]), "not handled", /1 of 1 entry have no UUID/],
  ["another content type", { operationId: "*", ...otherType }, "handled", /`text\/plain`/],
  ["a page as an error", { operationId: "getPipeSettings", ...webPage }, "not handled", /status 404/],
  ["a stated limit", page([], {}, stated), "as assumed", /7 of 10 requests are left/],
  ["backups that cannot be listed", { operationId: "listBackups", ...broken }, "not handled", /status 500/],
])("%s is named", async (_, fault, verdict, seen) => {
  const simulator = await newService();
  simulator.control.fault(fault);
  const { findings, output } = await probe(simulator);
  expect(ofFindings(findings, seen).map((finding) => finding.verdict)).toContain(verdict);
  expect(leaks({ output }, [secret])).toEqual([]);
});

describe("--write, where something fails,", () => {
  const third = { kind: "reset-before", after: 3, times: 1 } as const;

  test.each<[what: string, fault: Fault]>([
    ["the answer to createPipe is lost", { operationId: "createPipe", kind: "reset-after" }],
    ["an update has no answer", { operationId: "updatePipe", kind: "reset-before" }],
    ["the list fails after the create", { operationId: "listPipes", ...third }],
  ])("takes the pipe away although %s", async (_, fault) => {
    const simulator = await newService();
    simulator.control.fault(fault);
    const probed = await probe(simulator, { kind: "kafka" });
    expect([probed.code, probed.left]).toEqual([1, []]);
    expect(probed.output).toContain("error: The probe ended early: ");
    expect(simulator.control.state().pipes).toHaveLength(4);
    expect(leaks({ output: probed.output }, pipeCanaries)).toEqual([]);
  });

  test("says which pipe it left, with its id only if ids are wanted", async () => {
    const simulator = await newService({ deletes: false });
    const { left, output } = await probe(simulator, { kind: "kafka" });
    expect(left).toEqual([
      expect.stringMatching(/^The service still has pipe "probe-[0-9a-f]{8}-renamed": delete it/),
    ]);
    expect(output).not.toMatch(UUID);
    const { left: withId } = await probe(simulator, { kind: "kafka", ids: true });
    expect(withId.join()).toMatch(UUID);
    expect(simulator.control.state().pipes).toHaveLength(6);
  });
});

test("the Markdown has every assumption, and a simulator that behaves like the service", async () => {
  const { output } = await probe(await newService({ profiles: ["quantity"], nulls: true }), { json: false });
  expect(output).toContain("`npx --no datapipes-simulator --nulls --profile quantity`");
  for (const { assumption } of ASSUMPTIONS) expect(output).toContain(`- **${assumption}**\n  - seen: `);
});
