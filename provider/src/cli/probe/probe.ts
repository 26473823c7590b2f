import { render } from "../../messages/next-steps";
import { ReportedFailure, type Output } from "../output";
import { readStackConfiguration } from "../stack-configuration";
import type { Evidence } from "./evidence";
import { readPipeFile, type PipeOfFile } from "./pipe-file";
import { readService } from "./reading";
import { findingsOf, jsonOf, markdownOf, sentencesOf } from "./report";
import { Session } from "./session";
import { PipeWriter } from "./writing";
import type { Written } from "./written";

export interface ProbeOptions {
  readonly stack?: string;
  readonly ids: boolean;
  readonly json: boolean;
  /** The three are given together. */
  readonly write: boolean;
  readonly namePrefix?: string;
  readonly pipe?: string;
}

/** Compares a service with what the provider assumes, and prints each assumption. */
export async function probe(options: ProbeOptions, output: Output): Promise<void> {
  const configuration = await readStackConfiguration(options.stack);
  await probeFrom((key) => configuration.get(key)?.value, options, output);
}

/** The same with the texts of settings. */
export async function probeFrom(
  read: (key: string) => string | undefined,
  options: ProbeOptions,
  output: Output,
): Promise<void> {
  const session = new Session(read, options.ids, output);
  try {
    const { write: writes, pipe: file, namePrefix = "" } = options;
    // Checked before the first request.
    const pipe = writes && file !== undefined ? await readPipeFile(session, file, namePrefix) : undefined;
    const evidence = await readService(session);
    const written = pipe && (await write(session, pipe));
    report(session, { ...evidence, ...(written && { written }) }, options, output);
  } catch (error) {
    if (error instanceof ReportedFailure) throw error;
    session.say(`error: ${render(error)}`);
    throw new ReportedFailure();
  }
}

/** Writes. Ctrl-C ends the steps, and what was created is taken away. */
async function write(session: Session, { inputs, name }: PipeOfFile): Promise<Written> {
  const { interrupt } = session;
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await new PipeWriter(session, inputs, name).run();
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

function report(
  { shown, say }: Session,
  evidence: Evidence,
  { ids, json }: ProbeOptions,
  output: Output,
): void {
  const findings = findingsOf(evidence, ids, shown);
  const { left = [], failure } = evidence.written ?? {};
  const sentences = sentencesOf(left, ids, shown);
  output.result(json ? jsonOf(findings, sentences) : markdownOf(findings, sentences));
  for (const sentence of sentences) say(`warning: ${sentence}`);
  if (failure !== undefined) say(`error: The probe ended early: ${render(failure)}`);
  if (failure !== undefined || findings.some(({ verdict }) => verdict === "not handled"))
    throw new ReportedFailure();
}
