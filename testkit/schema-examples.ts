import { documentFiles, readDocument } from "./documents";

/** The examples of the plugin's schema in a language, and one with a misspelt field, which a compiler must refuse. */
export function schemaExamples(language: string): { programs: readonly string[]; wrong: string } {
  const pages = documentFiles().filter((file) => /plugin-schema\/examples\/\w+\.md$/.test(file));
  const blocks = pages.flatMap((file) => readDocument(file).blocks);
  const programs = blocks.filter((block) => block.language === language).map(({ code }) => code);
  return { programs, wrong: (programs[0] ?? "").replace(/rokers\b/, "rokrs") };
}
