export type { DeletionPolicy, ReplacementPolicy } from "./program/argument-types";
export { Provider } from "./program/provider";
export type { ProviderArgs } from "./program/provider-args";
export type * from "./program/pipe/args";
export type * from "./program/service-settings/args";
export { ServiceSettings } from "./program/service-settings/service-settings";
export type * from "./program/reverse-private-endpoint/args";
export { ReversePrivateEndpoint } from "./program/reverse-private-endpoint/reverse-private-endpoint";
export { Pipe } from "./program/pipe/pipe";
export {
  ApiError,
  ConfigurationError,
  ConnectionError,
  DatapipesError,
  InvalidResponseError,
  isDatapipesError,
} from "./messages/errors";
export type {
  ApiAnswer,
  ConnectionProblem,
  DatapipesErrorCode,
  Finding,
  RequestFailure,
} from "./messages/errors";
export * from "./program/functions/data-functions";
export type * from "./program/functions/args";
export type * from "./program/functions/results";
