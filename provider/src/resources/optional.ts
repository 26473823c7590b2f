import type * as pulumi from "@pulumi/pulumi";

/** An argument that may be left out, also by an output whose value is undefined. */
export type Optional<T> = pulumi.Input<T | undefined> | undefined;

/** What happens to what exists when the program no longer declares it. */
export type DeletionPolicy = "retain" | "delete";

/** What happens when a change needs another resource. */
export type ReplacementPolicy = "refuse" | "allow";
