import { SIGNATURE, UNKNOWN_TEXTS } from "../../pulumi/engine-marks";
import { harmless, isPrintable } from "../../messages/printable";

/** How deep an answer may be nested. Recursive functions need stack for each level. */
const MAX_DEPTH = 100;

/**
 * Member names that Pulumi or JavaScript gives a meaning: of an asset, Pulumi reads the local file. Names with two underscores mark objects of SDKs,
 * or are JavaScript's `__proto__`.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([SIGNATURE, "constructor", "prototype"]);

/** The level of a value in an answer: the answer itself, its result or an object in the list that is its result, or deeper. */
type Level = "answer" | "result" | "inside";

/** The settings of a pipe lose their underscores later. */
const isReserved = (name: string): boolean =>
  name.startsWith("__") || RESERVED_NAMES.has(name.replaceAll("_", ""));

/**
 * Makes a decoded answer harmless, in place: drops members with reserved or unprintable names, writes the marks of unknown values in
 * capitals, and removes control characters. It does not refuse the answer: one such member in one pipe must not make the whole list
 * unreadable. Returns false if the answer is nested too deeply.
 */
export function sanitize(
  value: unknown,
  clean: (text: string) => string = harmless,
  depth = MAX_DEPTH,
  level: Level = "answer",
): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  const object = value as Record<string, unknown>;
  const levelOf = (name: string): Level => {
    if (Array.isArray(value)) return level;
    return level === "answer" && name === "result" ? "result" : "inside";
  };
  return Object.entries(object).every(([name, member]) => {
    if (isReserved(name) || !isPrintable(name)) return Reflect.deleteProperty(object, name);
    if (typeof member !== "string") return sanitize(member, clean, depth - 1, levelOf(name));
    // An id without some of its characters may be the id of another object: the client refuses it.
    const isId = name === "id" && level === "result";
    if (!isId) object[name] = UNKNOWN_TEXTS.has(member) ? member.toUpperCase() : clean(member);
    return true;
  });
}
