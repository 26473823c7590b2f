import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
  type IConfigFile,
} from "@microsoft/api-extractor";
import { repository, type MadeFile } from "../made-files";

/** What programs can import: each has a report of its own. */
const ENTRY_POINTS = [
  { report: "pulumi-datapipes", folder: "provider", declarations: "dist/index.d.ts" },
  { report: "pulumi-datapipes-runtime", folder: "provider", declarations: "dist/runtime.d.ts" },
  { report: "pulumi-datapipes-simulator", folder: "simulator", declarations: "dist/index.d.ts" },
] as const;

const { Error: ERROR, None: NONE } = ExtractorLogLevel;

/** The linter and the compiler check comments and types. */
const ONLY_A_REPORT = {
  newlineKind: "lf",
  docModel: { enabled: false },
  dtsRollup: { enabled: false },
  tsdocMetadata: { enabled: false },
  messages: {
    compilerMessageReporting: { default: { logLevel: ERROR } },
    extractorMessageReporting: { default: { logLevel: NONE } },
    tsdocMessageReporting: { default: { logLevel: NONE } },
  },
} satisfies Partial<IConfigFile>;

/** The reports of all entry points, made from the compiled declarations. */
export function reports(): readonly MadeFile[] {
  const folder = mkdtempSync(path.join(tmpdir(), "datapipes-api-report-"));
  try {
    return ENTRY_POINTS.map((entry) => ({
      path: `docs/api/${entry.report}.api.md`,
      text: reportOf(entry, folder),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function reportOf({ report, folder, declarations }: (typeof ENTRY_POINTS)[number], target: string): string {
  const projectFolder = path.join(repository, folder);
  const reportFileName = `${report}.api.md`;
  const configObject: IConfigFile = {
    ...ONLY_A_REPORT,
    projectFolder,
    mainEntryPointFilePath: path.join(projectFolder, declarations),
    compiler: { tsconfigFilePath: path.join(projectFolder, "tsconfig.json") },
    // A type that is not exported is part of the surface where an exported one uses it.
    apiReport: {
      ...{ enabled: true, includeForgottenExports: true },
      ...{ reportFolder: target, reportTempFolder: target, reportFileName },
    },
  };
  const packageJsonFullPath = path.join(projectFolder, "package.json");
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath,
  });
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback: printError });
  if (!succeeded) throw new Error(`API Extractor refuses the declarations of ${report}.`);
  return readFileSync(path.join(target, reportFileName), "utf8");
}

function printError(message: ExtractorMessage): void {
  message.handled = true;
  if (message.logLevel === ExtractorLogLevel.Error)
    process.stderr.write(`${message.formatMessageWithLocation(repository)}\n`);
}
