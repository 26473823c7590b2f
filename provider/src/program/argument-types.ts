import type * as pulumi from "@pulumi/pulumi";

/** An optional argument; it can also be an output whose value is undefined. */
export type Optional<T> = pulumi.Input<T | undefined> | undefined;

/** What happens to the object of the API when the program no longer declares the resource. */
export type DeletionPolicy = "retain" | "delete";

/** What happens when a change requires a replacement. */
export type ReplacementPolicy = "refuse" | "allow";
