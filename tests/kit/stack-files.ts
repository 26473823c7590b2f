import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse, stringify } from "yaml";
import { encrypt, secretsProvider } from "./hosts/key-service";

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
