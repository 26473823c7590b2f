import { diagnosticsOf, type Diagnostic } from "./compiler";

/** A mistake in the arguments of a resource, the name that the compiler underlines, and what it says. */
type Mistake = readonly [args: string, place: string, message: RegExp];

const unknownField = (name: string, type: string): RegExp =>
  new RegExp(`may only specify known properties,.* '${name}' does not exist in type '[^']*\\b${type}\\b`);
const wrongType = (found: string, wanted: string): RegExp =>
  new RegExp(`^Type '${found}' is not assignable to type 'Input<${wanted}`);
const missing = (name: string, type: string): RegExp =>
  new RegExp(`Property '${name}' is missing in type .* but required in type '${type}'`);

const pipes: readonly Mistake[] = [
  [`{ kafka: { brokrs: "b" } }`, "brokrs", unknownField("brokrs", "KafkaSourceArgs")],
  [`{ kafka: { credentials: { username: "u" } } }`, "credentials", missing("password", "CredentialsArgs")],
  [`{ kafka: { brokers: 9092 } }`, "brokers", wrongType("number", "string")],
  [`{ kafka: { offset: { timestmp: "" } } }`, "timestmp", unknownField("timestmp", "KafkaOffsetArgs")],
  [`{ objectStorage: { uri: "u" } }`, "uri", unknownField("uri", "ObjectStorageSourceArgs")],
  [
    `{ objectStorage: { accessKey: { accessKeyId: "i" } } }`,
    "accessKey",
    missing("secretKey", "AccessKeyArgs"),
  ],
  [`{ objectStorage: { isContinuous: "yes" } }`, "isContinuous", wrongType("string", "boolean")],
  [`{ kinesis: { stream: "s" } }`, "stream", unknownField("stream", "KinesisSourceArgs")],
  [`{ kinesis: { accessKey: { secretKey: "s" } } }`, "accessKey", missing("accessKeyId", "AccessKeyArgs")],
  [`{ kinesis: { timestamp: "now" } }`, "timestamp", wrongType("string", "number")],
  [`{ postgres: { hosts: "h" } }`, "hosts", unknownField("hosts", "PostgresSourceArgs")],
  [`{ postgres: { credentials: { username: "u" } } }`, "credentials", missing("password", "CredentialsArgs")],
  [`{ postgres: { port: "5432" } }`, "port", wrongType("string", "number")],
  [`{ rabbit: {} }`, "rabbit", unknownField("rabbit", "PipeSourceArgs")],
  [`{ kafka: {}, validateSample: true }`, "validateSample", unknownField("validateSample", "PipeSourceArgs")],
];

const endpoints: readonly Mistake[] = [
  [`type: "VPC_RESORCE"`, "type", /Did you mean '"VPC_RESOURCE"'\?/],
  [
    `type: "VPC_ENDPOINT_SERVICE", vpcEndpointService: "n"`,
    "vpcEndpointService",
    /Did you mean to write 'vpcEndpointServiceName'\?/,
  ],
  [
    `type: "VPC_RESOURCE", vpcResourceConfigurationId: "c"`,
    "{",
    missing("vpcResourceShareArn", "VpcResourceArgs"),
  ],
  [`type: "MSK_MULTI_VPC", mskAuthentication: "SASL_IAM"`, "{", missing("mskClusterArn", "MskMultiVpcArgs")],
  [
    `type: "MSK_MULTI_VPC", mskClusterArn: "a", mskAuthentication: "SASL"`,
    "mskAuthentication",
    /^Type '"SASL"' is not assignable to type 'Input<"SASL_IAM" \| "SASL_SCRAM">/,
  ],
  [
    `type: "MSK_MULTI_VPC", mskClusterArn: 5, mskAuthentication: "SASL_IAM"`,
    "mskClusterArn",
    wrongType("number", "string"),
  ],
];

const statements = [
  ...pipes.map(([source]) => `new Pipe("p", { source: ${source} });`),
  ...endpoints.map(([args]) => `new ReversePrivateEndpoint("e", { description: "d", ${args} });`),
];

let diagnostics: readonly Diagnostic[];
beforeAll(() => {
  const imports = `import { Pipe, ReversePrivateEndpoint } from "../../provider/src/index";`;
  diagnostics = diagnosticsOf([], { "mistakes.ts": [imports, ...statements].join("\n") });
}, 120_000);

test.each(
  [...pipes, ...endpoints].map((mistake, index) => [statements[index] ?? "", index, mistake] as const),
)("the compiler names the mistake of %s", (_, index, [, place, message]) => {
  const own = diagnostics.filter(({ line }) => line === index + 2);
  expect(own).toHaveLength(1);
  expect(own[0]?.place.startsWith(place)).toBe(true);
  expect(own[0]?.message).toMatch(message);
  expect(own[0]?.message).not.toMatch(/not assignable to type 'undefined'/);
});
