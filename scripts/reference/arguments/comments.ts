import { leafFields, type Field } from "../../../provider/src/lifecycle/comparison/fields";
import type { Described } from "../catalogue";
import type { Comment } from "../declarations";

/** A field, where it is. */
export interface Place {
  readonly field: Field;
  /** From the arguments on, through lists. */
  readonly path: readonly string[];
  /** The object that holds it; undefined for the arguments, and for the elements of a list and of an atomic object. */
  readonly parent?: Field;
  readonly isElement?: boolean;
}

const WIDTH = 110;

/** The comment of an argument: what the schema says, then what follows from its metadata. */
export function argumentComment(place: Place, comment: Comment, resource: Described): readonly string[] {
  const { text, default: byDefault } = comment;
  const all = [text, secretSentence(place, text), changeSentence(place, text, resource)];
  const said = all.filter((sentence) => sentence !== undefined).join(" ");
  return doc(said, byDefault === undefined ? [] : [`@default ${byDefault}`]);
}

/** The comment of an output that mirrors an argument: its first clause, where the schema says nothing else of the output. */
export function outputComment({ text, output, default: byDefault }: Comment): readonly string[] {
  if (output !== undefined) return doc(output);
  const [clause = ""] = text.split(/(?<=\.) |[;:] /);
  return doc(
    `${clause.replace(/\.$/, "")}${byDefault === undefined ? "" : `; undefined is \`${byDefault}\``}.`,
  );
}

/** Lines of a doc comment within the width of the code. */
export function doc(text: string, tags: readonly string[] = [], indent = "  "): readonly string[] {
  const short = `${indent}/** ${text} */`;
  if (tags.length === 0 && short.length <= WIDTH) return [short];
  const lines = text.split(" ").reduce<string[]>((lines, word) => {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    const fits = lines.length > 0 && `${indent} * ${longer}`.length <= WIDTH;
    return fits ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
  return [`${indent}/**`, ...[...lines, ...tags].map((line) => `${indent} * ${line}`), `${indent} */`];
}

/** What a comment says itself, in words of its own, is not said again. */
const OF_A_CHANGE = /\b(changed in place|a change( of any part)? replaces|sent along|never sent)\b/i;

function secretSentence({ field, parent, isElement }: Place, text: string): string | undefined {
  if (!field.secret || parent?.secret === true || isElement === true || /\bsecret\b/i.test(text))
    return undefined;
  return field.writeOnly ? "Secret, request only." : "Secret.";
}

function changeSentence(place: Place, text: string, { noun, update = "" }: Described): string | undefined {
  const { field, parent, isElement } = place;
  if (isElement === true || OF_A_CHANGE.test(text)) return undefined;
  if (field.variant === true) return `Another kind of ${parent?.name ?? noun} replaces the ${noun}.`;
  const [onChange, ...others] = new Set(leafFields([field]).map((leaf) => leaf.onChange));
  if (others.length > 0) return undefined;
  if (onChange === "replace") return `A change replaces the ${noun}.`;
  if (onChange === "sentAlong") return "Sent along with a create or update; a change alone sends nothing.";
  if (onChange === "providerOnly") return "Kept in state, never sent.";
  // The comment of the object names the operation.
  if (parent?.onChange === "update") return "Changed in place.";
  const how = field.atomic === true ? ", always whole" : field.members ? ", changed members only" : "";
  return `Changed in place${how} (\`${update}\`).`;
}
