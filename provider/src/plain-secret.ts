import * as pulumi from "@pulumi/pulumi";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";

const KEY = "datapipes:apiKeySecret";

// The SDK has this function, but leaves it out of its types.
const { isConfigSecret = () => true } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

let looked = false;

/** Says once per program that the key secret stands in the stack's configuration in clear, and how to encrypt it. */
export function warnOfPlainSecret(): void {
  if (looked) return;
  looked = true;
  if (new pulumi.Config("datapipes").get("apiKeySecret") === undefined || isConfigSecret(KEY)) return;
  void pulumi.log.warn(
    `${KEY} is set as plain text: it stands readable in the stack's configuration and state. ` +
      `Encrypt it with \`pulumi config set --secret ${KEY}\`.`,
  );
}
