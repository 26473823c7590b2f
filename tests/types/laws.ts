import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type * as datapipes from "../../provider/src/index";
import type { VpcEndpointServiceArgs } from "../../provider/src/index";
import type { DEFINITIONS, ResourceType } from "../../provider/src/run/definitions";

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

/** The fields of a kind of resource, and the arguments of its class. */
type SchemaOf<T extends ResourceType> = z.input<ReturnType<(typeof DEFINITIONS)[T]>["schema"]>;
type ArgsOf<T extends ResourceType> = pulumi.Unwrap<ConstructorParameters<(typeof datapipes)[T]>[1]>;

/** `"equal"` if all comparisons are; else the differences. */
type All<Compared extends string> = [Exclude<Compared, "equal">] extends [never]
  ? "equal"
  : Exclude<Compared, "equal">;

/** A field that only one of the two has, or with another type, does not compile, and the error names it. */
export const fields: All<{ [T in ResourceType]: SchemaAndArgs<SchemaOf<T>, ArgsOf<T>> }[ResourceType]> =
  "equal";

/** What only some kinds of source, or types of endpoint, have: rules require it where the arguments are a union. */
type Kind = ".source.kafka" | ".source.objectStorage" | ".source.kinesis" | ".source.postgres";
type OfSomeType = Exclude<
  RequiredPaths<ArgsOf<"ReversePrivateEndpoint">>,
  RequiredPaths<pulumi.Unwrap<VpcEndpointServiceArgs>>
>;

/** What is required is required in both. */
export const required: All<
  { [T in ResourceType]: Requirements<SchemaOf<T>, ArgsOf<T>, Kind | OfSomeType> }[ResourceType]
> = "equal";
export const kindsAreRequired: Differences<Kind, "kinds", Kind & RequiredPaths<ArgsOf<"Pipe">>, ""> = "equal";
