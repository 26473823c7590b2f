import * as pulumi from "@pulumi/pulumi";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { perProgram } from "./per-program";

const KEY = "datapipes:apiKeySecret";

/** Whether a value of the stack's configuration is encrypted. The SDK has this function, but leaves it out of its types. */
export const { isConfigSecret = () => true } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

const looks = perProgram(() => ({ done: false }));

/** Says once per program that the key secret stands in the stack's configuration in clear, and how to encrypt it. */
export function warnOfPlainSecret(): void {
  const look = looks();
  if (look.done) return;
  look.done = true;
  if (new pulumi.Config("datapipes").get("apiKeySecret") === undefined || isConfigSecret(KEY)) return;
  void pulumi.log.warn(
    `${KEY} is set as plain text: it stands readable in the stack's configuration and state. ` +
      `Encrypt it with \`pulumi config set --secret ${KEY}\`.`,
  );
}
