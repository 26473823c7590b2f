import * as pulumi from "@pulumi/pulumi";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { perProgram } from "./per-program";
import { plainSecretWarning, unknownSettings } from "../settings/stack-configuration";

const KEY = "datapipes:apiKeySecret";

/**
 * Whether a value of the stack's configuration is encrypted. The SDK has this function, but leaves it out of its
 * types.
 */
export const { isConfigSecret = () => true } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

const checks = perProgram(() => ({ done: false }));

/** Warns once per program of misspelled settings in the stack's configuration, and of a key secret in plain text. */
export function warnOfConfiguration(): void {
  const check = checks();
  if (check.done) return;
  check.done = true;
  for (const { problem } of unknownSettings(Object.keys(runtimeConfig.allConfig()), pulumi.getProject()))
    void pulumi.log.warn(problem);
  if (new pulumi.Config("datapipes").get("apiKeySecret") === undefined || isConfigSecret(KEY)) return;
  void pulumi.log.warn(plainSecretWarning);
}
