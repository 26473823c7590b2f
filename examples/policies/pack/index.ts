/**
 * Three policies for programs with pipes. `validateResourceOfType` finds the resources by their type, which for a pipe is
 * `pulumi-nodejs:dynamic/datapipes:Pipe`. A policy gets:
 *
 * - the arguments under the names of the program, without those that the program leaves out, and with the service that the provider has
 *   filled in. Secrets are plain values here: never repeat an argument that can hold one.
 * - of the options `protect`, and not `retainOnDelete`.
 * - the settings of the provider as a resource of the type `pulumi:providers:pulumi-nodejs`, with names such as `datapipes:baseUrl`. It
 *   lacks settings from the environment.
 *
 * A policy that reads a value which the first preview does not know yet is skipped, with a warning; `pulumi up` checks it then.
 */
import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies";

export const pack = new PolicyPack("datapipes", { policies, enforcementLevel: "mandatory" });
