/** What the section of a release needs of the plan that changesets makes of its files. */
export interface Release {
  readonly version: string;
  /** As in 2026-01-31. */
  readonly date: string;
  readonly changes: readonly Change[];
}

/** What one changeset says. */
export interface Change {
  /** The text behind the front matter. */
  readonly summary: string;
  /** The packages that it names, and how much their versions change for it. */
  readonly packages: readonly { readonly name: string; readonly type: string }[];
}

/** The headings of Keep a Changelog, in the order of a section. */
const HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/** The heading of a change whose text begins with none. */
const HEADING_OF_TYPE: Readonly<Record<string, string>> = {
  major: "Changed",
  minor: "Added",
  patch: "Fixed",
};

/** From the smallest change to the largest. */
const TYPES = Object.keys(HEADING_OF_TYPE).reverse();

const BEGINNING = new RegExp(`^(${HEADINGS.join("|")}): +`);

/** The packages whose lines name them, because most readers use the provider alone. */
const NAMED: Readonly<Record<string, string>> = { "pulumi-datapipes-simulator": "Simulator" };

export function sectionOf({ version, date, changes }: Release): string {
  const parts = HEADINGS.flatMap((heading) => {
    const lines = changes.filter((change) => headingOf(change) === heading).map(lineOf);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join("\n")}`];
  });
  return [`## [${version}] - ${date}`, ...parts].join("\n\n");
}

/** The changelog with a section above those of the earlier versions. */
export function withSection(changelog: string, section: string): string {
  const first = changelog.search(/^## /m);
  if (first < 0) throw new Error("CHANGELOG.md has no section yet, so there is no place for a new one.");
  return `${changelog.slice(0, first)}${section}\n\n${changelog.slice(first)}`;
}

/** Whether a version has a section with a date, which a version that is still to be released has not. */
export function isDated(changelog: string, version: string): boolean {
  const escaped = version.replaceAll(/[^\w-]/g, String.raw`\$&`);
  return new RegExp(String.raw`^## \[${escaped}\] - \d{4}-\d{2}-\d{2}$`, "m").test(changelog);
}

function headingOf({ summary, packages }: Change): string {
  const [, given] = BEGINNING.exec(summary) ?? [];
  const largest = Math.max(...packages.map(({ type }) => TYPES.indexOf(type)));
  return given ?? HEADING_OF_TYPE[TYPES[largest] ?? "patch"] ?? "Fixed";
}

/** An item of a list: more lines and lists of the text belong to it. */
function lineOf({ summary, packages }: Change): string {
  const text = summary.replace(BEGINNING, "").trim();
  const [only, ...others] = packages;
  const label = only !== undefined && others.length === 0 ? NAMED[only.name] : undefined;
  return `- ${label === undefined ? "" : `${label}: `}${text.replaceAll(/\n(?=.)/g, "\n  ")}`;
}
