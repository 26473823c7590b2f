import type { Field } from "../lifecycle/comparison/fields";
import {
  isList,
  isMap,
  pick,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../lifecycle/comparison/property-value";
import { typeFailures, type Failure } from "../lifecycle/comparison/validation";
import { printable } from "../messages/printable";
import { quoted } from "../messages/quoted";
import { kindOfSource } from "../resources/pipe/loads";
import { pipeFields, pipeSchema } from "../resources/pipe/schema";
import { knownState } from "../resources/pipe/states";

const RETURNED_FIELDS = pipeFields.filter(
  ({ name, onChange }) => onChange !== "providerOnly" && name !== "organizationId",
);
const RETURNED_NAMES = RETURNED_FIELDS.map(({ name }) => name);
const SERVER_MADE = ["id", "state", "createdAt", "updatedAt"];

/** Where pipes of an answer differ from the API document: fields and values, each once, without the indexes of lists. */
export const differences = (pipes: readonly PropertyMap[]): readonly Failure[] =>
  unique(
    pipes.flatMap((pipe) => [
      ...unknownFields(pipe),
      ...[...SERVER_MADE, ...RETURNED_NAMES]
        .filter((name) => pipe[name] === undefined && !(name === "settings" && isPostgres(pipe)))
        .map((name): Failure => ({ path: [name], reason: "is missing" })),
      ...pipeFields.flatMap((field) => credentialsIn(pipe[field.name], field)),
      ...unexpectedValues(pipe),
    ]),
  );

/** Pipes of this kind have no settings. */
const isPostgres = ({ source }: PropertyMap): boolean => kindOfSource(source).kind === "postgres";

/** The fields of a pipe that this version does not know. */
export const unknownFields = (pipe: PropertyMap): readonly Failure[] =>
  unique([
    ...Object.keys(pipe)
      .filter((name) => !SERVER_MADE.includes(name) && !RETURNED_NAMES.includes(name))
      .map((name) => unknown([], name)),
    ...RETURNED_FIELDS.flatMap((field) => within(pipe[field.name], field)),
  ]);

const unknown = (path: readonly string[], name: string): Failure => ({
  path: [...path, printable(name)],
  reason: "is a field that this version does not know",
});

function within(value: PropertyValue, field: Field): readonly Failure[] {
  if (isList(value)) return value.flatMap((element) => within(element, field));
  const members = field.members ?? field.elements;
  if (!isMap(value) || members === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = members.find((each) => each.name === name);
    return known === undefined ? [unknown(field.path, name)] : within(member, known);
  });
}

function credentialsIn(value: PropertyValue, { path, secret, members = [] }: Field): readonly Failure[] {
  if (value === undefined || value === null) return [];
  if (secret) return [{ path, reason: "is returned, although it is for requests only" }];
  return members.flatMap((member) => credentialsIn(isMap(value) ? value[member.name] : undefined, member));
}

/** Values of another type than the API document says, and unknown states. Those of a text are not shown: any may be a secret. */
function unexpectedValues(pipe: PropertyMap): readonly Failure[] {
  const unread = unknownFields(pipe).map(({ path }) => path.join("."));
  const mistyped = typeFailures(pipeSchema, withoutNulls(pick(pipe, RETURNED_NAMES)))
    .map(({ path, reason }) => ({ path: path.filter((step) => typeof step === "string"), reason }))
    .filter(
      ({ path }) => !unread.includes(path.map(printable).join(".")) && path.join(".") !== "organizationId",
    )
    .map(({ path, reason }): Failure => ({ path, reason: reason.replace(/, got (?!an? )[^]*$/, "") }));
  const { state } = pipe;
  const isUnknown = typeof state === "string" && knownState(state) !== state;
  return isUnknown
    ? [...mistyped, { path: ["state"], reason: `is ${quoted(state)}, which this version does not know` }]
    : mistyped;
}

const unique = (failures: readonly Failure[]): readonly Failure[] => [
  ...new Map(failures.map((failure) => [`${failure.path.join(".")} ${failure.reason}`, failure])).values(),
];
