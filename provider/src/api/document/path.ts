import { DatapipesError } from "../../messages/errors";

/** Builds a path from literal text and ids. It encodes ids and refuses dots, so that an id cannot change the path. */
export function path(literals: TemplateStringsArray, ...ids: readonly string[]): string {
  return literals.reduce((text, literal, index) => `${text}${encodeId(ids[index - 1] ?? "")}${literal}`);
}

function encodeId(id: string): string {
  if (id !== "" && id !== "." && id !== ".." && id === Buffer.from(id).toString())
    return encodeURIComponent(id);
  throw new DatapipesError(
    "invalid-argument",
    `${JSON.stringify(id)} is not a valid id: the provider sent nothing.`,
    {
      finding: "impossible-id",
    },
  );
}
