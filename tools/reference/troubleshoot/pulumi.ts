import { entry, FAILED_RUN, type Entry } from "./entry";

/** Words of Pulumi and npm that people meet first, on the way to the first pipe. The source of this package has none of them. */
export const FIRST_STEPS: readonly Entry[] = [
  entry(
    "Missing required configuration variable",
    [
      "Missing required configuration variable '<project>:<name>'",
      "please set a value using the command `pulumi config set <project>:<name> <value>`",
      "please set a value using the command `pulumi config set --secret <project>:<name> <value>`",
    ],
    "The program asks for a value with `config.require` or `config.requireSecret`, and the configuration of the stack does not have it. It is a setting of your program, not of the provider. Nothing was sent.",
    "Run the command of the message. For a secret, leave the value out: the command then asks for it, and it stays out of the history of your shell. Each stack has a configuration of its own: `pulumi stack` says which one is selected.",
  ),
  entry(
    "no stack selected",
    ["no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one"],
    "The project has no stack in this backend, or none is selected in this folder. A stack is selected for each folder and each backend, so a new `PULUMI_BACKEND_URL` has none.",
    "Run `pulumi stack select --create dev`, which selects the stack or makes it. In a pipeline, set `PULUMI_STACK`.",
  ),
  entry(
    "stack already exists",
    ["stack '<organization>/<project>/<name>' already exists"],
    "The backend has a stack of this name. `pulumi new` makes one, so that `pulumi stack init` after it fails.",
    "Run `pulumi stack select <name>`. If the stack is of another project, choose another name in `Pulumi.yaml`.",
  ),
  entry(
    "no changes were expected … but changes were proposed",
    [
      "no changes were expected for <preview> but changes were proposed",
      "no changes were expected but changes were proposed",
    ],
    "You passed `--expect-no-changes`, and there is something to do. The exit code is 7.",
    "The lines above the message say what would change: [Read a preview](read-a-preview.md), or, after `pulumi refresh`, [See and repair drift](drift.md).",
  ),
  entry(
    "TSError: Unable to compile TypeScript",
    [
      "TSError: ⨯ Unable to compile TypeScript:",
      "<file>(<line>,<column>): error TS<number>: <words of the compiler>",
    ],
    "The program does not compile, so it did not run. The line below names the place. A field that this package does not know is an error of this kind, for example a misspelt one.",
    "Correct the program. `npx tsc --noEmit` shows the same errors without Pulumi.",
  ),
  entry(
    "could not read plugin: not supported",
    ["could not read plugin […]: not supported"],
    "The CLI cannot run policy packs: it was built from its source, as `npm run pulumi` in a clone of this package may do.",
    "Use an official build of the CLI. [Write a policy](write-a-policy.md) says more.",
  ),
  entry(
    "npm error code E404",
    [
      "npm error code E404",
      "npm error 404 Not Found - GET <registry>/pulumi-datapipes",
      "installing dependencies failed: npm install failed: exit status 1",
    ],
    "npm's registry does not have the package, because it is not released yet. `pulumi new` has already made the project and the stack.",
    "Install the package that you built: [Get started](get-started.md#make-a-project) has the commands. Do not run `pulumi new` again.",
  ),
  entry(
    "the stack is currently locked",
    ["the stack is currently locked by <number> lock(s)"],
    "Another run changes the stack, or a run was killed before it removed its lock.",
    `Wait for the other run. If there is none, run \`pulumi cancel\`, then read ${FAILED_RUN}.`,
  ),
];
