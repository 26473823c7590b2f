import { inspect } from "node:util";
import { Client } from "../../provider/src/api/client";
import { systemClock } from "../../provider/src/api/http/clock";
import type { TransportOptions } from "../../provider/src/api/http/transport";
import { Secrets } from "../../provider/src/api/secrets/redaction";
import { WriteFailure } from "../../provider/src/lifecycle/state/write-failure";
import { isDatapipesError, type DatapipesError } from "../../provider/src/messages/errors";
import { render } from "../../provider/src/messages/next-steps";
import type { ServiceScope } from "../../provider/src/settings/settings";
import type { Simulator } from "../../simulator/src/index";
import { recordLines } from "./lifecycle";

export type Connection = ReturnType<typeof connect>;

export type Place = Pick<Simulator, "url"> & {
  readonly account: Pick<Simulator["account"], "apiKeyId" | "apiKeySecret" | "organizationId" | "serviceIds">;
};

export function connect(simulator: Place, more: Partial<TransportOptions> = {}) {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = simulator.account;
  const output = recordLines();
  const client = new Client({
    baseUrl: simulator.url,
    apiKeyId,
    apiKeySecret,
    rateLimit: "off",
    requestTimeoutSeconds: 60,
    maxRetries: 0,
    // Without retries nothing is repeated, not even after 429.
    rateLimitTimeoutSeconds: (more.maxRetries ?? 0) > 0 ? 600 : 0,
    userAgent: "pulumi-datapipes/test",
    clock: systemClock,
    secrets: new Secrets(),
    ...output,
    ...more,
  });
  const scope: ServiceScope = { organizationId, serviceId: serviceIds[0] ?? "" };
  return { ...output, client, scope };
}

/** The error of this package with which the work fails, with the message that a user reads; any other error is a failure of the test. */
export async function failureOf(work: Promise<unknown>): Promise<DatapipesError> {
  const error = await rejection(renderFailure(work));
  if (isDatapipesError(error)) return error;
  throw new Error(`It failed with another error: ${inspect(error)}`);
}

/** What a promise is rejected with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    return error;
  }
  throw new Error(`It did not fail: ${inspect(result)}`);
}

export async function renderFailure<T>(work: Promise<T>, inStack?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const shown = error instanceof WriteFailure ? error.cause : error;
    throw error instanceof Error ? Object.assign(error, { message: render(shown, { inStack }) }) : error;
  }
}
