import * as pulumi from "@pulumi/pulumi";
import { configurationKey, SETTINGS } from "../settings";
import { typeToken } from "../type-tokens";
import { isDeclared, keyOf } from "../core/program-resource";
import { perProgram } from "../per-program";
import { programError } from "../program-error";
import { Provider } from "../provider";
import type { Optional } from "./argument-types";
import { ADOPTION, Claims, SETTINGS_OF_SERVICE, type Use } from "./claims";

/** A resource of the program, before it is registered. */
export interface Claimant {
  readonly type: string;
  readonly name: string;
  readonly opts: pulumi.CustomResourceOptions;
}

/** By program: the ids that its resources claim. */
const claimsOfProgram = perProgram(() => new Claims());

/** Returns the service of the settings, and throws if another resource of the program has the settings of this service. */
export const claimService = (claimant: Claimant, given: Optional<string>): Optional<string> =>
  claimId(claimant, given, SETTINGS_OF_SERVICE, settingOf("serviceId", claimant));

/** Returns the adopted id, and throws if another resource of the program adopts it, through any provider. */
export const claimAdoption = (claimant: Claimant, given: Optional<string>): Optional<string> =>
  given == null ? given : claimId(claimant, given, ADOPTION);

/** `defaultId` is the id of a resource whose program gives none. */
function claimId(
  claimant: Claimant,
  given: Optional<string>,
  use: Use,
  defaultId?: pulumi.Input<string | undefined>,
): Optional<string> {
  if (!isDeclared(claimant.opts)) return given;
  const url = settingOf("baseUrl", claimant);
  const id = given ?? defaultId;
  if (typeof id === "string" && (url === undefined || typeof url === "string")) {
    register(claimant, use, id, url);
    return given;
  }
  const claimed = pulumi.all([given, defaultId, url]).apply(([own, knownDefault, knownUrl]) => {
    const knownId = own ?? knownDefault;
    if (typeof knownId === "string") register(claimant, use, knownId, knownUrl);
    return knownId;
  });
  // A secret URL does not make an id secret that the program has in plain text.
  return typeof id === "string" ? pulumi.unsecret(claimed) : claimed;
}

/** A setting of the resource's provider: the explicit one, the stack's, or the environment's. */
function settingOf(
  setting: "serviceId" | "baseUrl",
  { type, opts }: Claimant,
): pulumi.Input<string | undefined> {
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken(type));
  const inherited = process.env[SETTINGS[setting].environment];
  if (!Provider.isInstance(provider)) return new pulumi.Config("datapipes").get(setting) ?? inherited;
  return pulumi.output(provider.parts[configurationKey(setting)]).apply((value) => value ?? inherited);
}

function register({ type, name, opts }: Claimant, use: Use, id: string, url = ""): void {
  // Without a stack, as in unit tests of programs, nothing separates two builds of a program.
  if (pulumi.runtime.getStackResource() === undefined) return;
  // Two servers, as in tests, may have services of one id.
  const server = SETTINGS.baseUrl.parse(url.trim()) ?? url;
  const conflict = claimsOfProgram().conflict(type, keyOf(type, name, opts.parent), use, id, server);
  if (conflict !== undefined) throw programError(conflict);
}
