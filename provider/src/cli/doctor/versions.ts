import { engines, peerDependencies } from "pulumi-datapipes/package.json";
import { pulumi, wordsOf } from "../stack-configuration";
import { failed, ok, type DoctorFinding } from "./finding";
import { addCommand, installedPackage } from "./package";
import type { Project } from "./project";

const SDK = "@pulumi/pulumi";
const OLDEST_CLI = "3.254.0";
const LAST_SDK_OF_NODE_20 = "3.248.0";
const INSTALL_CLI = "Install a current Pulumi CLI: https://www.pulumi.com/docs/install/";

/** The lower bound of a range of versions. */
const leastOf = (range: string): string => /\d[\d.]*/.exec(range)?.[0] ?? "0";

/** As old as the oldest SDK. */
const OLDEST_SDK = leastOf(peerDependencies[SDK]);

const isOlder = (version: string, other: string): boolean =>
  version.localeCompare(other, "en", { numeric: true }) < 0;

export function checkNode(version = process.versions.node): DoctorFinding {
  if (isOlder(version, leastOf(engines.node))) {
    const message = `Node ${version} is too old: pulumi-datapipes requires ${engines.node}.`;
    return failed("node", message, "Install a current Node: https://nodejs.org/");
  }
  return ok("node", `Node ${version} satisfies ${engines.node}.`);
}

export function checkSdk({ programFolder }: Project, node = process.versions.node): DoctorFinding {
  const sdk = installedPackage(SDK, programFolder);
  const newest = isOlder(node, "22") ? LAST_SDK_OF_NODE_20 : `^${LAST_SDK_OF_NODE_20}`;
  const fix = addCommand(`${SDK}@${newest}`, programFolder);
  if (sdk === undefined) return failed("sdk", `${SDK} cannot be found from ${programFolder}.`, fix);
  const { version, folder, engines: required } = sdk;
  const tooOld = `${SDK} ${version} (${folder}) is older than ${OLDEST_SDK}, which pulumi-datapipes requires.`;
  if (isOlder(version, OLDEST_SDK)) return failed("sdk", tooOld, fix);
  const wrongNode = `${SDK} ${version} requires Node ${required.node}, and this is Node ${node}.`;
  if (isOlder(node, leastOf(required.node))) return failed("sdk", wrongNode, fix);
  return ok("sdk", `${SDK} ${version} is at least ${OLDEST_SDK}.`);
}

/** Checks the Pulumi CLI on the PATH. */
export async function checkCli({ folder }: Project): Promise<DoctorFinding> {
  try {
    const version = (await pulumi(["version"], folder)).trim().replace(/^v/, "");
    if (isOlder(version, OLDEST_CLI))
      return failed("cli", `Pulumi CLI ${version} is older than ${OLDEST_CLI}.`, INSTALL_CLI);
    return ok("cli", `Pulumi CLI ${version} is at least ${OLDEST_CLI}.`);
  } catch (error) {
    return failed("cli", `The Pulumi CLI does not run: ${wordsOf(error)}`, INSTALL_CLI);
  }
}
