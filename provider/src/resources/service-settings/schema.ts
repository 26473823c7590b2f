import { z } from "zod";
import type { DraftInputs, Inputs } from "../../core/definition";
import { known, UNKNOWN, type PropertyMap, type PropertyValue } from "../../core/property-value";
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

const serviceName = () =>
  z
    .string()
    .max(50, "must have at most 50 characters")
    .regex(/^[\p{L}\p{N}\s]*$/u, "must consist of letters, digits and white space");

/** Services remove the space around a description, and treat an empty one as none. */
const trimmed = (description: string): string | undefined => description.trim() || undefined;

const ipAccessEntry = () =>
  z.strictObject({
    source: normalized(text(), normalizeAddress),
    description: normalized(text().optional(), trimmed),
  });
const serviceEndpoint = () => z.strictObject({ protocol: text(), enabled: flag() });

/** The members that identify an entry of the access list. */
export const IP_ACCESS_IDENTITY = ["source", "description"] as const;

/** The settings of a service. All of them change in place. */
export const serviceSettingsSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  name: updatable(serviceName().optional()),
  ipAccessList: sharedList(
    updatable(identifiedBy(z.array(ipAccessEntry()).optional(), ...IP_ACCESS_IDENTITY)),
  ),
  privateEndpointIds: sharedList(updatable(unordered(z.array(text()).optional()))),
  releaseChannel: updatable(z.enum(["slow", "default", "fast"]).optional()),
  // The answer has endpoints in another form, which does not say whether one is enabled.
  endpoints: writeOnly(updatable(identifiedBy(z.array(serviceEndpoint()).optional(), "protocol"))),
  transparentDataEncryptionKeyId: updatable(text().optional()),
  exclusive: providerOnly(flag().optional()),
  deletionPolicy: deletionPolicy(),
});

/** The inputs of the settings: after the check, and during it. */
export type ServiceSettingsInputs = Inputs<typeof serviceSettingsSchema>;
export type SettingsDraft = DraftInputs<typeof serviceSettingsSchema>;

/** The settings in a state: any field may be missing or of another type. */
export interface StoredSettings extends PropertyMap {
  readonly serviceId?: PropertyValue;
  readonly endpoints?: PropertyValue;
}

/** The entries of an access list, normalized. */
export const normalizedEntries = (list: SettingsDraft["ipAccessList"]): SettingsDraft["ipAccessList"] =>
  known(list)?.map((entry) => {
    if (entry === UNKNOWN) return entry;
    const { source, description } = entry;
    return {
      source: typeof source === "string" ? normalizeAddress(source) : source,
      description: typeof description === "string" ? trimmed(description) : description,
    };
  });
