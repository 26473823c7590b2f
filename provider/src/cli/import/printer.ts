import type { PropertyValue } from "../../lifecycle/comparison/property-value";
import { escaped } from "../../messages/quoted";

/** The width at which Prettier breaks lines by default. */
const WIDTH = 80;
const INDENT = "  ";

/** From this width on, Prettier moves a long text behind a name to the next line. */
const MIN_WIDTH_OF_NAME = 5;

/** Code in place of a literal. */
export class Expression {
  constructor(readonly code: string) {}
}

/** The name of a member whose expression is spread into the object. */
export const SPREAD = "...";

export interface Members {
  readonly [name: string]: Printed;
}

/** What the printer writes: JSON values, with expressions in it. */
export type Printed = PropertyValue | Expression | readonly Printed[] | Members;

const isArray = (value: Printed): value is readonly Printed[] => Array.isArray(value);

const isObject = (value: Printed): value is Members =>
  typeof value === "object" && value !== null && !isArray(value) && !(value instanceof Expression);

/**
 * The code of a value as Prettier writes it by default: on the line where it begins if that has room for it and for one more character,
 * else with a line for each member.
 */
export function codeOf(value: Printed, indent = "", column = indent.length): string {
  const flat = flatCode(value);
  if (!mustBreak(value) && column + flat.length + 1 <= WIDTH) return flat;
  const inner = `${indent}${INDENT}`;
  if (isArray(value) && value.length > 0)
    return `[\n${value.map((element) => `${inner}${codeOf(element, inner)},\n`).join("")}${indent}]`;
  if (isObject(value) && Object.keys(value).length > 0) return brokenObject(value, indent);
  return flat;
}

/** The code of an object with a line for each member. */
export function brokenObject(members: Members, indent = ""): string {
  const inner = `${indent}${INDENT}`;
  const lines = Object.entries(members).map(
    ([name, member]) => `${inner}${memberCode(name, member, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function memberCode(name: string, value: Printed, indent: string): string {
  const start = startOf(name, value);
  const code = codeOf(value, indent, indent.length + start.length);
  const isTooLong = typeof value === "string" && indent.length + start.length + code.length + 1 > WIDTH;
  return isTooLong && start.length - 2 >= MIN_WIDTH_OF_NAME
    ? `${start.trimEnd()}\n${indent}${INDENT}${code}`
    : `${start}${code}`;
}

function flatCode(value: Printed): string {
  if (value instanceof Expression) return value.code;
  if (typeof value === "string") return textCode(value);
  if (isArray(value)) return `[${value.map(flatCode).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${startOf(name, member)}${flatCode(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Prettier gives each of several objects, or of several lists, a line of its own, unless they are small. */
const mustBreak = (value: Printed): boolean =>
  isArray(value)
    ? value.some(mustBreak) || [isObject, isArray].some((isKind) => areLarge(value, isKind))
    : isObject(value) && Object.values(value).some(mustBreak);

const areLarge = (list: readonly Printed[], isKind: (value: Printed) => boolean): boolean =>
  list.length > 1 && list.every((element) => isKind(element) && Object.keys(element as object).length > 1);

/** What is before the value of a member; nothing if the value is a constant of the same name. */
function startOf(name: string, value: Printed): string {
  if (!(value instanceof Expression)) return `${nameCode(name)}: `;
  if (name === SPREAD) return SPREAD;
  return value.code === name ? "" : `${nameCode(name)}: `;
}

/** The name of a member. Names of the API document need no quotes. */
const nameCode = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : textCode(name));

/** A text as a literal, in the quotes that need fewer escapes. What a reader could not see in it is escaped. */
export function textCode(text: string): string {
  const code = JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
  if (text.split('"').length <= text.split("'").length) return code;
  return `'${code.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
