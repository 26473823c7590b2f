import { idKey } from "../../api/wire";
import { changesBetween, changesOf, type Change } from "../../core/changes";
import { type Field } from "../../core/field";
import { asDeclared } from "../../core/observation";
import { isMap, type PropertyMap, type PropertyValue } from "../../core/property-value";
import type { Created, Progress, Update } from "../../core/resource";
import { DatapipesError } from "../../errors";
import { scopeOf, type Connection } from "../connection";
import { observed } from "./observed";
import { pipeFields, SOURCE_KINDS } from "./schema";
import { updatePipe } from "./update";

/** Whether the program takes over a pipe instead of creating one. */
export const isAdoption = (inputs: PropertyMap): inputs is PropertyMap & { readonly adopt: string } =>
  typeof inputs["adopt"] === "string";

/** Takes over an existing pipe: refused where it cannot become what the program declares, else brought to it. */
export async function adoptPipe(
  connection: Connection,
  inputs: PropertyMap & { readonly adopt: string },
  progress: Progress,
): Promise<Created> {
  const scope = scopeOf(inputs);
  const pipe = await connection.client().findPipe(scope, inputs.adopt);
  if (pipe === undefined) {
    throw new DatapipesError(
      "not-found",
      `adopt pipe ${inputs.adopt} failed: service ${scope.serviceId} has no pipe of this id. Check adopt, organizationId and serviceId.`,
    );
  }
  const found = observed(pipe);
  const { id } = pipe;
  refuseOtherKind(id, kindsOf(found), kindsOf(inputs));
  const olds = asDeclared(pipeFields, inputs, found);
  const changes = changesBetween(pipeFields, olds, inputs);
  refuseFixed(id, changes);
  const update = { id, olds, news: inputs, observed: found, changes: changesOf("update", changes) };
  return { id, found: (await updatePipe(connection, update, progress)) ?? found };
}

/** A pipe that is in the stack is not exchanged for another by naming that one: the user has to let it go first. */
export function warnOfLateAdoption({ inform }: Connection, { id, olds, news }: Update): void {
  if (!isAdoption(news) || news.adopt === olds["adopt"] || idKey(news.adopt) === idKey(id)) return;
  inform(
    `warning: pipe ${id} is in the stack already, so adopt does not take over pipe ${news.adopt}. To have that one instead, run ` +
      `\`pulumi state delete <URN of the resource>\`, which leaves pipe ${id} running and unmanaged, then \`pulumi up\`.`,
  );
}

function refuseFixed(id: string, changes: readonly Change[]): void {
  // Roles and the like are never returned, so nothing can be said of them.
  const fixed = changesOf("replace", changes).filter(({ field }) => !field.writeOnly);
  if (fixed.length === 0) return;
  throw refusal(id, fixed.map(describe));
}

/** Between two kinds of source there is nothing to compare. */
function refuseOtherKind(id: string, theirs: string, ours: string): void {
  if (theirs === ours) return;
  throw refusal(id, [
    `source: the source of the pipe is ${theirs || "of no known kind"}, the program declares ${ours}`,
  ]);
}

const refusal = (id: string, lines: readonly string[]): DatapipesError =>
  new DatapipesError(
    "conflict",
    `adopt pipe ${id} failed: it differs from the program in what cannot be changed in place:\n` +
      lines.map((line) => `  ${line}\n`).join("") +
      `Make the program state what the pipe has, or leave out adopt to create another pipe.`,
  );

function kindsOf({ source }: PropertyMap): string {
  return isMap(source) ? SOURCE_KINDS.filter((kind) => source[kind] !== undefined).join(", ") : "";
}

const describe = ({ field, path, before, after }: Change): string =>
  `${path}: the pipe has ${shown(field, before)}, the program declares ${shown(field, after)}`;

function shown(field: Field, value: PropertyValue): string {
  if (value === undefined) return "nothing";
  return field.secret ? "[secret]" : JSON.stringify(value);
}
