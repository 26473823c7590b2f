import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "../../provider/src/index";

const number = pulumi.output(1);
const { Pipe } = datapipes;
const login = { username: "u", password: "p" };

/** Programs that must not compile, each with one mistake; the directive is an error where the compiler sees none. */
export const programs = {
  // @ts-expect-error -- no source
  noSource: () => new Pipe("p", {}),

  // @ts-expect-error -- no arguments
  noArguments: () => new Pipe("p"),

  // @ts-expect-error -- no kind
  noKind: () => new Pipe("p", { source: {} }),

  // @ts-expect-error -- a flag is no kind
  onlyAFlag: () => new Pipe("p", { source: { validateSamples: true } }),

  // @ts-expect-error -- an unknown kind
  unknownKind: () => new Pipe("p", { source: { rabbit: {} } }),

  // @ts-expect-error -- a misspelt argument
  misspelt: () => new Pipe("p", { source: { kafka: {} }, scalling: {} }),

  // @ts-expect-error -- a misspelt member
  misspeltMember: () => new Pipe("p", { source: { kafka: { broker: "b" } } }),

  // @ts-expect-error -- a member of another kind
  foreignMember: () => new Pipe("p", { source: { kafka: { streamName: "s" } } }),

  // @ts-expect-error -- the API's own spelling
  snakeCase: () => new Pipe("p", { source: { kafka: {} }, settings: { dbms_max_threads: 1 } }),

  // @ts-expect-error -- a text for a number
  textForNumber: () => new Pipe("p", { source: { kafka: {} }, scaling: { replicas: "2" } }),

  // @ts-expect-error -- a number for a text
  numberForText: () => new Pipe("p", { source: { kafka: { brokers: 9092 } } }),

  // @ts-expect-error -- an output of a number for a text
  outputOfAnother: () => new Pipe("p", { source: { kafka: { brokers: number } } }),

  // @ts-expect-error -- a text for a list
  textForList: () => new Pipe("p", { source: { kafka: { reversePrivateEndpointIds: "id" } } }),

  // @ts-expect-error -- a text for a flag
  textForFlag: () => new Pipe("p", { source: { objectStorage: { isContinuous: "yes" } } }),

  // @ts-expect-error -- half a login
  halfALogin: () => new Pipe("p", { source: { kafka: { credentials: { username: "u" } } } }),

  // @ts-expect-error -- half an access key
  halfAKey: () => new Pipe("p", { source: { kinesis: { accessKey: { secretKey: "s" } } } }),

  // @ts-expect-error -- a Kafka login in a Kinesis source
  foreignLogin: () => new Pipe("p", { source: { kinesis: { credentials: login } } }),

  // @ts-expect-error -- an offset without its timestamp
  emptyOffset: () => new Pipe("p", { source: { kafka: { offset: {} } } }),

  // @ts-expect-error -- a timestamp that is a date
  dateForText: () => new Pipe("p", { source: { kafka: { offset: { timestamp: new Date() } } } }),

  // @ts-expect-error -- a column without a type
  halfAColumn: () => new Pipe("p", { source: { kafka: {} }, destination: { columns: [{ name: "a" }] } }),

  // @ts-expect-error -- a mapping without a destination
  halfAMapping: () => new Pipe("p", { source: { kafka: {} }, fieldMappings: [{ sourceField: "a" }] }),

  // @ts-expect-error -- a table mapping without a target
  halfATable: () => new Pipe("p", { source: { postgres: { tableMappings: [{ sourceTable: "t" }] } } }),

  // @ts-expect-error -- an unknown policy
  unknownPolicy: () => new Pipe("p", { source: { kafka: {} }, deletionPolicy: "keep" }),

  // @ts-expect-error -- an unknown policy of replacement
  unknownReplacement: () => new Pipe("p", { source: { kafka: {} }, replacementPolicy: "always" }),

  // @ts-expect-error -- waiting for nothing
  waitForNothing: () => new Pipe("p", { source: { kafka: {} }, waitFor: {} }),

  // @ts-expect-error -- null is no value of a program
  nothing: () => new Pipe("p", { source: { kafka: {} }, name: null }),

  // @ts-expect-error -- an output is no input
  anOutput: () => new Pipe("p", { source: { kafka: {} }, state: "Running" }),

  // @ts-expect-error -- outputs are read-only
  written: (pipe: datapipes.Pipe) => (pipe.state = pulumi.output("Running")),

  // @ts-expect-error -- an unknown code of an error
  unknownCode: (error: datapipes.DatapipesError) => error.code === "no-such-code",
};
