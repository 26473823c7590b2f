import { z } from "zod";
import type { DraftInputs, Inputs } from "../../core/definition";
import { known, UNKNOWN } from "../../core/property-value";
import {
  identifiedBy,
  providerOnly,
  normalized,
  sharedList,
  unordered,
  updatable,
  writeOnly,
} from "../../core/fields";
import { deletionPolicy, flag, scopeId, text } from "../schema-types";
import { normalizeAddress } from "./address";

/** The most characters of a service's name that the API takes. */
export const MAX_NAME_LENGTH = 50;

const serviceName = () =>
  z
    .string()
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .regex(/^[\p{L}\p{N}\s]*$/u, "must consist of letters, digits and white space");

/** Services take the space off, and an empty description is none. */
const trimmed = (description: string): string | undefined => description.trim() || undefined;

const ipAccessEntry = () =>
  z.strictObject({
    source: normalized(text(), normalizeAddress),
    description: normalized(text().optional(), trimmed),
  });
const serviceEndpoint = () => z.strictObject({ protocol: text(), enabled: flag() });

/** The members that tell one entry of the access list from another. */
export const IP_ACCESS_IDENTITY = ["source", "description"] as const;

/** The basic details of a service that can be changed. All of them change in place. */
export const serviceSettingsSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  name: updatable(serviceName().optional()),
  ipAccessList: sharedList(
    updatable(identifiedBy(z.array(ipAccessEntry()).optional(), ...IP_ACCESS_IDENTITY)),
  ),
  privateEndpointIds: sharedList(updatable(unordered(z.array(text()).optional()))),
  releaseChannel: updatable(z.enum(["slow", "default", "fast"]).optional()),
  // The service's answer has endpoints too, but in another shape, which does not say whether one is on.
  endpoints: writeOnly(updatable(identifiedBy(z.array(serviceEndpoint()).optional(), "protocol"))),
  transparentDataEncryptionKeyId: updatable(text().optional()),
  exclusive: providerOnly(flag().optional()),
  deletionPolicy: deletionPolicy(),
});

/** The inputs of the settings: after the check, and during it. */
export type ServiceSettingsInputs = Inputs<typeof serviceSettingsSchema>;
export type SettingsDraft = DraftInputs<typeof serviceSettingsSchema>;

/** The entries of an access list, each in the one form that all its spellings share. */
export const normalizedEntries = (list: SettingsDraft["ipAccessList"]): SettingsDraft["ipAccessList"] =>
  known(list)?.map((entry) => {
    if (entry === UNKNOWN) return entry;
    const { source, description } = entry;
    return {
      source: typeof source === "string" ? normalizeAddress(source) : source,
      description: typeof description === "string" ? trimmed(description) : description,
    };
  });
