import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const repository = path.resolve(__dirname, "../..");
const example = path.join(repository, "examples", "quickstart");

/** What belongs to the example; what else lies there, such as a user's own stack, stays out of the demo. */
const exampleFiles = ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts"];

/** Everything that the demo writes, in one temporary folder. */
export interface Workspace {
  /** A copy of the example. */
  project: string;
  /** Keeps Pulumi away from the settings, the stacks and the account of the user. */
  environment: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

export async function newWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-demo-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const workspace = { project: path.join(folder, "quickstart"), environment: environmentIn(folder), remove };
  try {
    await mkdir(path.join(folder, "state"));
    for (const file of exampleFiles) await cp(path.join(example, file), path.join(workspace.project, file));
    // What the example imports resolves as it does where it came from.
    await symlink(
      path.join(repository, "node_modules"),
      path.join(workspace.project, "node_modules"),
      "junction",
    );
    return workspace;
  } catch (error) {
    await remove();
    throw error;
  }
}

function environmentIn(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(DATAPIPES|PULUMI)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: pathToFileURL(path.join(folder, "state")).href,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_STACK: "demo",
  };
}
