import { SECRET_NAMES } from "../../api/secrets/secret-names";
import type { Inputs, ResourceDefinition } from "../../lifecycle/definition";
import { withoutNulls, type PropertyMap } from "../../lifecycle/property-value";
import { scopeOf, type ResourceContext } from "../context";
import { serviceEncryptionKeyOutputs, serviceEncryptionKeySchema } from "./schema";

type Schema = typeof serviceEncryptionKeySchema;

/** The encryption key of a service. The API can only change it. */
export const serviceEncryptionKeyDefinition = (context: ResourceContext): ResourceDefinition<Schema> => {
  const send = async ({ transparentDataEncryptionKeyId, ...scope }: Inputs<Schema>): Promise<PropertyMap> =>
    withoutNulls(await context.client().updateService(scopeOf(scope), { transparentDataEncryptionKeyId }));
  return {
    type: "ServiceEncryptionKey",
    noun: "key",
    operations: { update: "updateService" },
    takeOver: "Declare the key: `pulumi up` makes it the key of the service.",
    deletedPart: "nothing is sent, and the service keeps the key",
    schema: serviceEncryptionKeySchema,
    secretNames: SECRET_NAMES,
    outputs: serviceEncryptionKeyOutputs,
    rules: () => [],
    create: async (inputs) => ({ id: scopeOf(inputs).serviceId, current: await send(inputs) }),
    update: ({ inputs }) => send(inputs),
    delete: () => Promise.resolve(),
  };
};
