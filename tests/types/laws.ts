import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { PipeArgs } from "../../provider/src/resources/pipe/args";
import type { pipeSchema } from "../../provider/src/resources/pipe/schema";

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

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type FromSchema = z.input<typeof pipeSchema>;
type FromArgs = pulumi.Unwrap<PipeArgs>;

type Kind = ".source.kafka" | ".source.objectStorage" | ".source.kinesis" | ".source.postgres";
type Deep = ".source.postgres.tableMappings[].sortingKeys[]: string";

/** A field that only one of the two has, or with another type, does not compile. */
export const sameFields: Same<PathsOf<FromSchema>, PathsOf<FromArgs>> = true;

/** What is required is required in both. The schema has a rule where the arguments have a union of four kinds. */
export const sameRequired: Same<
  Exclude<RequiredPaths<FromSchema>, Kind>,
  Exclude<RequiredPaths<FromArgs>, Kind>
> = true;
export const kindsAreRequired: Same<Kind & RequiredPaths<FromArgs>, Kind> = true;

/** The laws look into every depth, and tell what is different. */
export const deep: Same<Deep & PathsOf<FromArgs>, Deep> = true;
export const different = [
  // @ts-expect-error -- a field of some depth less
  true satisfies Same<Exclude<PathsOf<FromSchema>, Deep>, PathsOf<FromArgs>>,
  // @ts-expect-error -- a field more
  true satisfies Same<PathsOf<FromSchema & { more: string }>, PathsOf<FromArgs>>,
  // @ts-expect-error -- another type
  true satisfies Same<PathsOf<Omit<FromSchema, "name"> & { name: number }>, PathsOf<FromArgs>>,
  // @ts-expect-error -- a requirement less
  true satisfies Same<
    Exclude<RequiredPaths<FromSchema>, ".fieldMappings[].sourceField">,
    RequiredPaths<FromArgs>
  >,
];
