import { groupBy } from "es-toolkit/array";
import type { Identified } from "../../api/document/wire";
import { unknownMembers } from "../import/unknown-members";
import { formatPath } from "../../lifecycle/property-value";
import { counted } from "../../messages/enumerated";
import {
  asAssumed,
  handled,
  joined,
  notHandled,
  unknown,
  NO_PIPE,
  UNTIL_WRITE,
  type Assumption,
  type Seen,
} from "./assumption";
import type { Evidence } from "./evidence";
import { isReadAs, odditiesOf, type Oddity, type OddityKind } from "./oddities";
import { times, vocabulary } from "./values";

const oddOnes = ({ pipes }: Evidence, ...kinds: readonly OddityKind[]): readonly Oddity[] =>
  odditiesOf(pipes).found.filter(({ kind }) => kinds.includes(kind));

/** Paths with the number of pipes that show them, such as `scaling.replicas` (3 of 12 pipes). */
function inPipes(
  found: readonly { readonly path: string; readonly pipe: Identified }[],
  all: number,
): string {
  const paths = Object.entries(groupBy(found, ({ path }) => path));
  return joined(
    paths.map(
      ([path, each]) =>
        `\`${path}\` (${new Set(each.map(({ pipe }) => pipe.id)).size} of ${counted(all, "pipe")})`,
    ),
  );
}

const idsOf = (found: readonly { readonly pipe: Identified }[]): readonly string[] => [
  ...new Set(found.map(({ pipe }) => pipe.id)),
];

function unknownFields({ pipes }: Evidence): Seen {
  if (pipes.length === 0) return unknown(NO_PIPE);
  const found = pipes.flatMap((pipe) =>
    unknownMembers(pipe).map(({ path }) => ({ path: formatPath(path), pipe })),
  );
  const named = found.map(({ path, pipe }) => ({
    path: /^[\w.]{1,80}$/.test(path) ? path : "another name",
    pipe,
  }));
  return found.length === 0
    ? asAssumed(`in ${counted(pipes.length, "pipe")}`)
    : handled(`${inPipes(named, pipes.length)}: stored in \`observed\`, and never sent`, {
        pipes: idsOf(found),
      });
}

/** Without these, a pipe can be neither imported nor awaited. */
const CORE = ["name", "state", "source"];

function coreFields({ pipes }: Evidence): Seen {
  if (pipes.length === 0) return unknown(NO_PIPE);
  const found = pipes.flatMap((pipe) =>
    CORE.filter((name) =>
      name === "source" ? typeof pipe[name] !== "object" : typeof pipe[name] !== "string",
    ).map((path) => ({ path, pipe })),
  );
  return found.length === 0
    ? asAssumed(`in ${counted(pipes.length, "pipe")}`)
    : notHandled(`missing or of another type: ${inPipes(found, pipes.length)}`, { pipes: idsOf(found) });
}

/** A pipe that a program declared shows what a list leaves out; of others, the program is not known. */
function leftOut(evidence: Evidence): Seen {
  const { pipes, written } = evidence;
  if (written !== undefined && written.leftOut.length > 0)
    return handled(
      `the list leaves out ${joined(written.leftOut.map((path) => `\`${path}\``))}, which createPipe had: the provider keeps the values of the program`,
    );
  if (pipes.length === 0 && written === undefined) return unknown(NO_PIPE);
  const { found, present } = odditiesOf(pipes);
  const never = found.filter(({ kind, path }) => kind === "missing" && !present.has(path));
  if (written?.listed !== undefined) return asAssumed("the list has all that createPipe had");
  if (never.length === 0) return asAssumed("every field of the document is in the list");
  return unknown(
    `${UNTIL_WRITE}: no pipe has ${joined(never.map(({ path }) => `\`${path}\``))}, which are not set, or left out`,
  );
}

function emptyFields(evidence: Evidence): Seen {
  if (evidence.pipes.length === 0) return unknown(NO_PIPE);
  const found = oddOnes(evidence, "empty");
  if (found.length === 0) return asAssumed("no field is null, and no other than a list an empty list");
  // The profile leaves alone what an update can change.
  const isOfNulls =
    found.every(({ value }) => value === null) && found.some(({ field }) => field.onChange === "update");
  return handled(
    `null or an empty list: ${inPipes(found, evidence.pipes.length)}. The provider reads it as no value`,
    {
      simulator: [isOfNulls ? "--nulls" : "--profile omit"],
      pipes: idsOf(found),
    },
  );
}

function types(evidence: Evidence): Seen {
  const { length } = evidence.pipes;
  if (length === 0) return unknown(NO_PIPE);
  const found = oddOnes(evidence, "mistyped");
  if (found.length === 0) return asAssumed(`in ${counted(length, "pipe")}`);
  const bad = found.filter((oddity) => !isReadAs(oddity));
  const isQuantity = found.every(
    ({ path, value }) => path.startsWith("scaling.") && typeof value === "string",
  );
  const more = { pipes: idsOf(found), simulator: isQuantity ? ["--profile quantity"] : [] };
  return bad.length === 0
    ? handled(`${inPipes(found, length)}: read as the value that it writes, or as none`, more)
    : notHandled(`${inPipes(bad, length)}: a program can neither declare nor compare it`, {
        ...more,
        pipes: idsOf(bad),
      });
}

function zeros(evidence: Evidence): Seen {
  const found = oddOnes(evidence, "zero");
  const { written, pipes } = evidence;
  const isZero = found.length > 0 || written?.hadZeros === true;
  if (isZero)
    return handled(
      `0 ${found.length > 0 ? `in ${inPipes(found, pipes.length)}` : "for the new pipe"}: the provider does not take it for a change`,
      { pipes: idsOf(found) },
    );
  return written?.listed === undefined
    ? unknown(`${UNTIL_WRITE}: no listed pipe has 0, but a new one may`)
    : asAssumed("the new pipe has its size from the first list on");
}

function masks(evidence: Evidence): Seen {
  const found = oddOnes(evidence, "masked");
  if (found.length > 0)
    return handled(`${inPipes(found, evidence.pipes.length)}: the provider keeps the values of the program`, {
      pipes: idsOf(found),
    });
  const { present } = odditiesOf(evidence.pipes);
  return present.has("source.objectStorage.connectionString")
    ? asAssumed(
        "`source.objectStorage.connectionString` comes back whole; the provider stores it as a secret",
      )
    : unknown(`${UNTIL_WRITE}: no listed pipe has a connection string`);
}

function returnedSecrets(evidence: Evidence): Seen {
  if (evidence.pipes.length === 0) return unknown(NO_PIPE);
  const found = oddOnes(evidence, "returned");
  return found.length === 0
    ? asAssumed("no request-only field came back")
    : handled(`${inPipes(found, evidence.pipes.length)}: the provider drops the values`, {
        pipes: idsOf(found),
      });
}

function imports({ imported }: Evidence): Seen {
  if (imported.length === 0) return unknown(NO_PIPE);
  const differing = imported.filter(({ outcome }) => outcome === "differs");
  const skipped = imported.filter(({ outcome }) => outcome === "skipped");
  const undeclared = imported.flatMap(({ outcome, paths }) => (outcome === "equal" ? paths : []));
  const pipes = idsOf([...differing, ...skipped]);
  if (differing.length > 0)
    return notHandled(
      `${counted(differing.length, "pipe")} of ${imported.length} would change: ${joined(differing.flatMap(({ paths }) => paths.map((path) => `\`${path}\``)))}`,
      { pipes },
    );
  const parts = [
    ...(skipped.length > 0
      ? [
          `${counted(skipped.length, "pipe")} of ${imported.length} left out of the program, which import says`,
        ]
      : []),
    ...(undeclared.length > 0
      ? [`${counted(new Set(undeclared).size, "field")} that the program cannot declare`]
      : []),
  ];
  return parts.length > 0
    ? handled(`${parts.join("; ")}; all others compare as equal`, { pipes, simulator: [] })
    : asAssumed(`${counted(imported.length, "pipe")} without a difference`);
}

const AS_TABLE = "the table of the fields";

/** Assumptions about what a list states of its pipes. */
export const FIELDS: readonly Assumption[] = [
  {
    assumption: "A pipe has no field that the document does not have.",
    document: AS_TABLE,
    promise: "A program can declare all that a pipe has.",
    seen: unknownFields,
  },
  {
    assumption: "Every pipe has a name, a state and a source.",
    document: AS_TABLE,
    promise: "Each pipe can be imported, adopted and awaited.",
    seen: coreFields,
  },
  {
    assumption: "The list has every field that a pipe was created with, but for request-only ones.",
    document: "credentials and `roles` are omitted",
    promise: "A field that the list leaves out is no difference.",
    simulator: ["--profile omit", "--no-fill"],
    seen: leftOut,
  },
  {
    assumption: "A field without a value is missing.",
    document: "no field of a pipe is marked as null",
    promise: "null and an empty list are no difference.",
    simulator: ["--nulls", "--profile omit"],
    seen: emptyFields,
  },
  {
    assumption: "Every field has the type of the document.",
    document: AS_TABLE,
    promise: "A value in another form is no difference, and no replacement.",
    simulator: ["--profile quantity"],
    seen: types,
  },
  {
    assumption: "The list states the size of a pipe from the beginning.",
    document: "`scaling` has integers",
    promise: "A new pipe is no difference.",
    simulator: ["--profile zero-later"],
    seen: zeros,
  },
  {
    assumption: "`connectionString` comes back as it was sent.",
    document: "a field of the response, without a mark as secret",
    promise: "A masked secret costs one PATCH at most, and its value is in no output.",
    simulator: ["--profile masked"],
    seen: masks,
  },
  {
    assumption: "Request-only fields never come back.",
    document: "credentials and access keys are never returned, `roles` are omitted",
    promise: "No credential of an answer reaches the state.",
    seen: returnedSecrets,
  },
  {
    assumption: "`state` and `compression` have values of comparable services.",
    document: "allowed values are not shown",
    promise: "Every value is accepted; waitFor ends, or fails with the last state.",
    seen: vocabulary,
  },
  {
    assumption: "`createdAt` and `updatedAt` are times with a zone.",
    document: "strings; the format is not shown",
    promise: "The provider takes over no older pipe, and believes in no loss too early.",
    simulator: ["--time-format <format>"],
    seen: times,
  },
  {
    assumption: "A pipe that is imported has no difference at the next refresh.",
    document: "the response has the fields of the request, but for credentials and `roles`",
    promise: "An import, then an empty preview.",
    seen: imports,
  },
];
