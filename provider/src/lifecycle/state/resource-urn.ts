/** The parts of a URN. Names may contain the separator. */
export function partsOf(urn: string): {
  readonly stack: string;
  readonly project: string;
  readonly parents: readonly string[];
  readonly type: string;
  readonly name: string;
} {
  const [stack = "", project = "", qualifiedType = "", ...name] = urn.split("::");
  const types = qualifiedType.split("$");
  return {
    stack: stack.slice(stack.lastIndexOf(":") + 1),
    project,
    parents: types.slice(0, -1),
    type: types.at(-1) ?? "",
    name: name.join("::"),
  };
}

/** Whether a provider of this name is one of the program: the engine names the others. */
export const isDeclaredProvider = (name: string): boolean => name !== "" && !/^default(_|$)/.test(name);
