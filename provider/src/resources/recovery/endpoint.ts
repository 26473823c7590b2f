import type { Client } from "../../api/client";
import type { ServiceScope } from "../../api/operations";
import type { Identified, WireObject } from "../../api/wire";
import { explainWhenUncertain } from "./uncertain";

/** Creates an endpoint with one POST: the API lists none, so only a person can find out what became of a lost one. */
export const createReversePrivateEndpoint = (
  client: Client,
  scope: ServiceScope,
  body: WireObject,
): Promise<Identified> =>
  client
    .createReversePrivateEndpoint(scope, body)
    .catch(explainWhenUncertain("The endpoint may exist all the same.", "may-exist"));

/** Deletes an endpoint with one DELETE. */
export const deleteReversePrivateEndpoint = (
  client: Client,
  scope: ServiceScope,
  id: string,
  description?: unknown,
): Promise<void> =>
  client
    .deleteReversePrivateEndpoint(scope, id, description)
    .catch(
      explainWhenUncertain(
        "The endpoint may be gone all the same: the API cannot list endpoints.",
        "may-be-deleted",
      ),
    );
