export type * from "./resources/pipe/args";
export { Pipe } from "./resources/pipe/pipe";
export {
  ApiError,
  ConfigurationError,
  ConnectionError,
  DatapipesError,
  InvalidResponseError,
  isDatapipesError,
} from "./errors";
export type { DatapipesErrorCode } from "./errors";
