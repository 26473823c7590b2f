// `npm run reference` makes this file from the table of settings.
import type { Optional } from "./argument-types";

/**
 * The settings of an explicit {@link Provider}. Those that you leave out come from the stack's configuration
 * or the environment.
 */
export interface ProviderArgs {
  /** ID of the API key. Default: `datapipes:apiKeyId`. */
  apiKeyId?: Optional<string>;
  /** Secret of the API key. A Pulumi secret. Default: `datapipes:apiKeySecret`. */
  apiKeySecret?: Optional<string>;
  /**
   * Address of the API; a slash or `/v1` at the end is removed. Plain http is accepted for loopback addresses
   * only, unless `datapipes:allowInsecure` is set. Default: `datapipes:baseUrl`.
   */
  baseUrl?: Optional<string>;
  /**
   * Whether the provider may use plain http to reach other machines. The key and all secrets are then sent
   * unencrypted. Default: `datapipes:allowInsecure`.
   * @default false
   */
  allowInsecure?: Optional<boolean>;
  /** The default organization of resources and functions. Default: `datapipes:organizationId`. */
  organizationId?: Optional<string>;
  /** The default service of resources and functions. Default: `datapipes:serviceId`. */
  serviceId?: Optional<string>;
  /**
   * The maximum number of requests that start in a rolling window of seconds. Default: `datapipes:rateLimit`.
   * @default "10/10s"
   */
  rateLimit?: Optional<string>;
  /**
   * How long one attempt of a request may take, in seconds. Default: `datapipes:requestTimeoutSeconds`.
   * @default 60
   */
  requestTimeoutSeconds?: Optional<number>;
  /**
   * The maximum number of retries of a request, where a retry is safe. Responses with status 429 do not
   * count. Default: `datapipes:maxRetries`.
   * @default 4
   */
  maxRetries?: Optional<number>;
  /**
   * How long the service may refuse every request with 429 before the provider gives up, in seconds. Default:
   * `datapipes:rateLimitTimeoutSeconds`.
   * @default 600
   */
  rateLimitTimeoutSeconds?: Optional<number>;
}
