import { z } from "zod";
import { identifiedBy, local, partial, unordered, updatable, writeOnly } from "../../core/field";
import { deletionPolicy, flag, scopeId, text } from "../argument";

/** The most characters of a service's name that the API takes. */
export const MAX_NAME_LENGTH = 50;

const serviceName = () =>
  z
    .string()
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .regex(/^[\p{L}\p{N}\s]*$/u, "must consist of letters, digits and white space");

const ipAccessEntry = () => z.strictObject({ source: text(), description: text().optional() });
const serviceEndpoint = () => z.strictObject({ protocol: text(), enabled: flag() });

/** The members that tell one entry of the access list from another. */
export const IP_ACCESS_IDENTITY = ["source", "description"] as const;

/** The basic details of a service that can be changed. All of them change in place. */
export const serviceSettingsSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  name: updatable(serviceName().optional()),
  ipAccessList: partial(updatable(identifiedBy(z.array(ipAccessEntry()).optional(), ...IP_ACCESS_IDENTITY))),
  privateEndpointIds: partial(updatable(unordered(z.array(text()).optional()))),
  releaseChannel: updatable(z.enum(["slow", "default", "fast"]).optional()),
  // The service's answer has endpoints too, but in another shape, which does not say whether one is on.
  endpoints: writeOnly(updatable(identifiedBy(z.array(serviceEndpoint()).optional(), "protocol"))),
  transparentDataEncryptionKeyId: updatable(text().optional()),
  exclusive: local(flag().optional()),
  deletionPolicy: deletionPolicy(),
});
