import * as pulumi from "@pulumi/pulumi";
import { idKey } from "../api/wire";
import { configurationKey, SETTINGS } from "../settings";
import { typeToken } from "../core/datapipes-resource";
import { isDeclared, keyOf } from "../core/resource-key";
import { perProgram } from "../per-program";
import { programError } from "../program-error";
import { Provider } from "../provider";
import type { Optional } from "./argument-types";

/** A resource of the program, before it is registered. */
export interface Claimant {
  readonly type: string;
  readonly name: string;
  readonly opts: pulumi.CustomResourceOptions;
}

/** An id that only one resource of a program may use in this way. */
interface Claim {
  /** What the error says between the names of two resources and the id; also tells the claims of one id apart. */
  readonly conflict: string;
  readonly nextStep: string;
  /** The id of a resource whose program gives none. */
  readonly defaultId?: pulumi.Input<string | undefined>;
}

/** By claim, server and id: the name of the resource of this program that claims the id. */
const claimsOfProgram = perProgram(() => new Map<string, string>());

/** Returns the service of the settings, and throws if another resource of the program has the settings of this service. */
export const claimService = (claimant: Claimant, given: Optional<string>): Optional<string> =>
  claimId(claimant, given, {
    conflict: "are both for service",
    nextStep: "A program can have one ServiceSettings for each service: merge the two into one.",
    defaultId: settingOf("serviceId", claimant),
  });

/** Returns the adopted id, and throws if another resource of the program adopts it, through any provider. */
export const claimAdoption = (claimant: Claimant, given: Optional<string>): Optional<string> =>
  given == null
    ? given
    : claimId(claimant, given, {
        conflict: "both adopt",
        nextStep: "Only one resource can manage it: remove one of them from the program.",
      });

function claimId(claimant: Claimant, given: Optional<string>, claim: Claim): Optional<string> {
  if (!isDeclared(claimant.opts)) return given;
  const url = settingOf("baseUrl", claimant);
  const id = given ?? claim.defaultId;
  if (typeof id === "string" && (url === undefined || typeof url === "string")) {
    register(claimant, claim, id, url);
    return given;
  }
  const claimed = pulumi.all([given, claim.defaultId, url]).apply(([own, defaultId, knownUrl]) => {
    const knownId = own ?? defaultId;
    if (typeof knownId === "string") register(claimant, claim, knownId, knownUrl);
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

function register({ type, name, opts }: Claimant, { conflict, nextStep }: Claim, id: string, url = ""): void {
  // Without a stack, as in unit tests of programs, nothing separates two builds of a program.
  if (pulumi.runtime.getStackResource() === undefined) return;
  const claims = claimsOfProgram();
  // Two servers, as in tests, may have services of one id.
  const key = JSON.stringify([type, conflict, SETTINGS.baseUrl.parse(url.trim()) ?? url, idKey(id)]);
  const claimant = keyOf(type, name, opts.parent);
  const owner = claims.get(key) ?? claimant;
  if (owner !== claimant)
    throw programError(`${type} "${claimant}" and "${owner}" ${conflict} ${id}. ${nextStep}`);
  claims.set(key, owner);
}
