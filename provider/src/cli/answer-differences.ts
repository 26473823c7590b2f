import { leafFields } from "../lifecycle/comparison/fields";
import {
  omit,
  pathText,
  valueAt,
  withoutNulls,
  type PropertyMap,
} from "../lifecycle/comparison/property-value";
import { mismatchesIn } from "../lifecycle/comparison/validation";
import { printable } from "../messages/printable";
import { quoted } from "../messages/quoted";
import { kindOfSource } from "../resources/pipe/loads";
import { pipeFields, pipeSchema } from "../resources/pipe/schema";
import { IDLE } from "../resources/pipe/states";

/** Where an answer differs from the API document. */
export interface Difference {
  readonly kind: "unknown" | "missing" | "mistyped" | "returned";
  /** The field, without the indexes of lists. */
  readonly path: readonly string[];
  readonly reason: string;
}

const RETURNED_NAMES = pipeFields
  .filter(({ name, onChange }) => onChange !== "providerOnly" && name !== "organizationId")
  .map(({ name }) => name);
/** The credentials that the API document calls request only. */
const REQUEST_ONLY = leafFields(pipeFields).filter(({ secret, writeOnly }) => secret && writeOnly);
const SERVER_MADE = ["id", "state", "createdAt", "updatedAt"];

/** Where pipes of an answer differ from the API document: fields and values, each once. */
export const differences = (pipes: readonly PropertyMap[]): readonly Difference[] =>
  unique(
    pipes.flatMap((pipe) => [
      ...[...SERVER_MADE, ...RETURNED_NAMES]
        .filter((name) => pipe[name] === undefined && !(name === "settings" && isPostgres(pipe)))
        .map((name): Difference => ({ kind: "missing", path: [name], reason: "is missing" })),
      ...SERVER_MADE.filter((name) => pipe[name] !== undefined && typeof pipe[name] !== "string").map(
        (name): Difference => ({ kind: "mistyped", path: [name], reason: "must be a string" }),
      ),
      ...REQUEST_ONLY.filter(({ path }) => (valueAt(pipe, path) ?? null) !== null).map(
        ({ path }): Difference => ({
          kind: "returned",
          path,
          reason: "is returned, although it is for requests only",
        }),
      ),
      ...unknownOrMistyped(pipe),
      ...unknownState(pipe),
    ]),
  );

/** Pipes of this kind have no settings. */
const isPostgres = ({ source }: PropertyMap): boolean => kindOfSource(source) === "postgres";

/** The fields of a pipe that this version does not know. */
export const unknownFields = (pipe: PropertyMap): readonly Difference[] =>
  unique(unknownOrMistyped(pipe).filter(({ kind }) => kind === "unknown"));

const unknown = (path: readonly string[], name: string): Difference => ({
  kind: "unknown",
  path: [...path, printable(name)],
  reason: "is a field that this version does not know",
});

/** Values of another type are not shown: any text may be a secret. */
function unknownOrMistyped(pipe: PropertyMap): readonly Difference[] {
  const answer = withoutNulls(omit(pipe, [...SERVER_MADE, "organizationId"]));
  return mismatchesIn(pipeSchema, answer).flatMap((mismatch): readonly Difference[] => {
    const path = mismatch.path.filter((step) => typeof step === "string");
    if ("unknownNames" in mismatch) return mismatch.unknownNames.map((name) => unknown(path, name));
    if (valueAt(answer, mismatch.path) === undefined) return [];
    return [{ kind: "mistyped", path, reason: mismatch.reason }];
  });
}

/** The states that comparable services have. The API document lists none. */
const KNOWN_STATES: readonly string[] = [
  ...IDLE,
  ...["Unknown", "Provisioning", "Setup", "Snapshot", "Running", "Degraded"],
  ...["Stopping", "Pausing", "Modifying", "Resync"],
];

function unknownState({ state }: PropertyMap): readonly Difference[] {
  if (typeof state !== "string" || KNOWN_STATES.includes(state)) return [];
  const reason = `is ${quoted(state)}, which this version does not know`;
  return [{ kind: "unknown", path: ["state"], reason }];
}

const unique = (all: readonly Difference[]): readonly Difference[] => [
  ...new Map(all.map((each) => [`${pathText(each.path)} ${each.reason}`, each])).values(),
];
