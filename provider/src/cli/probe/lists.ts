import { groupBy } from "es-toolkit/array";
import type { Identified, WireObject } from "../../api/document/wire";
import { isIdOrAbsent } from "../../api/decoder";
import { isWireObject } from "../../api/document/wire";
import { isNotReturned, sameValue } from "../../lifecycle/equality";
import { leafFields, type Field } from "../../lifecycle/fields";
import { valueAt, type PropertyValue } from "../../lifecycle/property-value";
import { isIdOfAnswer } from "../../values/uuid";
import { counted } from "../../messages/enumerated";
import {
  asAssumed,
  handled,
  joined,
  notHandled,
  shownWord,
  unknown,
  UNTIL_WRITE,
  type Assumption,
  type Seen,
} from "./assumption";
import type { Evidence } from "./evidence";
import { envelopeOf, statusWords, type Exchange } from "./exchange";
import { SENT_FIELDS } from "./oddities";

/** The entries of a list as the service sent them. */
export const entriesOf = (exchange: Exchange): readonly unknown[] => {
  const result = envelopeOf(exchange)?.result;
  return Array.isArray(result) ? result : [];
};

function readableList({ first, second }: Evidence): Seen {
  const failed = [first, second].find(({ error }) => error !== undefined);
  if (failed === undefined)
    return asAssumed(`${counted(first.value?.length ?? 0, "pipe")}, each with a UUID`);
  const entries = entriesOf(failed);
  const bad = entries.filter((entry) => !isWireObject(entry) || !isIdOfAnswer(entry["id"]));
  const what =
    bad.length > 0
      ? `${bad.length} of ${counted(entries.length, "entry").replace(/ys$/, "ies")} have no UUID as \`id\``
      : `${statusWords(failed)}, and no list of the pipes of this service`;
  return notHandled(`${what}: the provider refuses the whole list`);
}

const PAGING = /page|cursor|next|total|count|offset|limit|more|continu/i;

/** Members and headers by which a service says that a list has more entries than the answer. */
function pagingOf(exchange: Exchange): readonly string[] {
  const { length } = entriesOf(exchange);
  const { status: _, requestId: __, result: ___, ...others } = envelopeOf(exchange) ?? {};
  const headers = exchange.answers.at(-1)?.headers ?? {};
  const isMore = (value: unknown): boolean =>
    value !== undefined && value !== null && value !== false && value !== "" && Number(value) !== length;
  const members = Object.entries(others).filter(([name, value]) => PAGING.test(name) && isMore(value));
  const counts = Object.entries(headers).filter(
    ([name, value]) => /^x-(?:next|total|page)/i.test(name) && isMore(value),
  );
  const links = typeof headers["link"] === "string" && headers["link"].includes('rel="next"') ? ["link"] : [];
  return [...[...members, ...counts].map(([name]) => name), ...links].map(shownWord);
}

function completeList({ first, second }: Evidence): Seen {
  const paging = [first, second].flatMap(pagingOf);
  return paging.length === 0
    ? asAssumed("nothing says that the list has further pages")
    : notHandled(`the answer has ${joined(paging)}: pipes of further pages would seem to be deleted`);
}

/** What changes by itself. */
const VOLATILE: ReadonlySet<string> = new Set(["state", "updatedAt", "scaling"]);

const changedMembers = (one: WireObject, other: WireObject): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !VOLATILE.has(name) && !sameValue(undefined, one[name], other[name]),
  );

function stableList({ first, second }: Evidence): Seen {
  const [before, after] = [first.value ?? [], second.value ?? []];
  const later = new Map(after.map((pipe) => [pipe.id, pipe]));
  const gone = before.filter(({ id }) => !later.has(id));
  const changed = before.flatMap((pipe) =>
    changedMembers(pipe, later.get(pipe.id) ?? pipe).map((name) => ({ name, id: pipe.id })),
  );
  const repeated = entriesOf(first).length - before.length;
  if (first.error !== undefined || second.error !== undefined) return unknown("the list could not be read");
  if (gone.length + changed.length + repeated === 0)
    return before.length === 0 ? unknown("the service has no pipe") : asAssumed("two reads are equal");
  const parts = [
    ...(gone.length > 0
      ? [
          `the second read lacks ${counted(gone.length, "pipe")}: the provider reads again before it takes them for deleted`,
        ]
      : []),
    ...(changed.length > 0
      ? [
          `the second read differs in ${joined(changed.map(({ name }) => shownWord(name)))}, unless another client changed it`,
        ]
      : []),
    ...(repeated > 0 ? ["a pipe is listed twice"] : []),
  ];
  return handled(parts.join("; "), { pipes: [...gone.map(({ id }) => id), ...changed.map(({ id }) => id)] });
}

function uniqueNames({ pipes }: Evidence): Seen {
  const groups = Object.values(groupBy(pipes, ({ name }) => JSON.stringify(name)));
  const same = groups.filter(({ length }) => length > 1).flat();
  if (pipes.length < 2) return unknown("the service has fewer than two pipes");
  return same.length === 0
    ? asAssumed(`${pipes.length} different names`)
    : handled(`${counted(same.length, "pipe")} share a name: the provider knows pipes by their ids`, {
        pipes: same.map(({ id }) => id),
      });
}

/** A pipe by its id, as the list and `getPipeSettings` state its settings. */
function settingsOfKinds({ settings }: Evidence): Seen {
  if (settings.length === 0) return unknown("the service has no pipe");
  const parts = settings.map(({ kind, pipe, exchange }) => {
    const { value, error } = exchange;
    if (error !== undefined) return { isOdd: true, isBad: false, words: `${kind}: ${statusWords(exchange)}` };
    if (value === undefined)
      return { isOdd: kind !== "postgres", isBad: false, words: `${kind}: none (404)` };
    const other = differingSettings(pipe, value);
    const words = other.length === 0 ? "as listed" : `other values of ${joined(other)} than listed`;
    return { isOdd: false, isBad: other.length > 0, words: `${kind}: ${words}` };
  });
  const words = parts.map((part) => part.words).join("; ");
  if (parts.some(({ isBad }) => isBad)) return notHandled(words);
  return parts.some(({ isOdd }) => isOdd) ? handled(words) : asAssumed(words);
}

/** The settings of a list that getPipeSettings states otherwise. One that only one of them states is no contradiction. */
function differingSettings(pipe: Identified, settings: WireObject): readonly string[] {
  const isOther = (field: Field): boolean => {
    const stated: PropertyValue = valueAt(pipe, field.path);
    const actual: PropertyValue = valueAt({ settings }, field.path);
    return (
      !isNotReturned(field, stated) && !isNotReturned(field, actual) && !sameValue(field, stated, actual)
    );
  };
  return leafFields(SENT_FIELDS)
    .filter((field) => field.path[0] === "settings" && isOther(field))
    .map(({ name }) => `\`${name}\``);
}

/** The fields of a backup in the API document, and their types. */
const BACKUP_FIELDS: Readonly<Record<string, string>> = {
  ...{ id: "string", serviceId: "string", startedAt: "string", finishedAt: "string", backupName: "string" },
  ...{ sizeInBytes: "number", durationInSeconds: "number", bucket: "object" },
};

function backupFields(evidence: Evidence): Seen {
  const { backups } = evidence;
  const entries = entriesOf(backups).filter(isWireObject);
  if (backups.error !== undefined) return notHandled(`${statusWords(backups)}: getBackups fails`);
  if (entries.length === 0) return unknown("the service has no backup");
  const odd = entries.flatMap((backup) => [
    ...Object.entries(BACKUP_FIELDS)
      .filter(([name, type]) => (backup[name] ?? undefined) !== undefined && typeof backup[name] !== type)
      .map(([name, type]) => `\`${name}\` is no ${type}`),
    ...Object.keys(backup)
      .filter((name) => !(name in BACKUP_FIELDS))
      .map((name) => `the further field ${shownWord(name)}`),
    ...(isIdOfAnswer(backup["id"]) && isIdOrAbsent(backup["serviceId"], evidence.serviceId)
      ? []
      : ["an `id` that is no UUID, or another `serviceId`"]),
  ]);
  const times = entries.flatMap(({ startedAt }) =>
    typeof startedAt === "string" ? Date.parse(startedAt) : [],
  );
  if (times.some((time, index) => time > (times[index - 1] ?? time))) odd.push("not the most recent first");
  return odd.length === 0
    ? asAssumed(`in ${counted(entries.length, "backup")}, the most recent first`)
    : handled(`${joined(odd)}: getBackups returns them as they are, and leaves out what has no UUID`);
}

/** Assumptions about lists and what else can be read. */
export const LISTS: readonly Assumption[] = [
  {
    assumption: "Every pipe of the list has a UUID and belongs to the service.",
    document: "`id` and `serviceId` are UUIDs",
    promise: "A refresh reads the pipes of a stack, and an id is never part of another path.",
    simulator: ["fault bad-json"],
    seen: readableList,
  },
  {
    assumption: "One answer has all pipes of the service.",
    document: "listPipes returns all pipes of the service; paging is not shown",
    promise: "A pipe that the list lacks was deleted.",
    simulator: ["fault incomplete-list"],
    seen: completeList,
  },
  {
    assumption: "Two reads of the list are equal, but for states.",
    promise: "A refresh shows only what was changed elsewhere.",
    simulator: ["fault incomplete-list"],
    seen: stableList,
  },
  {
    assumption: "Each pipe has a name of its own.",
    promise: "After a lost answer, the provider finds the pipe that it created.",
    seen: uniqueNames,
  },
  {
    assumption: "getPipeSettings states the settings of the list; a postgres pipe has none.",
    document: "it returns the PipeSettings of the pipe",
    promise: "An update of settings is read back, and the next preview is empty.",
    seen: settingsOfKinds,
  },
  {
    assumption: "Backups have the fields of the document, the most recent first.",
    document: "the table of a backup; ordering is not shown",
    promise: "getBackups returns typed backups, in the order of the API.",
    seen: backupFields,
  },
  {
    assumption: "The entries of an access list come back as they were sent.",
    document: "items are `{source, description}`",
    promise: "ServiceSettings adds and removes only what the program declares.",
    simulator: ["--profile cidr"],
    seen: () => unknown(`${UNTIL_WRITE}: the probe changes no service, and no operation reads these entries`),
  },
];
