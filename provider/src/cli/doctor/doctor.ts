import { Secrets } from "../../api/secrets/redaction";
import { counted } from "../../messages/enumerated";
import { printable } from "../../messages/printable";
import { printableJson } from "../../messages/quoted";
import { SETTINGS } from "../../settings/settings";
import { ReportedFailure, type Output, type Style } from "../output";
import { ok, type DoctorFinding } from "./finding";
import { checkPackage } from "./package";
import { readProject } from "./project";
import { checkService } from "./service";
import { checkSettings, configurationOf } from "./settings";
import { checkStack } from "./stack";
import { checkCli, checkNode, checkSdk } from "./versions";

export interface DoctorOptions {
  readonly stack?: string;
  readonly json?: boolean;
}

const MARKS = { ok: "✔", warning: "!", failed: "✘" };
const STYLES = { ok: "green", warning: "yellow", failed: "red" } as const;

export async function doctor(options: DoctorOptions, output: Output): Promise<void> {
  const secrets = new Secrets();
  const readable = (text: string): string => printable(secrets.redact(text));
  const say = (line: string): void => {
    output.progress(`${readable(line)}\n`);
  };
  const found = await findings(options, secrets, say);
  const shown = found.map(({ message, fix, ...rest }) => ({
    ...rest,
    message: readable(message),
    ...(fix !== undefined && { fix: readable(fix) }),
  }));
  const isSound = shown.every(({ status }) => status !== "failed");
  if (options.json) output.result(`${printableJson({ ok: isSound, findings: shown })}\n`);
  else printLines(shown, output);
  if (!isSound) throw new ReportedFailure();
}

async function findings(
  { stack: wanted }: DoctorOptions,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<readonly DoctorFinding[]> {
  const project = readProject(process.cwd());
  const cli = await checkCli(project);
  const ofProgram =
    project.language === undefined
      ? [checkSdk(project), cli, checkPackage(project)]
      : [cli, ok("package", `The program runs on ${project.language}: it needs no npm package.`)];
  const before = [checkNode(), ...ofProgram];
  // Without the CLI, only the environment can be read.
  if (cli.status === "failed" && (project.hasFile || wanted !== undefined)) return before;
  const { finding, stack } = await checkStack(project, wanted);
  if (stack === undefined) return [...before, finding];
  const configuration = configurationOf(stack);
  secrets.add(configuration.values.apiKeySecret ?? "", process.env[SETTINGS.apiKeySecret.environment] ?? "");
  const ofService = await checkService(configuration, stack, say);
  return [...before, finding, ...checkSettings(stack, configuration), ...ofService];
}

function printLines(shown: readonly DoctorFinding[], output: Output): void {
  const lines: string[] = [];
  const styles: Style[] = [];
  for (const { status, message, fix } of shown) {
    lines.push(`${MARKS[status]} ${message}`);
    styles.push(STYLES[status]);
    if (fix === undefined) continue;
    lines.push(`    ${fix}`);
    styles.push("bold");
  }
  output.result([...lines, "", summaryOf(shown), ""].join("\n"), styles);
}

function summaryOf(shown: readonly DoctorFinding[]): string {
  const count = (status: DoctorFinding["status"], noun: string): readonly string[] => {
    const { length } = shown.filter((finding) => finding.status === status);
    return length === 0 ? [] : [counted(length, noun)];
  };
  const parts = [...count("failed", "problem"), ...count("warning", "warning")];
  return parts.length === 0 ? "No problems found." : parts.join(", ");
}
