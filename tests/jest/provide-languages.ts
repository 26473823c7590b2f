import { provideCompanion } from "../../tools/pulumi-cli/companions";
import { providePulumi } from "../../tools/pulumi-cli/provision";
import { cliFailureVariable } from "../../testkit/cli";
import provideSdk from "./provide-sdk";

/** Provides the CLI, the generated SDK and the language host for YAML, before the first test that needs them. */
export default async function provideLanguages(...config: Parameters<typeof provideSdk>): Promise<void> {
  await provideSdk(...config);
  try {
    await provideCompanion("pulumi-language-yaml", await providePulumi({ quiet: true }));
  } catch (error) {
    process.env[cliFailureVariable] ??= error instanceof Error ? error.message : String(error);
  }
}
