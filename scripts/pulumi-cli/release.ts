import semver from "semver";
import type { Report } from "./report";

/** The release that is downloaded or built when the machine has no CLI. The Go modules in `go/` pin the same one. */
export const pinnedVersion = "3.259.0";

/** The oldest CLI whose `pulumi import --file` takes inputs and outputs, which importing existing things needs. */
export const minimumVersion = "3.254.0";

const acceptedRange = `>=${minimumVersion} <${semver.major(minimumVersion) + 1}`;

/** Why a CLI that calls itself `version` cannot be used, or undefined when it can. */
export function refusalOf(version: string): string | undefined {
  const parsed = semver.parse(version);
  if (parsed === null) return `does not tell its version: ${JSON.stringify(version.slice(0, 80))}`;
  if (semver.satisfies(parsed, acceptedRange, { includePrerelease: true })) return undefined;
  return `is version ${parsed.version}, and ${acceptedRange} is needed`;
}

/** A way to get the pinned release. */
export interface Provision {
  readonly source: "npm" | "go";
  /** Its name for the user. */
  readonly name: string;
  /** The file of the CLI, which exists once it is complete. */
  readonly binary: string;
  /** Makes the file. */
  readonly provide: (report: Report) => Promise<void>;
}
