export type { DeletionPolicy, ReplacementPolicy } from "./resources/argument-types";
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider";
export type * from "./resources/pipe/args";
export type * from "./resources/service-settings/args";
export { ServiceSettings } from "./resources/service-settings/service-settings";
export type * from "./resources/reverse-private-endpoint/args";
export { ReversePrivateEndpoint } from "./resources/reverse-private-endpoint/reverse-private-endpoint";
export { Pipe } from "./resources/pipe/pipe";
export {
  ApiError,
  ConfigurationError,
  ConnectionError,
  DatapipesError,
  InvalidResponseError,
  isDatapipesError,
} from "./errors";
export type { ApiAnswer, ConnectionProblem, DatapipesErrorCode, Finding } from "./errors";
export * from "./functions/get-backups";
export * from "./functions/get-pipe";
export * from "./functions/get-pipe-settings";
export * from "./functions/get-pipes";
export type * from "./functions/args";
export type * from "./functions/results";
export type { PipeSummary } from "./functions/pipe-summary";
