import { withValue, type JsonObject } from "../../kit/json";
import { creationBody, minimal } from "../../kit/pipes";
import type { Action, Row } from "./rows";

export interface Declaration {
  readonly kind: Row["kind"];
  readonly name: string;
  readonly args: JsonObject;
  readonly options?: ResourceOptions;
}

interface ResourceOptions {
  /** Inside of a component. */
  readonly moved?: boolean;
  /** With the explicit provider. */
  readonly provided?: boolean;
  /** The logical name before. */
  readonly formerName?: string;
  /** Outside of the component before. */
  readonly formerlyOutside?: boolean;
  readonly replaceOnChanges?: string[];
  /** The logical name of an earlier declaration. */
  readonly dependsOn?: string;
}

export interface Place {
  readonly serviceId: string;
  /** The id that the program adopts, once it is known. */
  adopt: string;
}

/** The programs of a row: the first, the changed one, and the one after that. */
export type Version = 1 | 2 | 3;

export function declarationsOf(row: Row, place: Place, version: Version): Declaration[] {
  if (version > 1 && row.action === "removed") return [];
  const options = version === 1 ? {} : optionsOf(row);
  return [{ kind: row.kind, name: logicalName(row, version), args: argsOf(row, place, version), options }];
}

export const logicalName = ({ action, name }: Row, version: Version): string =>
  version > 1 && action.startsWith("renamed") ? `${name}.new` : name;

function optionsOf({ action, name }: Row): ResourceOptions {
  const options: Partial<Record<Action, ResourceOptions>> = {
    "renamed-with-alias": { formerName: name },
    moved: { moved: true },
    "moved-with-alias": { moved: true, formerlyOutside: true },
    "provider-added": { provided: true },
    "renamed-with-provider": { provided: true },
    "replace-on-changes": { replaceOnChanges: ["name"] },
  };
  return options[action] ?? {};
}

/** The value of a field that differs in each version, if the action changes it. */
const changing = (action: Action, version: Version): string => {
  if (version === 1 || (action !== "replaced" && action !== "replaced-twice")) return "first";
  return version === 3 && action === "replaced-twice" ? "third" : "second";
};

function argsOf(row: Row, place: Place, version: Version): JsonObject {
  const value = changing(row.action, version);
  const own = row.kind === "Pipe" ? pipeFields(row, value, version) : endpointFields(row.name, value);
  return {
    ...own,
    ...(row.action !== "defaults-changed" && { serviceId: place.serviceId }),
    deletionPolicy: version === 1 ? row.stored : row.next,
    replacementPolicy: row.replacement,
    ...(adopts(row, version) && { adopt: place.adopt }),
  };
}

export function adopts({ origin }: Row, version: Version): boolean {
  if (origin === "adopted") return true;
  return version === 1 ? origin === "adopt-removed" : origin === "adopted-later";
}

/** The table identifies a row's pipe, because its name may change. */
function pipeFields({ name, action }: Row, topics: string, version: Version): JsonObject {
  const isRenamed = action === "replace-on-changes" && version > 1;
  const pipe = withValue(minimal.kafka, "source.kafka.topics", topics);
  return { ...withValue(pipe, "destination.table", name), name: isRenamed ? `${name} renamed` : name };
}

/** The start of the description identifies a row's endpoint. */
const endpointFields = (name: string, value: string): JsonObject => ({
  description: `${name}: ${value}`,
  type: "VPC_ENDPOINT_SERVICE",
});

/** The pipe that exists before the first program adopts it. */
export const seedOf = (row: Row) => creationBody(row.name, pipeFields(row, "first", 1));

/** The text of a program with these resources. The component and the explicit provider exist only where they are used. */
export const programOf = (declarations: readonly Declaration[]): string => `
const declarations = ${JSON.stringify(declarations)};
const uses = (option) => declarations.some(({ options = {} }) => options[option]);
const group = uses("moved") ? new pulumi.ComponentResource("test:index:Group", "group") : undefined;
const provider = uses("provided") ? new datapipes.Provider("explicit") : undefined;
const declared = {};
for (const { kind, name, args, options = {} } of declarations) {
  const former = { ...(options.formerName && { name: options.formerName }),
    ...(options.formerlyOutside && { parent: pulumi.rootStackResource }) };
  declared[name] = new datapipes[kind](name, args, {
    ...(options.moved && { parent: group }),
    ...(options.provided && { provider }),
    ...(options.dependsOn && { dependsOn: [declared[options.dependsOn]] }),
    ...(options.replaceOnChanges && { replaceOnChanges: options.replaceOnChanges }),
    ...(Object.keys(former).length > 0 && { aliases: [former] }),
  });
}`;
