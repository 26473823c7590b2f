import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import schema from "../../plugin/schema.json";
import { generateSdk } from "../../testkit/sdk";
import { root } from "../release/address";

/** The folder of the packed SDKs, which git ignores. */
export const SDKS = path.join(root, "plugin/sdks");

export const { version, repository } = schema;

/** The SDK of a language that a registry has. */
export interface Sdk {
  /** What its registry calls it. */
  readonly name: string;
  /** Makes what is published in a folder that has the generated code. */
  readonly pack: (folder: string) => void;
  /** Publishes it, or does all but that. */
  readonly publish: (folder: string, options: { readonly dryRun: boolean }) => Promise<void> | void;
  /** Where in the folder the generated code is. */
  readonly code?: string;
}

/** Generates an SDK and makes what is published. */
export async function packSdk(language: "nodejs" | "python" | "go" | "java", sdk: Sdk): Promise<void> {
  const folder = path.join(SDKS, language);
  rmSync(folder, { recursive: true, force: true });
  const code = path.join(folder, sdk.code ?? "");
  mkdirSync(code, { recursive: true });
  await generateSdk(language, code);
  sdk.pack(folder);
}

/** The README and the licence of an SDK. */
export function writeTexts(folder: string, { name }: Pick<Sdk, "name">): void {
  const page = (file: string): string => `${repository}/blob/v${version}/docs/${file}`;
  const readme = `# ${name}

The resources and functions of the Pulumi provider for the data-ingestion pipes, private endpoints and settings of a hosted database. Pulumi's generator made this SDK from
the schema of the provider, and Pulumi downloads the provider itself, which needs Node.js 20.19 or newer.

- [A program in each language](${page("_index.md")})
- [Install and configure](${page("installation-configuration.md")})
- [Guides](${page("guides/README.md")})
`;
  writeFileSync(path.join(folder, "README.md"), readme);
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
}

/** Runs a command and shows what it prints. */
export function command(
  name: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): void {
  execFileSync(name, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
}
