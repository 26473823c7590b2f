import {
  pulumi,
  readStackConfiguration,
  stackFlag,
  StackConfigurationError,
  wordsOf,
  type StackConfiguration,
} from "../stack-configuration";
import { shellWord } from "../../messages/shell-word";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import type { Project } from "./project";

/** What is known of a stack, or of the environment in place of one. */
export interface ReadStack {
  /** Undefined if no stack is selected. */
  readonly name?: string | undefined;
  readonly configuration: StackConfiguration;
  /** What a command of the Pulumi CLI needs to name the stack, with a space behind; empty for the selected one. */
  readonly flag: string;
  /** The name of the project. */
  readonly project?: string | undefined;
}

/** Reads the configuration of the named stack, or of the stack that is selected in the project. */
export async function checkStack(
  { folder, hasFile, name: project }: Project,
  wanted: string | undefined,
): Promise<{ readonly finding: DoctorFinding; readonly stack?: ReadStack }> {
  const flag = wanted === undefined ? "" : `--stack ${shellWord(wanted)} `;
  const environment: ReadStack = { configuration: new Map(), flag, project };
  if (!hasFile && wanted === undefined) {
    const message =
      `There is no Pulumi.yaml in ${folder} or in a folder above it: the settings come from the ` +
      "environment alone.";
    const fix = "Run doctor in the folder of your Pulumi project.";
    return { finding: warning("stack", message, fix), stack: environment };
  }
  try {
    const name = (await pulumi(["stack", "--show-name", ...stackFlag(wanted)], folder)).trim();
    const configuration = await readStackConfiguration(wanted, folder);
    return { finding: ok("stack", `The stack is ${name}.`), stack: { name, configuration, flag, project } };
  } catch (error) {
    if (error instanceof StackConfigurationError)
      return { finding: failed("stack", error.summary, error.nextStep) };
    const words = wordsOf(error);
    if (!/no stack selected/i.test(words))
      return { finding: failed("stack", `The stack cannot be read: ${words}`, "pulumi stack ls") };
    const message = "No stack is selected: the settings come from the environment alone.";
    return { finding: warning("stack", message, "pulumi stack select"), stack: environment };
  }
}
