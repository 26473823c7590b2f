import type { Client } from "../../api/client";
import { shortDescription, type ServiceScope } from "../../api/operations";
import type { Identified, WireObject } from "../../api/wire";
import { adviseWhenUncertain } from "./uncertain";

/** Creates an endpoint with one POST: the API lists none, so only a person can find out what became of a lost one. */
export function createReversePrivateEndpoint(
  client: Client,
  scope: ServiceScope,
  body: WireObject,
): Promise<Identified> {
  const { description } = body;
  const what = typeof description === "string" ? shortDescription(description) : "it";
  return client
    .createReversePrivateEndpoint(scope, body)
    .catch(
      adviseWhenUncertain(
        "It may exist all the same.",
        `Look for ${what} in the service's console first: if it is there, name its id as adopt.`,
      ),
    );
}

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
      adviseWhenUncertain(
        "The endpoint may be gone all the same: the API cannot list endpoints.",
        "The next run repeats the request.",
      ),
    );
