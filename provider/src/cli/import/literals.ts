import * as typescript from "prettier/plugins/typescript";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import { isList, isMap, type PropertyValue } from "../../lifecycle/property-value";
import { escaped, printable, printableLines } from "../../messages/printable";

/** Wide enough for a table mapping, or a small destination. */
const PRINT_WIDTH = 120;

export const formatted = (code: string): Promise<string> =>
  format(code, { parser: "typescript", plugins: [typescript, estree], printWidth: PRINT_WIDTH });

/** A comment whose text cannot end it. */
export const blockComment = (lines: readonly string[]): string =>
  `/**\n${lines.map((line) => ` * ${printableLines(line).replaceAll(/\n/g, " ").replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n */`;

export const lineComment = (text: string): string => `// ${printable(text)}`;

/** A value as a literal. `nameOf` returns the name of a constant in place of a member. */
export const valueCode = (
  value: PropertyValue,
  nameOf: (member: string, value: PropertyValue) => string | undefined = () => undefined,
): string =>
  isList(value)
    ? `[${value.map((element) => valueCode(element)).join(", ")}]`
    : isMap(value)
      ? `{ ${Object.entries(value)
          .map(([name, member]) => `${nameCode(name)}: ${nameOf(name, member) ?? valueCode(member)}`)
          .join(", ")} }`
      : typeof value === "string"
        ? textCode(value)
        : JSON.stringify(value);

/** The name of a member. Names of the API document need no quotes. */
export const nameCode = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : textCode(name));

/** A text as a literal. What a reader could not see in it is escaped. */
export const textCode = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
