import { harmless, isPrintable } from "../printable";

/** How deep an answer may be nested. Whatever walks through it needs a part of the stack for each level. */
const MAX_DEPTH = 100;

/**
 * Member names that no answer of the API may bring in. What reads our values gives them a meaning of its own: an object with the first
 * one is taken for a secret, an asset (whose local file is read), an archive, a resource or an output. Those that begin with two
 * underscores mark objects of SDKs, `__proto__` and the others are JavaScript's.
 */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const RESERVED_NAMES: ReadonlySet<string> = new Set([SIGNATURE, "constructor", "prototype"]);

/** Texts that stand for a value that is not known yet, one for each type. As values of the API they are nothing but texts. */
const UNKNOWNS: ReadonlySet<string> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Where in an answer a value stands: it is all of it, the result or an object of a list that is the result, or something deeper. */
type Level = "answer" | "result" | "inside";

/** Names with underscores may be written in camelCase later, without them. */
const isReserved = (name: string): boolean =>
  name.startsWith("__") || RESERVED_NAMES.has(name.includes("_") ? name.replaceAll("_", "") : name);

const isUnknown = (text: string): boolean => text.length === 36 && UNKNOWNS.has(text);

/**
 * Makes a freshly decoded answer harmless, in place: drops members of reserved names, spells reserved texts in capitals, and takes out what
 * steers a terminal. It does not refuse the answer: one such member in one pipe must not take the whole list away from the stack. False when
 * the answer is nested too deeply.
 */
export function disarm(value: unknown, depth = MAX_DEPTH, level: Level = "answer"): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  const object = value as Record<string, unknown>;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (!disarmMember(object, String(index), depth, level)) return false;
    return true;
  }
  // A list of the members of each of many thousand objects would be more than the objects.
  for (const name in object) {
    if (isReserved(name) || !isPrintable(name)) Reflect.deleteProperty(object, name);
    else if (!disarmMember(object, name, depth, level, memberLevel(level, name))) return false;
  }
  return true;
}

const memberLevel = (level: Level, name: string): Level =>
  level === "answer" && name === "result" ? "result" : "inside";

function disarmMember(
  owner: Record<string, unknown>,
  name: string,
  depth: number,
  level: Level,
  ofMember = level,
): boolean {
  const member = owner[name];
  if (typeof member !== "string") return disarm(member, depth - 1, ofMember);
  // An id without some of its characters may be the id of another object: the client refuses it.
  if (name === "id" && level === "result") return true;
  const text = isUnknown(member) ? member.toUpperCase() : harmless(member);
  if (text !== member) owner[name] = text;
  return true;
}
