/** What only the TypeScript package has: its errors, its mocks and its transforms. */
const ONLY_TYPESCRIPT = [
  /Throws a `DatapipesError` whose `code`[^.]*\./g,
  /In unit tests,[^.]*\./g,
  /A transform that[^.]*\./g,
];

/** Rewrites the doc comment of the TypeScript package for programs in every language. */
export function forEveryLanguage(comment: string): string {
  const kept = ONLY_TYPESCRIPT.reduce((text, sentence) => text.replace(sentence, ""), comment);
  return (
    kept
      .replace(
        /Throws a `DatapipesError`:([^.]*\.)/g,
        (_sentence, when: string) => `Fails${when.replace(NEXT_CODE, " or").replace(CODE, "")}`,
      )
      // The engine shows a retained resource this way for the TypeScript package only.
      .replace(/, and a preview shows `delete\[retain\]`/g, "")
      .replace(/`\["(\w+)"\]`/g, "`$1`")
      .replace(/`"([^"`]*)"`/g, "`$1`")
      .replace(/\bundefined\b/g, "absent")
      .replace(/ {2,}/g, " ")
      .trim()
  );
}

const CODE = / `[a-z-]+`/g;
/** The next one, with what the error lists. */
const NEXT_CODE = /, `[a-z-]+`, with their IDs,/g;

/** Where the examples of a description begin, which are rewritten nowhere. */
const EXAMPLES = "\n\n{{% examples %}}";

/** A value of the schema with all descriptions rewritten. */
export function rewritten<T>(value: T): T {
  if (Array.isArray(value)) return value.map(rewritten) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      name === "description" && typeof member === "string" ? rewrittenText(member) : rewritten(member),
    ]),
  ) as T;
}

function rewrittenText(description: string): string {
  const [comment = "", ...examples] = description.split(EXAMPLES);
  return [forEveryLanguage(comment), ...examples].join(EXAMPLES);
}
