import path from "node:path";
import { counted } from "../../messages/enumerated";
import { shellWord } from "../../messages/shell-word";
import { PROGRAM } from "./program";

export const IMPORT_FILE = "import.json";

const IMPORT_FIRST =
  "Run `pulumi import` before `pulumi up`. Otherwise, `pulumi up` refuses pipes that load data, and creates a " +
  "second pipe for each of the others.";

interface CommandOptions {
  readonly mode: "import" | "adopt";
  readonly out: string;
  readonly stack?: string;
}

/** The commands that come next; `keys` are those of the configuration that the program reads. */
export function commandsOf({ mode, out, stack }: CommandOptions, keys: readonly string[]): readonly string[] {
  const flags = stack === undefined ? "" : ` --stack ${shellWord(stack)}`;
  const secrets = keys.map((key) => `pulumi config set --secret ${key}${flags}`);
  if (mode === "adopt") return [...secrets, `pulumi preview${flags}`, `pulumi up${flags}`];
  const file = shellWord(path.join(out, IMPORT_FILE));
  const preview = keys.length > 0 ? "pulumi preview" : "pulumi preview --expect-no-changes";
  return [
    `pulumi import --file ${file} --generate-code=false --protect=false --yes${flags}`,
    ...secrets,
    `${preview}${flags}`,
  ];
}

/** What the command wrote, and what comes next. */
export function textOf(
  files: readonly string[],
  pipes: readonly { readonly serviceId: string }[],
  { commands, mode }: { readonly commands: readonly string[]; readonly mode: "import" | "adopt" },
): string {
  if (files.length === 0) return "";
  const services = new Set(pipes.map(({ serviceId }) => serviceId)).size;
  const what = `${counted(pipes.length, "pipe")} of ${counted(services, "service")}`;
  const steps = [...importStep(files), ...commands].map((step) => `  ${step}\n`).join("");
  const advice = mode === "import" ? `\n${IMPORT_FIRST}\n` : "";
  return `Wrote ${files.join(", ")}: ${what}.\n\nNext:\n${steps}${advice}`;
}

/** The program of the project declares the pipes of another folder only if it imports that file. */
function importStep(files: readonly string[]): readonly string[] {
  const program = files.find((each) => path.basename(each) === PROGRAM) ?? PROGRAM;
  const file = path.relative(process.cwd(), program).replaceAll(path.sep, "/").replace(/\.ts$/, "");
  if (!file.includes("/")) return [];
  return [`add \`import "${file.startsWith("..") ? "" : "./"}${file}";\` to the program of this project`];
}
