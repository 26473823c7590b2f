import type { DraftInputs, Inputs } from "../../lifecycle/program/definition";
import {
  atMost,
  boolean,
  identifiedBy,
  list,
  normalized,
  object,
  oneOf,
  optional,
  providerOnly,
  restricted,
  sharedList,
  text,
  unordered,
  updatable,
  writeOnly,
} from "../../lifecycle/comparison/field-schema";
import { deletionPolicy, observedAnswer, scopeId } from "../schema-types";

const serviceName = restricted(
  atMost(50, text),
  (name) => /^[\p{L}\p{N}\s]*$/u.test(name),
  "must consist of letters, digits and whitespace",
);

/** `10.0.0.1/32` is `10.0.0.1`, and so is `/128` after an IPv6 address. Any other text stays as it is. */
export const normalizeAddress = (source: string): string =>
  source.trim().replace(/^([\d.]+(?=\/32$)|[\da-f:.]+(?=\/128$)).*/i, "$1");

/** Services remove the space around a description, and treat an empty one as none. */
const trimmed = (description: string): string | undefined => description.trim() || undefined;

// `npm run reference` makes the arguments from these schemas: `ipAccessEntry` describes `IpAccessEntryArgs`.

/** Who may connect to the service. `source` and `description` together are its identity. */
const ipAccessEntry = object({
  /** Address or range of addresses. */
  source: normalized(text, normalizeAddress),
  /** What the entry is for. A change removes the old entry and adds the new one in one request. */
  description: normalized(optional(text), trimmed),
});

/** An endpoint of the service that is turned on or off. */
const serviceEndpoint = object({
  /** Protocol of the endpoint, such as `mysql`. The API document lists no other values. */
  protocol: text,
  /** Whether the endpoint is on. Changed in place (`updateService`). */
  enabled: boolean,
});

/** When a service gets new releases. */
const releaseChannel = oneOf(["slow", "default", "fast"]);

/**
 * The basic details of a service that exists. Its ID is the ID of the service.
 *
 * `updateService` creates and changes it, with the smallest additions and removals. The API has no way
 * to read a service, so a refresh keeps the last response. A program can have one ServiceSettings for each service.
 */
export const serviceSettingsSchema = {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId,
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId,
  /** Name of the service: letters, digits and white space, at most 50 characters. */
  name: updatable(optional(serviceName)),
  /**
   * Who may connect; a set. The provider adds declared entries, removes those that are no longer declared,
   * and leaves other entries alone unless `exclusive` is set.
   * @output The declared entries of the access list.
   */
  ipAccessList: sharedList(updatable(identifiedBy(optional(list(ipAccessEntry)), "source", "description"))),
  /**
   * IDs of private endpoints that may connect; a set, treated like `ipAccessList`.
   * @output The declared private endpoints.
   */
  privateEndpointIds: sharedList(updatable(unordered(optional(list(text))))),
  /** When the service gets new releases; for production services only. */
  releaseChannel: updatable(optional(releaseChannel)),
  // The answer has endpoints in another form, which does not say whether one is enabled.
  /**
   * Endpoints that are turned on or off; a set by protocol. Changed in place, changed ones only (`updateService`).
   */
  endpoints: writeOnly(updatable(identifiedBy(optional(list(serviceEndpoint)), "protocol"))),
  /** ID of the encryption key to rotate to. */
  transparentDataEncryptionKeyId: updatable(optional(text)),
  /**
   * Whether the provider removes entries of the two lists that the program does not declare. It removes
   * nothing while the service lists a declared entry in a format that the provider does not know.
   * @default false
   */
  exclusive: providerOnly(optional(boolean)),
  /**
   * What happens to the service when its settings are no longer declared. `"retain"` leaves it as it is, and
   * a preview shows `delete[retain]`; `"delete"` removes the declared entries of the two lists. A transform
   * that sets `"delete"` must set the option `retainOnDelete: false`, too.
   * @default "retain"
   */
  deletionPolicy: deletionPolicy,
};

/** The outputs of the settings that the program does not declare. */
export const serviceSettingsOutputs = {
  /** Entries of the access list that the program does not declare, as in the last response. */
  unmanagedIpAccessList: list(ipAccessEntry),
  /** Private endpoints that the program does not declare, as in the last response. */
  unmanagedPrivateEndpointIds: list(text),
  /** The service as in the last response, under the API's names. */
  observed: observedAnswer,
};

/** The inputs of the settings: after the check, and during it. */
export type ServiceSettingsInputs = Inputs<typeof serviceSettingsSchema>;
export type SettingsDraft = DraftInputs<typeof serviceSettingsSchema>;
