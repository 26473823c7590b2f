import { counted } from "../../messages/enumerated";
import {
  asAssumed,
  handled,
  joined,
  notHandled,
  unknown,
  UNTIL_WRITE,
  type Assumption,
  type Seen,
} from "./assumption";
import type { Evidence } from "./evidence";
import { statusOf } from "./exchange";
import type { Part, Update, Written } from "./written";

const code = (paths: readonly string[]): string => joined(paths.map((path) => `\`${path}\``));

/** What can be seen only by a write. `seen` returns undefined where the write did not get so far. */
const written =
  (seen: (written: Written) => Seen | undefined, otherwise = "the pipe of the file does not show it") =>
  ({ written }: Evidence): Seen =>
    written === undefined
      ? unknown(UNTIL_WRITE)
      : (seen(written) ?? unknown(written.failure === undefined ? otherwise : "the probe ended early"));

const wholeAnswer = ({ created, missingInAnswer }: Written): Seen | undefined =>
  created?.value === undefined
    ? undefined
    : missingInAnswer.length === 0
      ? asAssumed("the answer has all that was sent")
      : handled(`the answer lacks ${code(missingInAnswer)}: the provider takes what it sent`);

const SOON_MS = 1_000;

function listLag({ created, listed: pipe, listedAfterMs = 0 }: Written): Seen | undefined {
  if (created?.value === undefined) return undefined;
  if (pipe === undefined) return notHandled("no list had the new pipe within a minute");
  const seconds = Math.round(listedAfterMs / 1000);
  return listedAfterMs < SOON_MS
    ? asAssumed("the next list has the new pipe")
    : handled(`a list had it after ${seconds} s: the provider reads again for a minute`, {
        simulator: [`--read-lag ${seconds}`],
      });
}

/** The names that services may keep in lower case. */
const NAMES = /^destination\.(?!managedTable)|^fieldMappings/;

/** The profiles of the simulator that write a field in another way. */
function profilesOf(path: string): readonly string[] {
  if (NAMES.test(path)) return ["--profile lower-case"];
  if (path.startsWith("scaling.")) return ["--profile quantity"];
  return /connectionString$|path$/.test(path) ? ["--profile masked"] : [];
}

/** Zeros of a new pipe are an assumption of their own. */
function sameValues({ listed: pipe, hadZeros, rewritten }: Written): Seen | undefined {
  if (pipe === undefined) return undefined;
  const paths = rewritten.filter((path) => !hadZeros || !path.startsWith("scaling."));
  return paths.length === 0
    ? asAssumed("the list has what was sent")
    : handled(`written in another way: ${code(paths)}. The next read makes it no difference`, {
        simulator: [...new Set(paths.flatMap(profilesOf))],
      });
}

function capitals({ listed: pipe, hasCapitals, rewritten }: Written): Seen | undefined {
  const names = rewritten.filter((path) => NAMES.test(path));
  if (pipe === undefined || (!hasCapitals && names.length === 0)) return undefined;
  return names.length === 0
    ? asAssumed("the list has the names of the file")
    : handled(`written in another way: ${code(names)}. The next read makes it no difference`);
}

const updatesOf = ({ updates }: Written, ...parts: readonly Part[]): readonly Update[] =>
  updates.filter(({ part }) => parts.includes(part));

/** Whether the service took updates of some parts. */
function taken(all: readonly Update[]): Seen | undefined {
  const refused = all.filter(({ exchange }) => exchange.error !== undefined);
  const fields = all.flatMap(({ paths }) => paths);
  if (all.length === 0) return undefined;
  if (refused.length === 0) return asAssumed(`updatePipe took ${code(fields)}`);
  const statuses = refused.map(({ exchange }) => String(statusOf(exchange)));
  return notHandled(
    `updatePipe refused ${code(refused.flatMap(({ paths }) => paths))} with ${joined(statuses)}: \`pulumi up\` fails with the service's words`,
    statuses.includes("409") ? { simulator: ["--profile pause-required"] } : {},
  );
}

function inPlace(all: Written): Seen | undefined {
  const updates = updatesOf(all, "plain", "settings");
  const late = updates.filter(({ part }) => part === "plain").flatMap(({ notApplied }) => notApplied);
  return late.length === 0
    ? taken(updates)
    : handled(`${code(late)}: the next list has the old value, which a refresh shows`);
}
const sourceInPlace = (all: Written): Seen | undefined => taken(updatesOf(all, "source", "tableMappings"));

function connection(all: Written): Seen | undefined {
  const [update] = updatesOf(all, "connection");
  if (update === undefined) return undefined;
  const statuses = update.exchange.answers.map(({ status }) => status);
  if (update.exchange.error !== undefined) return taken([update]);
  return statuses.length === 1
    ? asAssumed("updatePipe took the connection without credentials")
    : handled(`status ${statuses[0] ?? 0} without credentials: the provider sends them with the connection`);
}

function settingsApplied(all: Written): Seen | undefined {
  const [update] = updatesOf(all, "settings");
  if (update === undefined || update.exchange.error !== undefined) return undefined;
  return update.notApplied.length === 0
    ? asAssumed(`getPipeSettings has the new ${code(update.paths)}`)
    : handled(`${code(update.notApplied)}: taken and ignored. The provider reads settings back, and says so`);
}

function othersStay(all: Written): Seen | undefined {
  const done = all.updates.filter(({ exchange }) => exchange.error === undefined);
  const changed = done.flatMap((update) => update.alsoChanged);
  if (done.length === 0) return undefined;
  return changed.length === 0
    ? asAssumed(`in ${counted(done.length, "update")}`)
    : notHandled(`also changed: ${code(changed)}`);
}

/** A request that the provider never sends, so that either answer will do. */
const either =
  (refused: string, taken: string, what: "unknownMember" | "emptyUpdate") =>
  (all: Written): Seen | undefined => {
    const exchange = all[what];
    if (exchange === undefined) return undefined;
    const status = statusOf(exchange);
    return exchange.error === undefined
      ? asAssumed(`${status}: ${taken}`)
      : asAssumed(`${status}: ${refused}`);
  };

function deletion({ deletion: exchange, isGone }: Written): Seen | undefined {
  if (exchange === undefined) return undefined;
  const status = statusOf(exchange);
  if (isGone === true) return asAssumed(`${status}, and the list no longer has the pipe`);
  return exchange.error === undefined
    ? notHandled(`${status}, but the list has the pipe after a minute`)
    : handled(`status ${status}: the error of deletionPolicy "delete" names "retain"`);
}

const duplicateName = ({ duplicate }: Written): Seen | undefined =>
  duplicate === undefined || duplicate.answers.length === 0
    ? undefined
    : duplicate.error === undefined
      ? asAssumed(`${statusOf(duplicate)}: a second pipe of one name is created`)
      : asAssumed(`${statusOf(duplicate)}: a second pipe of one name is refused`);

export const WRITES: readonly Assumption[] = [
  {
    assumption: "The answers to createPipe and updatePipe have the whole pipe.",
    document: "the result is the pipe",
    promise: "The state is complete after an update.",
    simulator: ["--profile sparse"],
    seen: written(wholeAnswer),
  },
  {
    assumption: "The next list has a new pipe.",
    promise: "A create is never repeated while a list may be behind.",
    simulator: ["--read-lag <seconds>"],
    seen: written(listLag),
  },
  {
    assumption: "The list has the values that were sent.",
    document: "the response has the fields of the request",
    promise: "Another spelling of a value is no difference.",
    simulator: ["--profile masked", "--profile quantity"],
    seen: written(sameValues),
  },
  {
    assumption: "Names of tables and columns keep their capital letters.",
    promise: "Another spelling of a name is no replacement.",
    simulator: ["--profile lower-case"],
    seen: written(capitals, "no name in the file has a capital letter"),
  },
  {
    assumption: "updatePipe changes name, columns, mappings and settings in place.",
    document: "they are fields of UpdatePipe",
    promise: "A change of these fields is one PATCH.",
    seen: written(inPlace),
  },
  {
    assumption: "updatePipe changes the source of a running pipe.",
    document: "fields of UpdatePipe; states are not shown",
    promise: "A change of these fields is one PATCH.",
    simulator: ["--profile pause-required"],
    seen: written(sourceInPlace),
  },
  {
    assumption: "updatePipe takes a connection without its credentials.",
    document: "all fields are optional as far as the shape shows",
    promise: "Credentials are sent only when they or the connection changed.",
    simulator: ["--profile recheck-connection"],
    seen: written(connection),
  },
  {
    assumption: "updatePipe applies settings.",
    document: "`settings` is a field of UpdatePipe",
    promise: "A change of settings is done when `pulumi up` says so.",
    simulator: ["--ignore-settings"],
    seen: written(settingsApplied),
  },
  {
    assumption: "Fields that an update leaves out stay as they are.",
    promise: "An update sends only the fields that changed.",
    seen: written(othersStay),
  },
  {
    assumption: "An unknown member of a body harms nothing.",
    promise: "An unknown name is refused at preview, and never sent.",
    seen: written(either("refused", "ignored", "unknownMember")),
  },
  {
    assumption: "An empty update changes nothing.",
    promise: "Nothing is sent where nothing changed.",
    seen: written(either("refused", "taken", "emptyUpdate")),
  },
  {
    assumption: "DELETE on the path of a pipe deletes it.",
    document: "no operation deletes a pipe",
    promise: 'deletionPolicy "delete" deletes, or says that the service refuses.',
    simulator: ["--no-deletes", "fault status"],
    seen: written(deletion),
  },
  {
    assumption: "createPipe takes a name that another pipe has, or refuses it.",
    promise: "A create whose answer is lost makes no second pipe unseen.",
    seen: written(
      duplicateName,
      "the service did not delete the first pipe, so the probe created no second one",
    ),
  },
];
