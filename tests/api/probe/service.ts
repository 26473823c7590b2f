import { writeFile } from "node:fs/promises";
import path from "node:path";
import { probeFrom } from "../../../provider/src/cli/probe/probe";
import type { Finding } from "../../../provider/src/cli/probe/report";
import { ReportedFailure } from "../../../provider/src/cli/output";
import { complete, creationBody, KINDS, withValues } from "../../../testkit/pipes";
import type { JsonObject, SourceKind } from "../../../testkit/pipes";
import { canaryAt, withCanaries } from "../../../testkit/pipe-secrets";
import { temporaryFolder } from "../../../testkit/folder";
import { connectionOf, newSimulator } from "../../../testkit/simulator";
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
export async function newService(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await newSimulator(options);
  simulator.control.seedPipes(KINDS.map((kind) => creationBody(kind, pipeOf(kind))));
  return simulator;
}

/** Names with capital letters show a service that keeps them in lower case. */
const NAMES = { "destination.table": "Orders", "destination.database": "Sales" };

export interface Probed {
  readonly code: 0 | 1;
  readonly findings: readonly Finding[];
  readonly left: readonly string[];
  readonly output: string;
}

/** Probes with `--json`; with a pipe, also writes. */
export async function probe(
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
export const differing = ({ findings }: Probed): readonly Finding[] =>
  findings.filter(({ verdict }) => verdict === "handled" || verdict === "not handled");
