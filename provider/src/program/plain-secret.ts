import * as pulumi from "@pulumi/pulumi";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { perProgram } from "./per-program";
import { plainSecretWarning } from "../settings/setting-defects";

const KEY = "datapipes:apiKeySecret";

/**
 * Whether a value of the stack's configuration is encrypted. The SDK has this function, but leaves it out of its
 * types.
 */
export const { isConfigSecret = () => true } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

const checks = perProgram(() => ({ done: false }));

/** Warns once per program if the key secret is not encrypted in the stack's configuration. */
export function warnOfPlainSecret(): void {
  const check = checks();
  if (check.done) return;
  check.done = true;
  if (new pulumi.Config("datapipes").get("apiKeySecret") === undefined || isConfigSecret(KEY)) return;
  void pulumi.log.warn(plainSecretWarning);
}
