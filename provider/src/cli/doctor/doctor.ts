import { Secrets } from "../../api/secrets/redaction";
import { counted } from "../../messages/enumerated";
import { printable, printableJson } from "../../messages/printable";
import { SETTINGS } from "../../settings/settings";
import { ReportedFailure, type Output } from "../output";
import { styledText, type Style } from "../style";
import { ok, type DoctorFinding } from "./finding";
import { checkPackage } from "./package";
import { checkLinker, readProject, type Project } from "./project";
import { checkProxy, proxySecrets } from "./proxy";
import { checkService } from "./service";
import { checkSettings, configurationOf } from "./settings";
import { credentialsOf } from "./shown-url";
import { checkStart } from "./start";
import { checkStack, type Stack } from "./stack";
import { checkCli, checkNode, checkSdk } from "./versions";

export interface DoctorOptions {
  readonly stack?: string;
  readonly json: boolean;
}

const MARKS = { ok: "✔", warning: "!", failed: "✘" } as const;

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
    ...(fix !== undefined && { fix: readable(ofStack(fix, options.stack)) }),
  }));
  const isSound = shown.every(({ status }) => status !== "failed");
  if (options.json) output.result(`${printableJson({ ok: isSound, findings: shown })}\n`);
  else output.result(textOf(shown), styled);
  if (!isSound) throw new ReportedFailure();
}

/** All findings, in a fixed order. */
async function findings(
  { stack: wanted }: DoctorOptions,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<readonly DoctorFinding[]> {
  const project = readProject(process.cwd());
  secrets.add(...proxySecrets(), ...backendSecrets(project.backendUrl));
  say(`Checking the set-up of ${project.folder} …`);
  const cli = await checkCli(project);
  const isStackReadable = cli.isThere || (project.file === undefined && wanted === undefined);
  const stack: Stack = isStackReadable ? await checkStack(project, wanted) : { findings: [] };
  return [
    ...checkNode(project),
    ...ofPackages(project, cli.findings),
    ...project.findings,
    ...checkStart(project),
    ...stack.findings,
    ...(await connection(stack, secrets, say)),
  ];
}

/** The findings on the packages of the program, around those on the CLI. A program in another language needs none of them. */
function ofPackages(project: Project, ofCli: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const { name = "nodejs" } = project.runtime ?? {};
  if (name !== "nodejs")
    return [
      ...ofCli,
      ok("package", `The program runs on ${name}, with the native plugin: it needs no package of npm.`),
    ];
  const ofLinker = checkLinker(project);
  // This process cannot find a package then, whether it is installed or not.
  if (ofLinker.some(({ status }) => status === "failed")) return [...ofCli, ...ofLinker];
  return [...checkSdk(project), ...ofCli, ...checkPackage(project), ...ofLinker];
}

/** What the Pulumi CLI may quote: the credentials of its backend, and the passphrase of the stack. */
const backendSecrets = (backendUrl = ""): readonly string[] => [
  ...[backendUrl, read("PULUMI_BACKEND_URL")].flatMap(credentialsOf),
  ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"].map(read),
];

const read = (variable: string): string => process.env[variable] ?? "";

/** The findings on the settings, and on the API that they name. */
async function connection(
  stack: Stack,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<readonly DoctorFinding[]> {
  const { configuration: stackConfiguration } = stack;
  if (stackConfiguration === undefined) return [];
  const configuration = configurationOf(stackConfiguration);
  const { apiKeySecret = "", baseUrl } = configuration.values;
  const unused = read(SETTINGS.apiKeySecret.environment);
  secrets.add(apiKeySecret, unused);
  const { findings: ofService, isKeyAccepted } = await checkService(configuration, say);
  return [
    ...checkSettings({ ...stack, configuration: stackConfiguration }, configuration, isKeyAccepted),
    ...(await checkProxy(baseUrl)),
    ...ofService,
  ];
}

/** The fix with the option that names the stack, unless the stack is the selected one. */
const ofStack = (fix: string, stack: string | undefined): string =>
  stack === undefined
    ? fix
    : fix.replaceAll(/\bpulumi config (set|rm)\b/g, `pulumi config $1 --stack ${stack}`);

function textOf(shown: readonly DoctorFinding[]): string {
  const lines = shown.flatMap(({ status, message, fix }) => [
    `${MARKS[status]} ${message}`,
    ...(fix === undefined ? [] : [`    ${fix}`]),
  ]);
  return `${[...lines, "", summaryOf(shown)].join("\n")}\n`;
}

const STYLES: readonly (readonly [line: RegExp, style: Style])[] = [
  [/^✔|^Everything is in order\.$/gm, "green"],
  [/^! .*$/gm, "yellow"],
  [/^✘ .*$/gm, "red"],
  // What mends it.
  [/(?<=^ {4}).*$/gm, "bold"],
];

const styled = (text: string): string =>
  STYLES.reduce((shown, [line, style]) => shown.replace(line, (found) => styledText(style, found)), text);

function summaryOf(shown: readonly DoctorFinding[]): string {
  const count = (status: DoctorFinding["status"], noun: string): readonly string[] => {
    const { length } = shown.filter((finding) => finding.status === status);
    return length === 0 ? [] : [counted(length, noun)];
  };
  const parts = [...count("failed", "problem"), ...count("warning", "warning")];
  return parts.length === 0 ? "Everything is in order." : parts.join(", ");
}
