import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse, stringify } from "yaml";
import { encrypt, secretsProvider } from "./hosts";
import { isNative } from "./program";
import { plugins, sdkVariable } from "./sdk";

const installed = path.resolve(__dirname, "../../node_modules");
const packageName = "pulumi-datapipes";

/** What programs import: the package, or the SDK that is generated from the schema of the plugin. */
const imported = isNative ? (process.env[sdkVariable] ?? "") : packageName;

const preamble = `const pulumi = require("@pulumi/pulumi");\nconst datapipes = require(${JSON.stringify(imported)});\n`;

const projectFile = `name: datapipes-test\nruntime: nodejs\n${isNative ? `plugins: ${JSON.stringify(plugins)}\n` : ""}`;

const typescriptProject = {
  compilerOptions: { strict: true, target: "es2022", module: "nodenext", skipLibCheck: true },
  files: ["index.ts"],
};

export interface ProjectOptions {
  /** The text of the program: CommonJS that has `pulumi` and `datapipes`, or a whole module of TypeScript. */
  program?: string;
  /** The folder of a whole project, which is copied, in place of `program`. */
  copyOf?: string;
  /** The files of a whole project without packages, in place of `program`. */
  files?: Readonly<Record<string, string>>;
  /** The folder of the packages that the program can use. @default that of this repository */
  modules?: string;
  /** @default "javascript", which starts faster */
  language?: "javascript" | "typescript";
}

export async function makeProject(folder: string, options: ProjectOptions): Promise<void> {
  const { program = "", copyOf, files, modules = installed, language } = options;
  if (files !== undefined) return writeFiles(folder, files);
  if (copyOf !== undefined) await cp(copyOf, folder, { recursive: true, filter: isOfProject });
  else {
    const main = language === "typescript" ? "index.ts" : "index.js";
    await writeFiles(folder, {
      "Pulumi.yaml": projectFile,
      "package.json": JSON.stringify({ name: "datapipes-test", main }),
      ...(language === "typescript" && { "tsconfig.json": JSON.stringify(typescriptProject) }),
    });
    await writeProgram(folder, language, program);
  }
  // The program resolves packages by name, as an installed program does.
  await symlink(modules, path.join(folder, "node_modules"), "junction");
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

export async function writeProgram(folder: string, language: ProjectOptions["language"], program: string) {
  if (language === "typescript")
    await writeFile(path.join(folder, "index.ts"), program.replaceAll(packageName, imported));
  else await writeFile(path.join(folder, "index.js"), `${preamble}${program}`);
}

const isOfProject = (file: string): boolean => !/^node_modules$|^Pulumi\..+\.yaml$/.test(path.basename(file));

/** What commands of the CLI do to the state and to the configuration of a stack, done to their files: without a process for each. */
export class StackFiles {
  readonly #config: Record<string, unknown> = {};

  private constructor(
    private readonly state: string,
    private readonly settings: string,
  ) {}

  /** `pulumi stack init`. */
  static async init(backend: string, project: string, stack: string): Promise<StackFiles> {
    const { name } = parse(await readFile(path.join(project, "Pulumi.yaml"), "utf8")) as { name: string };
    const folder = path.join(backend, ".pulumi/stacks", name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(backend, ".pulumi/meta.yaml"), "version: 1\n");
    const settings = path.join(project, `Pulumi.${stack}.yaml`);
    const files = new StackFiles(path.join(folder, `${stack}.json`), settings);
    const checkpoint = { stack: `organization/${name}/${stack}` };
    await writeFile(files.state, JSON.stringify({ version: 3, checkpoint }));
    await files.#write();
    return files;
  }

  /** `pulumi config set-all`. */
  async set(plain: Record<string, string>, secrets: Record<string, string>): Promise<void> {
    Object.assign(this.#config, plain);
    for (const [key, value] of Object.entries(secrets)) this.#config[key] = { secure: encrypt(value) };
    await this.#write();
  }

  /** `pulumi config rm`. */
  async remove(key: string): Promise<void> {
    Reflect.deleteProperty(this.#config, key);
    await this.#write();
  }

  /** `pulumi stack export`. */
  async export(): Promise<string> {
    const { checkpoint } = JSON.parse(await readFile(this.state, "utf8")) as {
      checkpoint: { latest?: object };
    };
    return JSON.stringify({ version: 3, deployment: checkpoint.latest ?? {} });
  }

  #write(): Promise<void> {
    return writeFile(this.settings, stringify({ ...secretsProvider, config: this.#config }));
  }
}
