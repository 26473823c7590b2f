import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "../../provider/src/index";

const later: pulumi.Output<string> = pulumi.output("later");
const number: pulumi.Output<number> = pulumi.output(1);
const flag: pulumi.Output<boolean> = pulumi.output(true);
const promised = Promise.resolve("promised");
const maybe: string | undefined = process.env["MAYBE"];

/** Programs as people write them. None runs: it is enough that they compile. The examples have a plain one for each source. */
export const programs = {
  outputsAtEveryDepth: () =>
    new datapipes.Pipe("p", {
      organizationId: later,
      serviceId: promised,
      source: {
        kafka: {
          brokers: pulumi.interpolate`${later}:9092`,
          offset: { timestamp: later },
          reversePrivateEndpointIds: [later, "plain", promised],
          credentials: { username: later, password: pulumi.secret("p") },
        },
        validateSamples: flag,
      },
      destination: { columns: [{ name: later, type: "String" }], roles: [later] },
      scaling: { replicas: number, replicaMemoryGb: number },
      waitFor: { states: [later], timeoutSeconds: number },
    }),

  outputsOfWholeParts: () =>
    new datapipes.Pipe("p", {
      source: { kafka: pulumi.output({ brokers: "b", reversePrivateEndpointIds: ["id"] }) },
      destination: pulumi.output({ table: "t", columns: [{ name: "a", type: "String" }] }),
      fieldMappings: pulumi.output([{ sourceField: "a", destinationField: "a" }]),
      settings: Promise.resolve({ dbmsMaxThreads: 1 }),
      waitFor: pulumi.output({ states: ["Running"] }),
    }),

  outputOfTheWholeSource: () =>
    new datapipes.Pipe("p", { source: pulumi.output({ postgres: { host: "h" } }) }),

  arraysOfOutputs: () =>
    [pulumi.output(["a", "b"]), pulumi.all([later, later])].map(
      (reversePrivateEndpointIds) =>
        new datapipes.Pipe("p", { source: { kafka: { reversePrivateEndpointIds } } }),
    ),

  absentValues: () =>
    new datapipes.Pipe("p", {
      name: pulumi.output(maybe),
      source: { kafka: { iamRole: maybe, credentials: undefined }, objectStorage: undefined },
      destination: undefined,
      settings: { dbmsMaxThreads: undefined },
    }),

  aSourceThatIsChosen: (kafka: boolean) =>
    new datapipes.Pipe("p", { source: kafka ? { kafka: { brokers: "b" } } : { kinesis: { region: "r" } } }),

  // `check` refuses two kinds: as an error of the compiler it would hide every mistake inside of a kind.
  twoKinds: () => new datapipes.Pipe("p", { source: { kafka: {}, kinesis: {} } }),

  argumentsThatArePrepared: (source: datapipes.PipeSourceArgs, args: datapipes.PipeArgs) =>
    new datapipes.Pipe("p", { ...args, source }),

  outputsThatAreRead: ({ id, state, name, createdAt, source, destination, observed }: datapipes.Pipe) => ({
    plain: [id, state, name, createdAt] satisfies pulumi.Output<string>[],
    brokers: source.apply(({ kafka }) => kafka?.brokers) satisfies pulumi.Output<string | undefined>,
    table: destination.apply((found) => found?.table) satisfies pulumi.Output<string | undefined>,
    columns: destination.apply((found) => found?.columns?.map(({ name }) => name)),
    observed: observed.apply((found) => Object.keys(found)),
  }),

  policiesFindTypes: (type: "Pipe" | "ReversePrivateEndpoint" | "ServiceSettings") =>
    datapipes[type].__pulumiType satisfies string,

  backupUnderWay: (id: string, startedAt: string): datapipes.Backup => ({ id, serviceId: "s", startedAt }),

  existing: () => datapipes.Pipe.get("p", "id", { serviceId: later }, { parent: undefined }),
  existingWithDefaults: () => datapipes.Pipe.get("p", later),

  narrowed: (value: unknown) => (datapipes.Pipe.isInstance(value) ? value.state : undefined),

  errorsByCode: (error: unknown) => {
    if (!datapipes.isDatapipesError(error)) return "";
    const code: datapipes.DatapipesErrorCode = error.code;
    return code === "not-found" ? String(error.answer.status) : code;
  },
};
