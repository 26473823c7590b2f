import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "./cleanup";
import { mapValues, secretMarker, type Json, type JsonObject } from "./json";
import { complete, creationBody } from "./pipes";
import { type Simulator, newSimulator, writes } from "./simulator";
import { type TestStack, newStack } from "./stack";

const folder = path.resolve(__dirname, "../golden");

export const goldenVersions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What a version left of a resource. A secret is an object whose one member is `secret`. */
interface GoldenResource {
  readonly type: string;
  readonly id: string;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly retainOnDelete?: boolean;
  readonly inputs: JsonObject;
  /** The outputs that are no inputs, or have another value. */
  readonly outputs: JsonObject;
  /** The writes for a change of the program and for a destroy, each as its body by its method. */
  readonly change?: readonly JsonObject[];
  readonly destroy?: readonly JsonObject[];
}

/** By the names of the resources. */
type GoldenState = Readonly<Record<string, GoldenResource>>;

/** What a run wrote, by the ids of the resources. */
export type Requests = Readonly<Record<string, readonly JsonObject[]>>;

/** The files of a version: what others need comes first, as in a state. */
export const TYPES = ["Provider", "ServiceSettings", "ReversePrivateEndpoint", "Pipe"] as const;

export const PROGRAM = path.join(folder, "program.ts");

export const NO_ADDRESS = "http://127.0.0.1:0";

const account = {
  apiKeyId: "golden-key",
  apiKeySecret: "golden-key-secret-canary",
  organizationId: "0a1b2c3d-0000-4000-8000-0000000000a1",
  serviceIds: ["0a1b2c3d-0000-4000-8000-0000000000a2", "0a1b2c3d-0000-4000-8000-0000000000a3"],
};

export const goldenState = (version: string): GoldenState =>
  Object.assign(
    {},
    ...TYPES.map((type) => parse(readFileSync(path.join(folder, version, `${type}.yaml`), "utf8")) as object),
  ) as GoldenState;

/** The program of a version; of one that is not released yet, that of today. */
export function goldenProgram(version: string): string {
  const own = path.join(folder, version, path.basename(PROGRAM));
  return readFileSync(existsSync(own) ? own : PROGRAM, "utf8");
}

/** A simulator with the pipe that the program adopts. */
export async function simulatorBefore(): Promise<Simulator> {
  const simulator = await newSimulator({ accounts: [account] });
  const id = "0a1b2c3d-0000-4000-8000-0000000000b1";
  simulator.control.seedPipes([{ ...creationBody("theirs", complete.kinesis), id }]);
  return simulator;
}

/** A simulator with everything that a state has. */
export async function simulatorOf(state: GoldenState): Promise<Simulator> {
  const ofType = (type: string) => Object.values(state).filter((each) => each.type.endsWith(`:${type}`));
  const services = ofType("ServiceSettings").map(({ inputs, outputs: { observed: service } }) => {
    const { organizationId, releaseChannel = "default" } = inputs;
    return { service, organizationId, releaseChannel, backups: [], edited: false };
  });
  const endpoints = ofType("ReversePrivateEndpoint").map(({ outputs: { observed: endpoint, status } }) => ({
    endpoint,
    phase: { since: 0, states: [status] },
  }));
  const head = { format: "pulumi-datapipes-simulator", version: 1, clockOffsetMs: 0 };
  const data = path.join(await temporaryFolder("golden"), "data.json");
  await writeFile(data, JSON.stringify({ ...head, services, endpoints, pipes: [] }));
  const simulator = await newSimulator({ accounts: [account], data });
  for (const pipe of ofType("Pipe")) seedPipe(simulator, pipe);
  return simulator;
}

/** What the API returns of a pipe is what the program declares, and the output `observed`. */
function seedPipe({ control }: Simulator, { id, inputs, outputs }: GoldenResource): void {
  const { createdAt = "", updatedAt = "", state } = outputs;
  const observed = outputs["observed"] as JsonObject;
  const fields = ["source", "destination", "fieldMappings", "scaling", "settings"];
  const declared = Object.entries(inputs).filter(([name]) => fields.includes(name));
  const args = withSecretsReplaced({ ...observed, ...Object.fromEntries(declared) }, (secret) => secret);
  const body = creationBody(inputs["name"] as string, args as JsonObject);
  control.seedPipes([{ ...body, id, state: state as string }], inputs["serviceId"] as string);
  control.editPipe(id, creationBody(body.name, { ...observed, createdAt, updatedAt }));
}

/** Values with others in the place of the secrets. */
function withSecretsReplaced(value: Json, replace: (secret: Json) => Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withSecretsReplaced(element, replace));
  const { secret, ...others } = value;
  if (secret !== undefined && Object.keys(others).length === 0) return replace(secret);
  return mapValues(value, (member) => withSecretsReplaced(member, replace));
}

/** Values with secrets as the engine stores them. */
const asStored = (values: JsonObject): Json =>
  withSecretsReplaced(values, (secret) => ({
    ...secretMarker(null),
    value: null,
    plaintext: JSON.stringify(secret),
  }));

/** A stack of a golden program. Its passphrase is public: it protects only fake secrets. */
export const goldenStack = (simulator: Simulator, program: string): Promise<TestStack> =>
  newStack({
    simulator,
    program,
    language: "typescript",
    // The compiler has checked the program with all tests.
    env: { PULUMI_CONFIG_PASSPHRASE: "golden", PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    secrets: { "golden:password": "golden-password-canary" },
  });

/** Of the passphrase. */
const SALT = "v1:gaJo+2Amzmw=:v1:obwX4wsFD9u7pMvD:ts3GBeOTi0qFmjnFUa4edtr6A9EN2Q==";

const urnOf = (type: string, name: string): string => `urn:pulumi:dev::datapipes-test::${type}::${name}`;
const STACK = "pulumi:pulumi:Stack";
const parent = urnOf(STACK, "datapipes-test-dev");

/** Gives a stack a golden state. */
export async function importState(stack: TestStack, state: GoldenState, { url }: Simulator): Promise<void> {
  const resources = Object.entries(state).map(([name, { inputs, outputs, ...resource }]) => {
    const { __key, ...mirrored } = inputs;
    const values = { inputs: asStored(inputs), outputs: asStored({ ...mirrored, ...outputs }) };
    return { ...resource, urn: urnOf(resource.type, name), custom: true, parent, ...values };
  });
  const all = [{ urn: parent, type: STACK }, ...resources];
  const deployment = { secrets_providers: { type: "passphrase", state: { salt: SALT } }, resources: all };
  const text = JSON.stringify({ version: 3, deployment });
  await stack.writeFile("state.json", text.replaceAll(NO_ADDRESS, url));
  await stack.pulumi(["stack", "import", "--file", "state.json"]);
}

export async function writesOfChange(stack: TestStack, simulator: Simulator): Promise<Requests> {
  await stack.setConfig({ "golden:changed": "true" });
  return requestsOf(() => stack.up(), simulator);
}

export const writesOfDestroy = (stack: TestStack, simulator: Simulator): Promise<Requests> =>
  requestsOf(() => stack.destroy(), simulator);

/** The writes by the id of what they change, with which their paths end. */
async function requestsOf(run: () => Promise<unknown>, simulator: Simulator): Promise<Requests> {
  simulator.control.clearRequests();
  await run();
  const requests: Record<string, JsonObject[]> = {};
  for (const { method, path: address, body } of writes(simulator))
    (requests[path.basename(address)] ??= []).push({ [method]: body });
  return requests;
}

/** What a version wrote, by the ids of the resources. */
export const requestsIn = (state: GoldenState, run: "change" | "destroy"): Requests =>
  Object.fromEntries(
    Object.values(state).flatMap(({ id, [run]: requests }) =>
      requests === undefined ? [] : [[id, requests]],
    ),
  );
