import { existsSync, readFileSync } from "node:fs";
import { sync as writeFileAtomically } from "write-file-atomic";
import type { StoredEndpoint } from "./endpoint";
import type { Json } from "./json";
import { isObject } from "./json";
import type { StoredPipe } from "./pipe";
import type { StoredService } from "./service";

const FORMAT = "pulumi-datapipes-simulator";
const VERSION = 1;
/** The file has `connectionString`, which the API returns, so only its owner may read it. */
const MODE = 0o600;

/** What the data file holds. */
export interface Data {
  clockOffsetMs: number;
  services: StoredService[];
  pipes: Omit<StoredPipe, "digests" | "zeroLists">[];
  endpoints: StoredEndpoint[];
}

/** The data file cannot be used. The simulator does not overwrite it. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";

  constructor(file: string, what: string) {
    super(`The data file ${file} ${what}. The simulator did not change it: move it, or choose another file.`);
  }
}

/** The lists of the file, and the object with an id that each entry has. */
const RECORDS = { services: "service", pipes: "pipe", endpoints: "endpoint" };

function isListOf(value: Json | undefined, record: string): boolean {
  if (!Array.isArray(value)) return false;
  return value.every(
    (entry) => isObject(entry) && isObject(entry[record]) && typeof entry[record]["id"] === "string",
  );
}

function isData(value: unknown): value is Data {
  return (
    isObject(value) &&
    value["format"] === FORMAT &&
    value["version"] === VERSION &&
    typeof value["clockOffsetMs"] === "number" &&
    Object.entries(RECORDS).every(([list, record]) => isListOf(value[list], record))
  );
}

/** The content of the file, or undefined if it does not exist. */
export function readData(file: string): Data | undefined {
  if (!existsSync(file)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // The text of a syntax error quotes the file, which may have a connection string.
    const isSyntax = error instanceof SyntaxError;
    throw new DataFileError(file, isSyntax ? "is not JSON" : `cannot be read (${(error as Error).message})`);
  }
  if (!isData(value)) throw new DataFileError(file, "was not written by this simulator, or is damaged");
  return value;
}

export function writeData(file: string, data: Data): void {
  const text = JSON.stringify({ format: FORMAT, version: VERSION, ...data }, null, 1);
  try {
    writeFileAtomically(file, text, { mode: MODE });
  } catch (error) {
    throw new DataFileError(file, `cannot be written (${(error as Error).message})`);
  }
}
