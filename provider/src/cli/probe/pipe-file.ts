import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isMap, omit, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import { describeFailure } from "../../lifecycle/validation";
import { DatapipesError } from "../../messages/errors";
import { SCOPE_SETTINGS } from "../../settings/settings";
import type { Session } from "./session";

/** The pipe of `--pipe`, and the name under which the probe creates it. */
export interface PipeOfFile {
  readonly inputs: PropertyMap;
  readonly name: string;
}

/** What the probe decides itself: it creates a new pipe, in the service of the configuration. */
const NOT_OF_FILE = [...SCOPE_SETTINGS, "adopt"];

/** Reads the pipe of a file. Throws if the provider's own check refuses it. */
export async function readPipeFile(session: Session, file: string, prefix: string): Promise<PipeOfFile> {
  const given = await jsonOf(file);
  session.learn(given);
  // No other pipe has this name, so that the probe finds its own one after a lost answer.
  const name = `${prefix}${randomBytes(4).toString("hex")}`;
  const lifecycle = session.run.lifecycle("Pipe");
  const { inputs, failures } = lifecycle.check(undefined, { ...given, ...session.scope, name });
  const reasons = [
    ...NOT_OF_FILE.filter((member) => member in given).map(
      (member) => `${member} is for the probe to choose`,
    ),
    ...failures.map(describeFailure),
  ];
  if (reasons.length === 0) return { inputs: omit(inputs, SCOPE_SETTINGS), name };
  throw new DatapipesError(
    "invalid-argument",
    `The pipe of --pipe cannot be created: ${reasons.join("; ")}.`,
  );
}

async function jsonOf(file: string): Promise<PropertyMap> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new DatapipesError("invalid-argument", `The file of --pipe could not be read: ${code}.`);
  });
  const value = parsed(text);
  if (isMap(value)) return value;
  // The words of the parser would repeat a part of the file, which has secrets.
  throw new DatapipesError(
    "invalid-argument",
    "The file of --pipe has no JSON object with the arguments of a pipe.",
  );
}

function parsed(text: string): PropertyValue {
  try {
    return JSON.parse(text) as PropertyValue;
  } catch {
    return undefined;
  }
}
