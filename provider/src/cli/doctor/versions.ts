import { engines, peerDependencies } from "pulumi-datapipes/package.json";
import { pulumi, wordsOf } from "../stack-configuration";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import { addCommand, dedupeCommand, installedPackage, type InstalledPackage } from "./packages";
import type { Project } from "./project";
import { isIn, isOlder, versionIn } from "./version";

const SDK = "@pulumi/pulumi";
const SDK_RANGE = peerDependencies[SDK];
const LAST_SDK_OF_NODE_20 = "3.248.0";
/** The oldest CLI whose `pulumi import --file` takes inputs and outputs. */
const CLI_OF_IMPORT = "3.254.0";
/** As old as the oldest SDK. */
const OLDEST_CLI = /^>=(\S+)/.exec(SDK_RANGE)?.[1] ?? "3.216.0";
const INSTALL_CLI = "Install a current Pulumi CLI: https://www.pulumi.com/docs/install/";

export function checkNode(
  { programFolder }: Project,
  version = process.versions.node,
): readonly DoctorFinding[] {
  const sdk = installedPackage(SDK, programFolder);
  const wanted = sdk?.manifest.engines?.node ?? "*";
  if (!isIn(version, engines.node)) {
    const message = `Node ${version} is too old: pulumi-datapipes requires ${engines.node}.`;
    return [failed("node", message, "Install a current Node: https://nodejs.org/")];
  }
  if (sdk !== undefined && !isIn(version, wanted)) {
    const message = `Node ${version} is not enough for ${SDK} ${sdk.version}, which requires ${wanted}.`;
    const other = addCommand(`${SDK}@${LAST_SDK_OF_NODE_20}`, programFolder);
    return [
      failed("node", message, `Install a Node ${wanted}, or install an SDK for Node 20: \`${other}\`.`),
    ];
  }
  return [ok("node", `Node ${version} is in ${engines.node}.`)];
}

/** Checks the SDK that the program and that the package use. */
export function checkSdk({ programFolder }: Project): readonly DoctorFinding[] {
  const sdk = installedPackage(SDK, programFolder);
  const specification = isOlder(process.versions.node, "22.0.0")
    ? `${SDK}@${LAST_SDK_OF_NODE_20}`
    : `${SDK}@^${LAST_SDK_OF_NODE_20}`;
  const install = addCommand(specification, programFolder);
  if (sdk === undefined) return [failed("sdk", `${SDK} cannot be found from ${programFolder}.`, install)];
  if (!isIn(sdk.version, SDK_RANGE)) {
    const message = `${SDK} ${sdk.version} (${sdk.folder}) is not in ${SDK_RANGE}, which pulumi-datapipes requires.`;
    return [failed("sdk", message, install)];
  }
  return [ok("sdk", `${SDK} ${sdk.version} is in ${SDK_RANGE}.`), ...otherSdk(sdk, programFolder)];
}

/** The SDK that the package finds, if it is another copy than the program's. */
function otherSdk(sdk: InstalledPackage, programFolder: string): readonly DoctorFinding[] {
  const own = installedPackage("pulumi-datapipes", programFolder);
  const other = own && installedPackage(SDK, own.folder);
  if (other === undefined || other.folder === sdk.folder) return [];
  const message = `The program uses ${SDK} ${sdk.version} (${sdk.folder}), but pulumi-datapipes another copy, ${other.version} (${other.folder}).`;
  const fix = `Run \`${dedupeCommand(programFolder)}\`, and remove ${other.folder} if it is still there.`;
  return [warning("sdk", message, fix)];
}

/** The Pulumi CLI on the PATH. */
export interface Cli {
  readonly isThere: boolean;
  readonly findings: readonly DoctorFinding[];
}

export async function checkCli({ folder }: Project): Promise<Cli> {
  try {
    const version = versionIn(await pulumi(["version"], folder));
    return { isThere: true, findings: [versionFinding(version)] };
  } catch (error) {
    const message = `The Pulumi CLI does not run, so the stack was not checked: ${wordsOf(error)}`;
    return { isThere: false, findings: [failed("cli", message, INSTALL_CLI)] };
  }
}

function versionFinding(version: string | undefined): DoctorFinding {
  if (version === undefined) return warning("cli", "The Pulumi CLI does not print its version.", INSTALL_CLI);
  if (isOlder(version, OLDEST_CLI))
    return failed("cli", `Pulumi CLI ${version} is older than ${OLDEST_CLI}.`, INSTALL_CLI);
  if (isOlder(version, CLI_OF_IMPORT)) {
    const message = `Pulumi CLI ${version} is older than ${CLI_OF_IMPORT}, which \`pulumi import --file\` needs for the files of \`datapipes import\`.`;
    return warning("cli", message, INSTALL_CLI);
  }
  return ok("cli", `Pulumi CLI ${version} is at least ${CLI_OF_IMPORT}.`);
}
