// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../lifecycle/state/resource-key";
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

/**
 * A pipe: it loads data from a source into a table of a service, once or continuously. `createPipe` creates
 * it, `updatePipe` changes it, `listPipes` reads it. The outputs that mirror arguments have the shape that
 * the program declared, with the values found at the last refresh.
 */
export class Pipe extends DatapipesResource {
  /** The type token, by which policies find the resource: `validateResourceOfType(datapipes.Pipe, …)`. */
  public static readonly __pulumiType = typeToken("Pipe");

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
  /** ID of the adopted pipe; undefined if the resource created its pipe. */
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
  /**
   * What the API last returned beyond the declared fields, or in another format than the program declares;
   * setting names in camelCase.
   */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  /**
   * Declares the resource.
   *
   * @param name logical name of the resource, and the name of the pipe unless `args.name` says another
   * @param args the pipe that the program declares
   * @param opts Pulumi's resource options, but not `import`
   */
  constructor(name: string, args: PipeArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super("Pipe", name, given, options);
  }

  /**
   * Reads what exists and is not managed by this stack.
   *
   * @param name logical name in this program
   * @param id the id; it is an error when the service has no pipe with it
   * @param args `organizationId` and `serviceId`, where configuration does not give them
   * @param opts options of the resource
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: Partial<PipeArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ): Pipe {
    return new Pipe(name, args as PipeArgs, { ...opts, id: idToRead("Pipe", name, id) });
  }

  /** Whether a value is such a resource, of any copy of this package. */
  public static override isInstance(value: unknown): value is Pipe {
    return isResourceOfType(value, "Pipe");
  }
}
