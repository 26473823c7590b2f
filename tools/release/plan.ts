import { readFileSync } from "node:fs";
import path from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { version } from "../../provider/package.json";
import { root } from "./address";
import { isDated } from "./changelog";
import { isPublished, publishedFolders } from "./registry";

/** What the release workflow does: publish this version, open the pull request for the next one, or nothing. */
export type Action = "publish" | "request" | "nothing";

/** What is to be done, and why. */
export interface Plan {
  readonly action: Action;
  readonly reason: string;
}

export interface Facts {
  readonly version: string;
  readonly changelog: string;
  readonly published: boolean;
  readonly changesets: number;
}

/** Decides on facts alone. A version is released when a person merges its section with a date. */
function planFor({ version, changelog, published, changesets }: Facts): Plan {
  if (!isDated(changelog, version))
    return { action: "nothing", reason: `${version} has no date in CHANGELOG.md` };
  if (!published)
    return { action: "publish", reason: `${version} has a date in CHANGELOG.md, and is not published` };
  if (changesets > 0) return { action: "request", reason: `${changesets} changesets wait for a release` };
  return { action: "nothing", reason: `${version} is published, and there is no changeset` };
}

/** The plan for this commit. It asks the registry. */
export async function currentPlan(): Promise<Plan> {
  const { changesets } = await getReleasePlan(root);
  return planFor({
    version,
    changelog: readFileSync(path.join(root, "CHANGELOG.md"), "utf8"),
    published: publishedFolders.every(isPublished),
    changesets: changesets.length,
  });
}
