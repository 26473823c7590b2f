import { valueAt, type PropertyValue } from "../../lifecycle/property-value";
import { creationTimeOf } from "../../resources/pipe/candidates";
import { KNOWN_STATES } from "../../resources/pipe/states";
import { asAssumed, handled, joined, NO_PIPE, shownWord, unknown, type Seen } from "./assumption";
import type { Evidence } from "./evidence";

const STATES: ReadonlySet<string> = new Set(["Unknown", ...KNOWN_STATES]);
/** Those of comparable services. The API document says only that one means automatic detection. */
const COMPRESSIONS: ReadonlySet<string> = new Set([
  "auto",
  "none",
  "gzip",
  "gz",
  "brotli",
  "br",
  "xz",
  "LZMA",
  "zstd",
]);

/** Values for which the API document has no list. */
export function vocabulary({ pipes }: Evidence): Seen {
  const values = pipes.flatMap((pipe) => [
    { text: pipe["state"], known: STATES },
    { text: valueAt(pipe, ["source", "objectStorage", "compression"]), known: COMPRESSIONS },
  ]);
  const texts = values.flatMap(({ text, known }) => (typeof text === "string" ? [{ text, known }] : []));
  const others = texts.filter(({ text, known }) => !known.has(text));
  if (texts.length === 0) return unknown("no pipe has a value");
  return others.length === 0
    ? asAssumed(joined(texts.map(({ text }) => shownWord(text))))
    : handled(`also ${joined(others.map(({ text }) => shownWord(text)))}, which the provider takes as it is`);
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

function formOf(time: PropertyValue): string {
  if (time === undefined || time === null) return "absent";
  const text = typeof time === "number" ? `${time}` : typeof time === "string" ? time : "";
  if (creationTimeOf(text) !== undefined) return text.includes(".") ? "iso" : "seconds";
  if (ISO.test(text)) return "without-zone";
  return /^\d{9,}$/.test(text) ? "unix-seconds" : "another form";
}

export function times({ pipes }: Evidence): Seen {
  if (pipes.length === 0) return unknown(NO_PIPE);
  const forms = [...new Set(pipes.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt].map(formOf)))];
  const others = forms.filter((form) => form !== "iso" && form !== "seconds");
  return others.length === 0
    ? asAssumed(`ISO 8601 with a zone${forms.includes("seconds") ? ", without fractions of a second" : ""}`)
    : handled(
        `${joined(others)}: the provider cannot tell the age of a pipe, and looks longer before it takes it for new or deleted`,
        {
          simulator: others
            .filter((form) => !form.startsWith("another"))
            .map((form) => `--time-format ${form}`),
        },
      );
}
