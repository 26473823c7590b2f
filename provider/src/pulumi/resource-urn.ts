import { typeToken } from "./type-tokens";

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

/** The URN of a dynamic resource with a key (see `resourceKey`), if key, stack and project are known. */
export function dynamicUrn(key: unknown, stack: unknown): string | undefined {
  const project = process.env["PULUMI_PROJECT"] ?? process.env["PULUMI_NODEJS_PROJECT"] ?? "";
  if (typeof key !== "string" || typeof stack !== "string" || project === "") return undefined;
  const [types = "", ...name] = key.split("::");
  // The key has those of this provider without their module.
  const tokens = types.split("$").map((type) => (type.includes(":") ? type : typeToken(type)));
  const place = [stack.slice(stack.lastIndexOf("/") + 1), project];
  return `urn:pulumi:${[...place, tokens.join("$"), ...name].join("::")}`;
}
