import schema from "../../plugin/schema.json";
import { parseDocument, readDocument } from "../kit/documents";

/** The programs of these documents, which are whole. */
const DOCUMENTS = ["plugin/README.md", "docs/guides/move-to-another-language.md"];

/** The examples of the plugin's schema and of documents in a language, and one with a misspelt field, which a compiler must refuse. */
export function schemaExamples(language: string): { programs: readonly string[]; wrong: string } {
  const described = Object.entries({ ...schema.resources, ...schema.functions });
  const pages = described.map(([token, { description }]) => parseDocument(token, description));
  const blocks = [...pages, ...DOCUMENTS.map(readDocument)].flatMap((page) => page.blocks);
  const programs = blocks.filter((block) => block.language === language).map(({ code }) => code);
  return { programs, wrong: (programs[0] ?? "").replace(/rokers\b/, "rokrs") };
}
