import path from "node:path";
import { documentFiles, isForUsers, parseDocument, readDocument } from "../kit/documents";
import { diagnosticsOf, modulesOf, type Diagnostic } from "./compiler";

/** A mistake in the arguments of a resource, the name that the compiler underlines, and what it says. */
type Mistake = readonly [args: string, place: string, message: RegExp];

const unknownField = (name: string, type: string): RegExp =>
  new RegExp(`may only specify known properties,.* '${name}' does not exist in type '[^']*\\b${type}\\b`);
const wrongType = (found: string, wanted: string): RegExp =>
  new RegExp(`^Type '${found}' is not assignable to type 'Input<${wanted}`);
const missing = (name: string, type: string): RegExp =>
  new RegExp(`Property '${name}' is missing in type .* but required in type '${type}'`);

const sources: readonly Mistake[] = [
  [`{ kafka: { brokrs: "b" } }`, "brokrs", unknownField("brokrs", "KafkaSourceArgs")],
  [`{ kafka: { brokers: 9092 } }`, "brokers", wrongType("number", "string")],
  [`{ kafka: { offset: { timestmp: "" } } }`, "timestmp", unknownField("timestmp", "KafkaOffsetArgs")],
  [`{ objectStorage: { uri: "u" } }`, "uri", unknownField("uri", "ObjectStorageSourceArgs")],
  [`{ objectStorage: { isContinuous: "yes" } }`, "isContinuous", wrongType("string", "boolean")],
  [`{ kinesis: { stream: "s" } }`, "stream", unknownField("stream", "KinesisSourceArgs")],
  [`{ kinesis: { accessKey: { secretKey: "s" } } }`, "accessKey", missing("accessKeyId", "AccessKeyArgs")],
  [`{ postgres: { hosts: "h" } }`, "hosts", unknownField("hosts", "PostgresSourceArgs")],
  [`{ postgres: { credentials: { username: "u" } } }`, "credentials", missing("password", "CredentialsArgs")],
  [`{ rabbit: {} }`, "rabbit", unknownField("rabbit", "PipeSourceArgs")],
  [`{ kafka: {}, validateSample: true }`, "validateSample", unknownField("validateSample", "PipeSourceArgs")],
];

const SERVICE_NAME = /Did you mean to write 'vpcEndpointServiceName'\?/;
const RESOURCE = `type: "VPC_RESOURCE", vpcResourceConfigurationId: "c"`;
const MSK = `type: "MSK_MULTI_VPC"`;
const SASL = /^Type '"SASL"' is not assignable to type 'Input<"SASL_IAM" \| "SASL_SCRAM">/;

const endpoints: readonly Mistake[] = [
  [`type: "VPC_RESORCE"`, "type", /Did you mean '"VPC_RESOURCE"'\?/],
  [`type: "VPC_ENDPOINT_SERVICE", vpcEndpointService: "n"`, "vpcEndpointService", SERVICE_NAME],
  [RESOURCE, "{", missing("vpcResourceShareArn", "VpcResourceArgs")],
  [`${MSK}, mskClusterArn: "a", mskAuthentication: "SASL"`, "mskAuthentication", SASL],
];

/** Other programs that must not compile, each with one mistake. */
const wrong = [
  // No source, no arguments, no kind of source.
  `new Pipe("p", {});`,
  `new Pipe("p");`,
  `new Pipe("p", { source: {} });`,
  `new Pipe("p", { source: { validateSamples: true } });`,
  // A misspelt argument, a member of another kind, the API's own format.
  `new Pipe("p", { source: { kafka: {} }, scalling: {} });`,
  `new Pipe("p", { source: { kafka: { streamName: "s" } } });`,
  `new Pipe("p", { source: { kinesis: { credentials: { username: "u", password: "p" } } } });`,
  `new Pipe("p", { source: { kafka: {} }, settings: { dbms_max_threads: 1 } });`,
  // A wrong type.
  `new Pipe("p", { source: { kafka: { brokers: pulumi.output(1) } } });`,
  `new Pipe("p", { source: { kafka: { offset: { timestamp: new Date() } } } });`,
  `new Pipe("p", { source: { kafka: {} }, name: null });`,
  // An output is no input, and is read-only; a code that no error has.
  `new Pipe("p", { source: { kafka: {} }, state: "Running" });`,
  `export const write = (pipe: Pipe) => (pipe.state = pulumi.output("Running"));`,
  `export const ask = (error: DatapipesError) => error.code === "no-such-code";`,
];

const programs = [
  `import * as pulumi from "@pulumi/pulumi"; import { Pipe, ReversePrivateEndpoint, type DatapipesError } from "../../provider/src/index";`,
  ...sources.map(([source]) => `new Pipe("p", { source: ${source} });`),
  ...endpoints.map(([args]) => `new ReversePrivateEndpoint("e", { description: "d", ${args} });`),
  ...wrong,
];

const userBlocks = documentFiles()
  .filter(isForUsers)
  .flatMap((file) => readDocument(file).blocks);

const WRONG_PAGE = "<!-- code: pipe arguments -->\n\n```ts\ndeletionPolicy: 'keep',\n```\n";

let diagnostics: readonly Diagnostic[];
/** The messages for the files whose names match. */
const messagesOf = (name: RegExp): readonly Diagnostic[] =>
  diagnostics.filter(({ file }) => name.test(path.basename(file)));

beforeAll(() => {
  diagnostics = diagnosticsOf({
    "mistakes.ts": programs.join("\n"),
    ...modulesOf(userBlocks),
    ...modulesOf(parseDocument("wrong-page.md", WRONG_PAGE).blocks),
  });
});

test("correct programs compile", () => {
  expect(messagesOf(/^(?!mistakes|wrong-|.*\.md:)/)).toEqual([]);
});

/** What the compiler says of the wrong program with this text. */
const mistakesIn = (text: string): readonly Diagnostic[] => {
  const line = programs.findIndex((program) => program.includes(text)) + 1;
  return messagesOf(/^mistakes/).filter((message) => message.line === line);
};

test.each([...sources, ...endpoints])("the compiler names the mistake of %s", (args, place, message) => {
  const own = mistakesIn(args);
  expect(own).toEqual([expect.objectContaining({ message: expect.stringMatching(message) as string })]);
  expect(own[0]?.place.startsWith(place)).toBe(true);
  expect(own[0]?.message).not.toMatch(/not assignable to type 'undefined'/);
});

test.each(wrong)("this program does not compile: %s", (program) => {
  expect(mistakesIn(program)).not.toEqual([]);
});

test("every block of TypeScript in the documents compiles under strict", () => {
  expect(Object.keys(modulesOf(userBlocks)).length).toBeGreaterThan(10);
  expect(messagesOf(/^(?!wrong-).*\.md:/)).toEqual([]);
  expect(messagesOf(/^wrong-page/)).toMatchObject([{ place: "deletionPolicy" }]);
});

test("no program in the documents exports a resource, whose outputs Pulumi would print", () => {
  const exporting = userBlocks.filter(({ code }) =>
    /^\s*export const \w+ = new (?:datapipes|pulumi)\./m.test(code),
  );
  expect(exporting.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});
