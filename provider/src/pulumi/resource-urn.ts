/** The stack, the types of the parents, the type and the name of a resource in its URN. Names may contain the separator of URNs. */
export function partsOf(urn: string): {
  readonly stack: string;
  readonly parents: readonly string[];
  readonly type: string;
  readonly name: string;
} {
  const [stack = "", , qualifiedType = "", ...name] = urn.split("::");
  const types = qualifiedType.split("$");
  return {
    stack: stack.slice(stack.lastIndexOf(":") + 1),
    parents: types.slice(0, -1),
    type: types.at(-1) ?? "",
    name: name.join("::"),
  };
}
