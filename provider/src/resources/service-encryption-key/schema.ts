import { z } from "zod";
import { updatable } from "../../lifecycle/fields";
import { deletionPolicy, observedAnswer, scopeId, text } from "../schema-types";

/** The encryption key of a service. */
export const serviceEncryptionKeySchema = z.strictObject({
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId(),
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId(),
  /** Id of the encryption key to rotate to. */
  transparentDataEncryptionKeyId: updatable(text()),
  /**
   * What happens to the key when it is no longer declared: the service keeps it.
   * @default "retain"
   */
  deletionPolicy: deletionPolicy(),
});

/** The outputs of a key that the program does not declare. */
export const serviceEncryptionKeyOutputs = z.strictObject({
  /** The service as the last answer had it, under the API's names. */
  observed: observedAnswer(),
});
