import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

/** What a feed needs to know. */
export interface DataFeedArgs {
  /** The endpoint service through which the brokers are reached. */
  endpointService: pulumi.Input<string>;
  /** The brokers, `host:port` separated by commas. */
  brokers: pulumi.Input<string>;
  /** The topic, and the table that it fills. */
  topic: string;
  /** The columns of the table. Each is filled by the field of its name. */
  columns: { name: string; type: string }[];
  /** The login at the brokers. */
  credentials: pulumi.Input<datapipes.CredentialsArgs>;
}

/** States in which a pipe loads data, or is about to. */
const HEALTHY_STATES = ["Provisioning", "Setup", "Running", "Modifying"];

/** A topic of a private network that fills a table: the connection, the pipe, and what an alert should say. */
export class DataFeed extends pulumi.ComponentResource {
  /** ID of the connection at the cloud, which the owner of the network accepts. */
  public readonly connection: pulumi.Output<string>;
  /** ID of the pipe. */
  public readonly pipeId: pulumi.Output<string>;
  /** What is wrong with the feed; empty if nothing is. */
  public readonly alert: pulumi.Output<string>;

  constructor(name: string, args: DataFeedArgs, opts?: pulumi.ComponentResourceOptions) {
    super("shop:data:DataFeed", name, {}, opts);
    // The name of a child begins with the name of the component, so that a stack can have several components.
    const endpoint = new datapipes.ReversePrivateEndpoint(
      `${name}-brokers`,
      {
        type: "VPC_ENDPOINT_SERVICE",
        description: `Brokers of ${name}`,
        vpcEndpointServiceName: args.endpointService,
      },
      { parent: this },
    );
    const pipe = new datapipes.Pipe(
      `${name}-pipe`,
      {
        name,
        source: {
          kafka: {
            brokers: args.brokers,
            topics: args.topic,
            consumerGroup: `${name}-loader`,
            reversePrivateEndpointIds: [endpoint.id],
            credentials: args.credentials,
          },
        },
        destination: { database: "default", table: args.topic, columns: args.columns },
        fieldMappings: args.columns.map((column) => ({
          sourceField: `$.${column.name}`,
          destinationField: column.name,
        })),
      },
      // `protect` and the provider of the component are inherited, because the component is the parent.
      { parent: this },
    );
    this.connection = endpoint.endpointId;
    this.pipeId = pipe.id;
    this.alert = pulumi
      .all([pipe.id, pipe.state])
      .apply(([id, state]) =>
        HEALTHY_STATES.includes(state) ? "" : `Feed ${name}: the state of pipe ${id} is ${state}.`,
      );
    this.registerOutputs({ connection: this.connection, pipeId: this.pipeId, alert: this.alert });
  }
}
