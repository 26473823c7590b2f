import * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../pulumi/type-tokens";
import { isDeclared } from "../program-resource";
import { registration } from "../registration";

// generated: imports

import type { DeletionPolicy, ReplacementPolicy } from "../argument-types";
import type {
  FieldMappingArgs,
  PipeArgs,
  PipeDestinationArgs,
  PipeSettingsArgs,
  PipeSourceArgs,
  ScalingArgs,
  WaitForArgs,
} from "./args";

// end of generated

const TYPE = "Pipe";

/**
 * A pipe: it loads data from a source into a table of a service, once or continuously.
 *
 * `createPipe` creates it, `updatePipe` changes it, `listPipes` reads it. The outputs that mirror arguments have the
 * shape that the program declared, with the values found at the last refresh.
 */
export class Pipe extends DatapipesResource {
  /** The type token, by which policies find pipes: `validateResourceOfType(datapipes.Pipe, …)`. */
  public static readonly __pulumiType = typeToken(TYPE);

  // generated: outputs

  /** The organization, a UUID. */
  declare public readonly organizationId: pulumi.Output<string>;
  /** The service that the pipe belongs to, a UUID. */
  declare public readonly serviceId: pulumi.Output<string>;
  /** Name of the pipe. */
  declare public readonly name: pulumi.Output<string>;
  /** Where the pipe reads. Credentials, access keys and connection strings in it are secret. */
  declare public readonly source: pulumi.Output<pulumi.Unwrap<PipeSourceArgs>>;
  /** Where the pipe writes. */
  declare public readonly destination: pulumi.Output<pulumi.Unwrap<PipeDestinationArgs> | undefined>;
  /** Which field of the source fills which column. */
  declare public readonly fieldMappings: pulumi.Output<pulumi.Unwrap<FieldMappingArgs>[] | undefined>;
  /** The size of the pipe. */
  declare public readonly scaling: pulumi.Output<pulumi.Unwrap<ScalingArgs> | undefined>;
  /** Settings of the pipe. */
  declare public readonly settings: pulumi.Output<pulumi.Unwrap<PipeSettingsArgs> | undefined>;
  /** Id of the adopted pipe; undefined if the resource created its pipe. */
  declare public readonly adopt: pulumi.Output<string | undefined>;
  /** What happens to the pipe when it is replaced or no longer declared; undefined is `"retain"`. */
  declare public readonly deletionPolicy: pulumi.Output<DeletionPolicy | undefined>;
  /** Whether the provider may create a second pipe for the same data; undefined is `"refuse"`. */
  declare public readonly replacementPolicy: pulumi.Output<ReplacementPolicy | undefined>;
  /** What to wait for after a create or update, polling `listPipes`. */
  declare public readonly waitFor: pulumi.Output<pulumi.Unwrap<WaitForArgs> | undefined>;
  /** State of the pipe at the last write or refresh, such as `Running`. The API document lists no values. */
  declare public readonly state: pulumi.Output<string>;
  /** When the pipe was created, as the API writes it. */
  declare public readonly createdAt: pulumi.Output<string>;
  /** When the pipe was last changed, as the API writes it. */
  declare public readonly updatedAt: pulumi.Output<string>;
  /** The pipe as the API last returned it, with all that the server filled in; setting names in camelCase. */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  // end of generated

  /**
   * Declares a pipe.
   *
   * @param name logical name of the resource, and the pipe's name unless `args.name` says another
   * @param args what the pipe is to be
   * @param opts options of the resource; all of Pulumi's work
   */
  constructor(name: string, args: PipeArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: Partial<PipeArgs> | null, options?: pulumi.CustomResourceOptions | null) {
    const named = isDeclared(options ?? {}) ? { ...given, name: nameOr(name, given?.name) } : given;
    super(...registration(TYPE, name, named, options));
  }

  /**
   * Reads a pipe that exists and is not managed by this stack.
   *
   * @param name logical name in this program
   * @param id id of the pipe; it is an error when the service has none of this id
   * @param args `organizationId` and `serviceId`, where configuration does not give them
   * @param opts options of the resource
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: Partial<PipeArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ): Pipe {
    return new Pipe(name, args as PipeArgs, { ...opts, id: idToRead(TYPE, name, id) });
  }

  /** Whether a value is a pipe of this package, of whichever copy of it. */
  public static override isInstance(value: unknown): value is Pipe {
    return isResourceOfType(value, TYPE);
  }
}

/** The given name, or the logical one where the program gives none, as far as that is known. */
function nameOr(logicalName: string, given: PipeArgs["name"]): pulumi.Input<string> {
  if (given === undefined) return logicalName;
  return typeof given === "string" ? given : pulumi.output(given).apply((name) => name ?? logicalName);
}
