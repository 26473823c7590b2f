import { canary } from "../../../testkit/canary";
import type { JsonObject } from "../../../testkit/json";
import { complete, minimal, snakeCase, withValue } from "../../../testkit/pipes";
import { valueAt } from "../../../testkit/deployment";
import { declaration } from "../../../testkit/program";
import { KINDS, type Command, type Kind, type Case, type Scenario } from "./scenarios";

/** The service of one resource, by which its requests and messages are found. */
export const serviceIdOf = ({ number }: Scenario, kind: Kind): string =>
  `0a1b2c3d-0000-4000-9000-${KINDS.indexOf(kind)}${String(number).padStart(11, "0")}`;

export const nameOf = ({ number }: Scenario, kind: Kind): string => `${kind}-${number}`;

/** The credential that a version of the program declares; it may not appear anywhere in the clear. */
export const passwordOf = ({ number }: Scenario, version: number): string =>
  canary(`password-${number}-${version}`);

/** What the service must have at some dotted paths when it has taken the arguments. */
interface Declared {
  readonly args: JsonObject;
  readonly expected: JsonObject;
}

/** What profiles write in another way, beyond what a complete pipe has. */
const REWRITTEN = {
  "destination.database": "Shop",
  "destination.table": "Orders",
  "destination.tableDefinition": { sortingKey: ["Id"], partitionBy: "tuple()" },
  "destination.columns": [{ name: "Id", type: "UInt64" }],
  fieldMappings: [{ sourceField: "$.Id", destinationField: "Id" }],
};

const declared = (args: JsonObject, changes: JsonObject, expected: JsonObject): Declared => ({
  args: Object.entries({ ...changes, ...expected }).reduce(
    (all, [at, value]) => withValue(all, at, value),
    args,
  ),
  expected,
});

/** A pipe with the fields that matter to the profile of its service. */
function pipeOf(scenario: Scenario, version: number): Declared {
  const { profile } = scenario;
  const password = passwordOf(scenario, version);
  const credentials = { username: "loader", password };
  const unchanged = { username: "loader", password: passwordOf(scenario, 1) };
  if (profile === "masked") {
    const secret = { "source.objectStorage.connectionString": `AccountName=demo;AccountKey=${password}` };
    return declared(minimal.objectStorage, secret, { "source.objectStorage.path": `/in//${version}/*.json` });
  }
  if (profile === "recheck-connection") {
    const secret = { "source.postgres.credentials": unchanged };
    return declared(minimal.postgres, secret, { "source.postgres.host": `db-${version}.example` });
  }
  if (profile === "pause-required") {
    // A running pipe accepts changes only outside its source.
    const pipe = withValue(minimal.kafka, "source.kafka.credentials", unchanged);
    return declared(pipe, {}, { "settings.streamingMaxInsertWaitMs": 1000 * version });
  }
  const [secret, role] = [
    { "source.kafka.credentials": credentials },
    { "source.kafka.iamRole": `role-${version}` },
  ];
  if (profile === undefined) return declared(minimal.kafka, secret, role);
  return declared(complete.kafka, { ...secret, ...REWRITTEN }, role);
}

function settingsOf({ profile }: Scenario, version: number): Declared {
  const name = `Shop ${version}`;
  if (profile !== "cidr") return declared({}, {}, { name });
  const source = `10.0.0.${version}`;
  const expected = { name, "ipAccessList.0.source": `${source}/32` };
  return { args: { name, ipAccessList: [{ source, description: " office " }] }, expected };
}

const endpointOf = ({ number }: Scenario): Declared =>
  declared({ type: "VPC_ENDPOINT_SERVICE" }, {}, { description: `endpoint ${number}` });

const DECLARATIONS = {
  pipe: { type: "Pipe", of: pipeOf },
  endpoint: { type: "ReversePrivateEndpoint", of: endpointOf },
  settings: { type: "ServiceSettings", of: settingsOf },
} as const;

const declaredIn = (scenario: Scenario, kind: Kind, command: Command): Declared =>
  DECLARATIONS[kind].of(scenario, command === "create" ? 1 : 2);

/** Whether an entry of the service is as the program declares it. */
export const isAsDeclared = ({ scenario, operation: { kind, command } }: Case, entry: object): boolean =>
  Object.entries(declaredIn(scenario, kind, command).expected).every(
    ([path, value]) => (valueAt(entry, path) ?? valueAt(entry, snakeCase(path))) === value,
  );

/** The program waits for all data functions and catches no error, so that the CLI shows each as a user sees it. */
const CALLS = `let open = 0;
const call = (answer) => { open += 1; answer.finally(() => { open -= 1; }); };
module.exports = async () => { while (open > 0) await new Promise((resolve) => setTimeout(resolve, 50)); }`;

/** The program of a command, with the resources of all scenarios. */
export function programOf(scenarios: readonly Scenario[], command: Command): string {
  const resources = scenarios.flatMap((scenario) =>
    KINDS.map((kind) => {
      const args = { serviceId: serviceIdOf(scenario, kind), ...declaredIn(scenario, kind, command).args };
      return declaration(DECLARATIONS[kind].type, nameOf(scenario, kind), args);
    }),
  );
  const services = command === "function" ? scenarios.map((scenario) => serviceIdOf(scenario, "pipe")) : [];
  const calls = services.map((serviceId) => `call(datapipes.getPipes({ serviceId: "${serviceId}" }))`);
  return [CALLS, ...resources, ...calls].join(";\n");
}
