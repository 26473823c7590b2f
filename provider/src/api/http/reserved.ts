import { SIGNATURE, UNKNOWN_TEXTS } from "../../pulumi/engine-marks";
import { harmless, isPrintable, withMarks } from "../../messages/printable";

/** How deep an answer may be nested. Recursive functions need stack for each level. */
const MAX_DEPTH = 100;

/**
 * Member names that Pulumi or JavaScript gives a meaning: of an asset, Pulumi reads the local file. Names with two underscores mark objects of SDKs,
 * or are JavaScript's `__proto__`.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([SIGNATURE, "constructor", "prototype"]);

/** The settings of a pipe lose their underscores later. */
const isReserved = (name: string): boolean =>
  name.startsWith("__") || RESERVED_NAMES.has(name.includes("_") ? name.replaceAll("_", "") : name);

/**
 * Makes a decoded answer harmless, in place: drops members with reserved or unprintable names, writes the marks of unknown values in
 * capitals, and removes control characters, and halves of characters, which Pulumi's engine would refuse. It does not refuse the answer: one
 * such member in one pipe must not make the whole list unreadable. Returns false if the answer is nested too deeply.
 */
export function sanitize(
  value: unknown,
  clean: (text: string) => string = harmless,
  depth = MAX_DEPTH,
): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  const object = value as Record<string, unknown>;
  // Lists of pipes are long, and calls of the engine wait for them: entries and closures would take ten times their memory.
  for (const name in object) {
    const member = object[name];
    if (isReserved(name) || !isPrintable(name)) Reflect.deleteProperty(object, name);
    else if (typeof member === "string") object[name] = sanitized(name, member, clean);
    else if (!sanitize(member, clean, depth - 1)) return false;
  }
  return true;
}

function sanitized(name: string, text: string, clean: (text: string) => string): string {
  if (UNKNOWN_TEXTS.has(text)) return text.toUpperCase();
  // An id without some of its characters may be the id of another object.
  return name === "id" ? withMarks(text) : clean(text.toWellFormed());
}
