import * as pulumi from "@pulumi/pulumi";
import { idKey } from "../../api/wire";
import { configurationKey, SETTINGS } from "../../config";
import { perProgram } from "../../per-program";
import { Provider } from "../../provider";
import type { Optional } from "../optional";

/** Which resource of this program has the settings of a service. */
const claimsOfProgram = perProgram(() => new Map<string, string>());

/**
 * The service's id, once it is known that no other resource of the program has its settings: two of them would undo each
 * other's changes at every run.
 */
export function claimService(
  name: string,
  given: Optional<string>,
  provider: pulumi.ProviderResource | undefined,
): pulumi.Input<string | undefined> {
  const defaultId = settingOf("serviceId", provider);
  const address = settingOf("baseUrl", provider);
  const service = given ?? defaultId;
  if (typeof service === "string" && (address === undefined || typeof address === "string")) {
    claim(name, service, address);
    return given;
  }
  return pulumi.all([given, defaultId, address]).apply(([id, fallback, url]) => {
    const known = id ?? fallback;
    if (known !== undefined) claim(name, known, url);
    return known;
  });
}

/** A setting of the provider that the resource will have: of the explicit one, the stack's, or the environment's. */
function settingOf(
  setting: "serviceId" | "baseUrl",
  provider: pulumi.ProviderResource | undefined,
): pulumi.Input<string | undefined> {
  const inherited = process.env[SETTINGS[setting].environment];
  if (!Provider.isInstance(provider)) return new pulumi.Config("datapipes").get(setting) ?? inherited;
  return pulumi.output(provider.parts[configurationKey(setting)]).apply((value) => value ?? inherited);
}

function claim(name: string, serviceId: string, address = ""): void {
  const claims = claimsOfProgram();
  // Two servers, as in tests, may have services of one id.
  const key = `${address} ${idKey(serviceId)}`;
  const owner = claims.get(key);
  if (owner !== undefined) {
    throw new pulumi.RunError(
      `ServiceSettings "${name}" and "${owner}" are both for service ${serviceId}. A service has one of them in a program: ` +
        `put what both declare into one.`,
    );
  }
  claims.set(key, name);
}
