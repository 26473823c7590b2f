// `npm run reference` makes this file from the table of settings.
import type { Optional } from "./argument-types";

/**
 * The settings of an explicit {@link Provider}. Those that you leave out come from the stack's configuration
 * or the environment.
 */
export interface ProviderArgs {
  /** Key id of the API's Basic credential. Default: `datapipes:apiKeyId`. */
  apiKeyId?: Optional<string>;
  /** Key secret of the API's Basic credential. A Pulumi secret. Default: `datapipes:apiKeySecret`. */
  apiKeySecret?: Optional<string>;
  /**
   * Address of the API; a slash or `/v1` at its end is taken off. Plain http is accepted for loopback
   * addresses only, unless `datapipes:allowInsecure` is set. Default: `datapipes:baseUrl`.
   */
  baseUrl?: Optional<string>;
  /**
   * Whether the API may be reached over plain http outside of this machine. The key and all secrets are then
   * sent unencrypted. Default: `datapipes:allowInsecure`.
   * @default false
   */
  allowInsecure?: Optional<boolean>;
  /** The organization of resources and functions that name none. Default: `datapipes:organizationId`. */
  organizationId?: Optional<string>;
  /** The service of resources and functions that name none. Default: `datapipes:serviceId`. */
  serviceId?: Optional<string>;
  /**
   * How many requests may start in any window of so many seconds. Default: `datapipes:rateLimit`.
   * @default "10/10s"
   */
  rateLimit?: Optional<string>;
  /**
   * How long one attempt of a request may take, in seconds. Default: `datapipes:requestTimeoutSeconds`.
   * @default 60
   */
  requestTimeoutSeconds?: Optional<number>;
  /**
   * How often a request is repeated at most, where repeating is safe. A refusal with 429 does not count.
   * Default: `datapipes:maxRetries`.
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
