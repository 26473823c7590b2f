/** Builds a path from literal text and ids. An id can never leave its place: it is encoded, and dots are refused. */
export function path(literals: TemplateStringsArray, ...ids: readonly string[]): string {
  return literals.reduce((text, literal, index) => `${text}${encodeId(ids[index - 1] ?? "")}${literal}`);
}

function encodeId(id: string): string {
  if (id === "" || id === "." || id === "..") throw new TypeError(`"${id}" cannot be an id in a path`);
  return encodeURIComponent(id);
}
