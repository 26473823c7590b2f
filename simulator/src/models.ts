import type { Readable, Writable, components, operations } from "./openapi";

type Schemas = components["schemas"];

/** The `operationId` of an operation in `openapi.yaml`. */
export type OperationId = keyof operations;

/** A pipe as the API returns it. */
export type Pipe = Readable<Schemas["Pipe"]>;
/** The body of createPipe. */
export type CreatePipe = Writable<Schemas["Pipe"]>;
/** The body of updatePipe. */
export type UpdatePipe = Schemas["PipeUpdate"];
/** The twelve settings of a pipe, under the API's own names. */
export type PipeSettings = Schemas["PipeSettings"];
/** What a pipe loads with. */
export type Scaling = Schemas["Scaling"];
/** The source of a pipe as the API returns it: one of the four kinds. */
export type Source = Pipe["source"];
/** The kinds of source. */
export type SourceKind = keyof Source;
/** How a table of a Postgres source becomes a table of the service. */
export type TableMapping = Schemas["TableMapping"];
/** A mapping as updatePipe removes it. */
export type TableMappingIdentity = Schemas["TableMappingIdentity"];
/** The destination of a pipe as the API returns it. */
export type Destination = Pipe["destination"];
/** Which field of the source fills which column. */
export type FieldMapping = Schemas["FieldMapping"];

/** A reverse private endpoint as the API returns it. */
export type ReversePrivateEndpoint = Readable<Schemas["ReversePrivateEndpoint"]>;
/** The body of createReversePrivateEndpoint. */
export type CreateReversePrivateEndpoint = Writable<Schemas["ReversePrivateEndpoint"]>;

/** A service as the API returns it. */
export type Service = Schemas["Service"];
/** The body of updateService. */
export type UpdateService = Schemas["ServiceUpdate"];
/** An entry of a service's IP access list. */
export type IpAccessEntry = Schemas["IpAccessEntry"];

/** A backup as the API returns it. */
export type Backup = Schemas["Backup"];
