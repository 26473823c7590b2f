import { valueAt } from "../../kit/deployment";
import { pipeFieldTable, type OnChange } from "../../kit/pipe-fields";
import { snakeCase } from "../../kit/json";

/** What the document of the API says of a field by its path, whose elements are marked with `[]`. */
const FIELDS = new Map(pipeFieldTable.map((field) => [field.path, field]));

/** The fields that are compared as a whole, and that a request sends and an answer returns. */
const COMPARED = pipeFieldTable
  .filter((field) => field.changed !== undefined && field.onChange !== "providerOnly" && !field.isWriteOnly)
  .map(({ path }) => path);

export const onChangeOf = (path: string): OnChange | undefined => FIELDS.get(path)?.onChange;

/** The value of a pipe of the API, whose settings alone have names in snake_case. */
const apiValueAt = (pipe: object, path: string): unknown =>
  valueAt(pipe, path.startsWith("settings.") ? snakeCase(path) : path);

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Whether the API says nothing of a field. */
export const isMissing = (pipe: object, path: string): boolean => isAbsent(apiValueAt(pipe, path));

/** The paths of the declared values that the pipe of the API does not have. */
export const missed = (declared: object, pipe: object): string[] =>
  COMPARED.filter((path) => !has(path, apiValueAt(pipe, path), valueAt(declared, path)));

/** Whether a value is what was asked for. A service fills in what was not. */
function has(path: string, value: unknown, asked: unknown): boolean {
  if (asked === undefined || asked === null) return true;
  if (Array.isArray(asked)) return hasElements(path, Array.isArray(value) ? value : [], asked);
  if (typeof asked !== "object") return value === asked;
  return Object.entries(asked).every(([name, member]) =>
    has(`${path}.${name}`, valueAt(value, name), member),
  );
}

function hasElements(path: string, values: readonly unknown[], asked: readonly unknown[]): boolean {
  const hasOne = (value: unknown, one: unknown): boolean => has(`${path}[]`, value, one);
  if (values.length !== asked.length) return false;
  return FIELDS.get(path)?.isSet
    ? asked.every((one) => values.some((value) => hasOne(value, one)))
    : asked.every((one, index) => hasOne(values[index], one));
}
