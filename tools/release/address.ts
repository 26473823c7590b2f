import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(__dirname, "../..");

/** The packages whose manifests name the repository: that of the workspace, and those that are published. */
export const packageFolders = [".", "provider", "simulator"] as const;

/** What a manifest says of the repository. */
export interface Address {
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
  readonly repository?: { readonly type: "git"; readonly url: string; readonly directory?: string };
}

const GITHUB = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/;

/** Stands for the address in the plugin's schema until then. No account at GitHub can have an underscore in its name. */
export const PLACEHOLDER_URL = "https://github.com/REPOSITORY_OWNER/pulumi-datapipes";

/** The address in `repository.json`; undefined until the owner has filled it in. */
export function repositoryUrl(): string | undefined {
  const { url } = JSON.parse(readFileSync(path.join(root, "repository.json"), "utf8")) as { url: string };
  if (url !== "" && (!GITHUB.test(url) || url.endsWith(".git")))
    throw new Error(
      `repository.json has "url": "${url}". Write it as https://github.com/<owner>/<name>, without .git at its end.`,
    );
  return url === "" ? undefined : url;
}

/** What the SDKs of some languages are called after the owner of the repository, because only Pulumi publishes under its own names. */
export function namesOf(url: string) {
  const [owner = "", name = ""] = new URL(url).pathname.slice(1).split("/");
  const words = owner.split(/[^A-Za-z0-9]+/).map((word) => word.toLowerCase());
  /** No identifier begins with a digit. */
  const identifier = (text: string): string => text.replace(/^(?=\d)/, "_");
  return {
    owner,
    name,
    go: `${url.replace("https://", "")}/sdk/go/datapipes`,
    java: `io.github.${identifier(words.join("_"))}`,
    csharp: identifier(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")),
  };
}

/** Files with programs, which have the names that follow from the placeholder until the address is filled in. */
const WITH_NAMES = [
  "docs/guides/move-to-another-language.md",
  "examples/go/shop/main.go",
  "examples/java/shop/src/main/java/shop/App.java",
] as const;

/** A text with the names that follow from an address in place of those that follow from the placeholder. */
export function withNames(text: string, url: string): string {
  const [placeholder, own] = [namesOf(PLACEHOLDER_URL), namesOf(url)];
  return (["go", "java", "csharp", "owner"] as const).reduce(
    (all, name) => all.replaceAll(placeholder[name], own[name]),
    text,
  );
}

/** What the manifest of a package says of a repository. */
export const addressOf = (url: string | undefined, folder: string): Address =>
  url === undefined
    ? {}
    : {
        homepage: `${url}#readme`,
        bugs: { url: `${url}/issues` },
        repository: { type: "git", url: `git+${url}.git`, ...(folder !== "." && { directory: folder }) },
      };

/** The text of a manifest with the address in place of the one that it had, behind the licence. */
export function withAddress(manifest: string, address: Address): string {
  const old = new Set(["homepage", "bugs", "repository"]);
  const entries = Object.entries(JSON.parse(manifest) as object).filter(([key]) => !old.has(key));
  const place = entries.findIndex(([key]) => key === "license") + 1;
  const all = [...entries.slice(0, place), ...Object.entries(address), ...entries.slice(place)];
  return `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
}

/** Fills the manifests and the programs, or compares them only; returns the files that differ. */
export function fillFiles({ check }: { check: boolean }): readonly string[] {
  const url = repositoryUrl();
  const manifests = packageFolders.map((folder) => {
    const file = path.join(folder, "package.json");
    return [file, (text: string) => withAddress(text, addressOf(url, folder))] as const;
  });
  const programs = WITH_NAMES.map(
    (file) => [file, (text: string) => withNames(text, url ?? PLACEHOLDER_URL)] as const,
  );
  return [...manifests, ...programs].flatMap(([file, filled]) => {
    const before = readFileSync(path.join(root, file), "utf8");
    const after = filled(before);
    if (before === after) return [];
    if (!check) writeFileSync(path.join(root, file), after);
    return [file];
  });
}
