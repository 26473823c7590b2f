import * as pulumi from "@pulumi/pulumi";
import { idKey } from "../api/wire";
import { configurationKey, SETTINGS } from "../config";
import { typeToken } from "../core/datapipes-resource";
import { isDeclared, keyOf } from "../core/resource-key";
import { perProgram } from "../per-program";
import { programError } from "../program-error";
import { Provider } from "../provider";
import type { Optional } from "./optional";

/** A resource of the program, before it is registered. */
export interface Claimant {
  readonly type: string;
  readonly name: string;
  readonly opts: pulumi.CustomResourceOptions;
}

/** What only one resource of a program may have. */
interface Claim {
  /** Tells claims of one id for different purposes apart. */
  readonly purpose: string;
  /** What the program says of two resources that claim one id; both with their names, the second one first. */
  readonly refusal: (names: readonly [string, string], id: string) => string;
}

/** By purpose, server and id the name of the resource of this program that has it. */
const claimsOfProgram = perProgram(() => new Map<string, string>());

/** The service that the settings are for, once it is known that no other resource of the program has its settings. */
export function claimService(claimant: Claimant, given: Optional<string>): pulumi.Input<string | undefined> {
  const claim: Claim = {
    purpose: claimant.type,
    refusal: ([second, first], id) =>
      `${claimant.type} "${second}" and "${first}" are both for service ${id}. A service has one of them in a program: ` +
      `put what both declare into one.`,
  };
  return claimId(claim, claimant, given, settingOf("serviceId", claimant));
}

/** The id that a resource adopts, once it is known that no other resource of the program adopts it, through any provider. */
export function claimAdoption(claimant: Claimant, given: Optional<string>): Optional<string> {
  if (given == null || !isDeclared(claimant.opts)) return given;
  const claim: Claim = {
    purpose: `adopt ${claimant.type}`,
    refusal: ([second, first], id) =>
      `${claimant.type} "${second}" and "${first}" both adopt ${id}. Only one resource of a program can have it: remove one of ` +
      `them from the program.`,
  };
  return claimId(claim, claimant, given);
}

function claimId(
  claim: Claim,
  claimant: Claimant,
  given: Optional<string>,
  defaultId?: pulumi.Input<string | undefined>,
): pulumi.Input<string | undefined> {
  const address = settingOf("baseUrl", claimant);
  const id = given ?? defaultId;
  if (typeof id === "string" && (address === undefined || typeof address === "string")) {
    register(claim, claimant, id, address);
    return given;
  }
  const claimed = pulumi.all([given, defaultId, address]).apply(([own, fallback, url]) => {
    const known = own ?? fallback;
    if (typeof known === "string") register(claim, claimant, known, url);
    return known;
  });
  // An address that is secret makes no secret of an id that the program wrote out.
  return typeof id === "string" ? pulumi.unsecret(claimed) : claimed;
}

/** A setting of the provider that the resource will have: of the explicit one, the stack's, or the environment's. */
function settingOf(
  setting: "serviceId" | "baseUrl",
  { type, opts }: Claimant,
): pulumi.Input<string | undefined> {
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken(type));
  const inherited = process.env[SETTINGS[setting].environment];
  if (!Provider.isInstance(provider)) return new pulumi.Config("datapipes").get(setting) ?? inherited;
  return pulumi.output(provider.parts[configurationKey(setting)]).apply((value) => value ?? inherited);
}

function register(
  { purpose, refusal }: Claim,
  { type, name, opts }: Claimant,
  id: string,
  address = "",
): void {
  // Unit tests of a program build it any number of times, with nothing that would tell one time from the next.
  if (pulumi.runtime.getStackResource() === undefined) return;
  const claims = claimsOfProgram();
  // Two servers, as in tests, may have services of one id.
  const key = `${purpose} ${SETTINGS.baseUrl.parse(address.trim()) ?? address} ${idKey(id)}`;
  const claimant = keyOf(type, name, opts.parent);
  const owner = claims.get(key) ?? claimant;
  if (owner !== claimant) throw programError(refusal([claimant, owner], id));
  claims.set(key, owner);
}
