import * as pulumi from "@pulumi/pulumi";
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
  const configured = Provider.isInstance(provider)
    ? provider.settings.apply((settings) => settings[configurationKey("serviceId")])
    : new pulumi.Config("datapipes").get("serviceId");
  const defaultId = configured ?? process.env[SETTINGS.serviceId.environment];
  if (typeof given === "string" || (given === undefined && typeof defaultId === "string")) {
    claim(name, given ?? (defaultId as string));
    return given;
  }
  return pulumi.all([given, defaultId]).apply(([id, fallback]) => {
    const service = id ?? fallback;
    if (service !== undefined) claim(name, service);
    return service;
  });
}

function claim(name: string, serviceId: string): void {
  const claims = claimsOfProgram();
  const key = serviceId.toLowerCase();
  const owner = claims.get(key);
  if (owner !== undefined) {
    throw new pulumi.RunError(
      `ServiceSettings "${name}" and "${owner}" are both for service ${serviceId}. A service has one of them in a program: ` +
        `put what both declare into one.`,
    );
  }
  claims.set(key, name);
}
