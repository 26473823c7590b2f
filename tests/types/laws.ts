import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { PipeArgs } from "../../provider/src/resources/pipe/args";
import type { pipeSchema } from "../../provider/src/resources/pipe/schema";
import type { reversePrivateEndpointSchema } from "../../provider/src/resources/reverse-private-endpoint/definition";
import type {
  ReversePrivateEndpointArgs,
  VpcEndpointServiceArgs,
} from "../../provider/src/resources/reverse-private-endpoint/reverse-private-endpoint";
import type { serviceSettingsSchema } from "../../provider/src/resources/service-settings/schema";
import type { ServiceSettingsArgs } from "../../provider/src/resources/service-settings/args";

type Members<T, P extends string> = {
  [K in keyof T & string]-?: PathsOf<NonNullable<T[K]>, `${P}.${K}`>;
}[keyof T & string];

/**
 * Every field as one text, path and type: `.scaling.replicas: number`. Texts are compared whole, where the compiler gives up
 * on comparing objects of some depth and takes them for equal.
 */
type PathsOf<T, P extends string = ""> = [T] extends [never]
  ? never
  : [T] extends [string | number | boolean]
    ? `${P}: ${NameOf<T>}`
    : [T] extends [readonly (infer E)[]]
      ? PathsOf<NonNullable<E>, `${P}[]`>
      : T extends object
        ? Members<T, P>
        : never;

/** A plain type as a text; a choice of texts is those texts. */
type NameOf<T extends string | number | boolean> = [T] extends [boolean]
  ? "boolean"
  : [T] extends [number]
    ? "number"
    : [string] extends [T]
      ? "string"
      : T;

/** The fields that a program cannot leave out. */
type RequiredPaths<T, P extends string = ""> = [T] extends [readonly (infer E)[]]
  ? RequiredPaths<NonNullable<E>, `${P}[]`>
  : T extends object
    ? {
        [K in keyof T & string]-?:
          (undefined extends T[K] ? never : `${P}.${K}`) | RequiredPaths<NonNullable<T[K]>, `${P}.${K}`>;
      }[keyof T & string]
    : never;

/** The texts that only one of two sets has, each with the name of its set; `"equal"` where there are none. */
type Differences<A extends string, NameOfA extends string, B extends string, NameOfB extends string> = [
  Exclude<A, B> | Exclude<B, A>,
] extends [never]
  ? "equal"
  : `${Exclude<A, B>} is in ${NameOfA} only` | `${Exclude<B, A>} is in ${NameOfB} only`;

type SchemaAndArgs<S, A> = Differences<PathsOf<S>, "the schema", PathsOf<A>, "the arguments">;
type Requirements<S, A, But extends string = never> = Differences<
  `${Exclude<RequiredPaths<S>, But>} (required)`,
  "the schema",
  `${Exclude<RequiredPaths<A>, But>} (required)`,
  "the arguments"
>;

type Pipe = z.input<typeof pipeSchema>;
type Endpoint = z.input<typeof reversePrivateEndpointSchema>;
type Settings = z.input<typeof serviceSettingsSchema>;
/** What only some kinds of source, or types of endpoint, have: rules say it where the arguments have a union. */
type Kind = ".source.kafka" | ".source.objectStorage" | ".source.kinesis" | ".source.postgres";

/** A field that only one of the two has, or with another type, does not compile: the error names it. */
export const pipe: SchemaAndArgs<Pipe, pulumi.Unwrap<PipeArgs>> = "equal";
export const endpoint: SchemaAndArgs<Endpoint, pulumi.Unwrap<ReversePrivateEndpointArgs>> = "equal";
export const settings: SchemaAndArgs<Settings, pulumi.Unwrap<ServiceSettingsArgs>> = "equal";

/** What is required is required in both. */
export const ofPipe: Requirements<Pipe, pulumi.Unwrap<PipeArgs>, Kind> = "equal";
export const ofEndpoint: Requirements<Endpoint, pulumi.Unwrap<VpcEndpointServiceArgs>> = "equal";
export const ofSettings: Requirements<Settings, pulumi.Unwrap<ServiceSettingsArgs>> = "equal";
export const kindsAreRequired: Differences<Kind, "kinds", Kind & RequiredPaths<pulumi.Unwrap<PipeArgs>>, ""> =
  "equal";

/** At every depth, an error of these laws names the field: these are its texts, and the only ones that compile. */
type Args = pulumi.Unwrap<PipeArgs>;
type Deep = ".source.postgres.tableMappings[].sortingKeys[]: string";
export const fieldMore: SchemaAndArgs<Pipe & { more: string }, Args> = ".more: string is in the schema only";
export const otherType: SchemaAndArgs<Omit<Pipe, "name"> & { name: number }, Args> =
  ".name: number is in the schema only";
export const fieldLess: Differences<
  Exclude<PathsOf<Pipe>, Deep>,
  "one",
  PathsOf<Args>,
  "two"
> = ".source.postgres.tableMappings[].sortingKeys[]: string is in two only";
export const requirementLess: Differences<
  Exclude<RequiredPaths<Pipe>, ".fieldMappings[].sourceField">,
  "one",
  Exclude<RequiredPaths<Args>, Kind>,
  "two"
> = ".fieldMappings[].sourceField is in two only";
