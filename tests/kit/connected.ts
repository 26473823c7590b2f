import { inspect } from "node:util";
import { createClient } from "../../provider/src/api/client";
import type { ServiceScope } from "../../provider/src/settings/settings";
import type { TransportOptions } from "../../provider/src/api/http/transport";
import { isDatapipesError, type DatapipesError } from "../../provider/src/messages/errors";
import type { LoggedRequest, Simulator } from "../../simulator/src/index";
import { recordLines } from "./lines";
import { rendered } from "./rendered";

export type Connected = ReturnType<typeof connect>;

export type Place = Pick<Simulator, "url"> & {
  readonly account: Pick<Simulator["account"], "apiKeyId" | "apiKeySecret" | "organizationId" | "serviceIds">;
};

/** The fault by which a simulator answers with this result. */
export const answer = (result: unknown, status = 200) =>
  ({ kind: "status", status, body: { status, requestId: "r", result } }) as const;

export function connect(simulator: Place, more: Partial<TransportOptions> = {}) {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const output = recordLines();
  const client = createClient({
    baseUrl: simulator.url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    requestTimeoutSeconds: 60,
    maxRetries: 0,
    // Without retries nothing is repeated, not even after 429.
    rateLimitTimeoutSeconds: (more.maxRetries ?? 0) > 0 ? 600 : 0,
    userAgent: "pulumi-datapipes/test",
    ...output,
    ...more,
  });
  const scope: ServiceScope = { organizationId, serviceId: serviceIds[0] ?? "" };
  return { ...output, client, scope };
}

/** The error of this package with which the work fails, with the message that a user reads; any other error is a failure of the test. */
export async function failureOf(work: Promise<unknown>): Promise<DatapipesError> {
  const error = await rendered(work).then(
    (result) => new Error(`It did not fail: ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  if (isDatapipesError(error)) return error;
  throw new Error(`It failed with another error: ${inspect(error)}`);
}

export function latest(simulator: Simulator): LoggedRequest {
  const request = simulator.control.requests().at(-1);
  if (request === undefined) throw new Error("The simulator has seen no request.");
  return request;
}

export function counts(simulator: Simulator): Record<string, number> {
  const names = simulator.control.requests().map(({ operationId }) => operationId ?? "none");
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]),
  );
}

export const PIPE = {
  name: "orders",
  source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
  destination: { table: "orders" },
  settings: { dbmsMaxThreads: 4, objectStorageUseClusterFunction: true },
};
