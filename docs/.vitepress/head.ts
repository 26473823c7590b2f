import { readFileSync } from "node:fs";
import path from "node:path";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";

const root = path.resolve(__dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** A longer one is cut by those who show it. */
const MAX_DESCRIPTION = 160;

/** The text of a document; that of a template as `pulumi new` fills it in. */
export function filled(document: string, text: string): string {
  if (!document.startsWith("templates/")) return text;
  const folder = path.dirname(document);
  const { template } = parse(textOf(path.join(folder, "Pulumi.yaml"))) as {
    template: { description: string };
  };
  return text
    .replaceAll("${PROJECT}", path.basename(folder))
    .replaceAll("${DESCRIPTION}", `${template.description}.`);
}

/** The title and the description of a page: those of its front matter, else its first heading and its first paragraph. */
export function headOf(document: string, text = textOf(document)) {
  const [, front, body = text] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const { title, meta_desc: description } = (front === undefined ? {} : parse(front)) as Record<
    string,
    string
  >;
  const tokens = new MarkdownIt({ html: true }).parse(filled(document, body), {});
  const first = (type: string): string => {
    const index = tokens.findIndex((token) => token.type === type && token.level === 0);
    const parts = tokens[index + 1]?.children ?? [];
    return index < 0 ? "" : parts.map((part) => (part.type === "softbreak" ? " " : part.content)).join("");
  };
  return {
    title: title ?? first("heading_open"),
    description: shortened(description ?? first("paragraph_open")),
  };
}

/** Whole sentences if they are long enough, else whole words. */
function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const start = text.slice(0, MAX_DESCRIPTION);
  const sentences = /^.{60,}[.!?](?= )/.exec(start)?.[0];
  return sentences ?? `${start.slice(0, start.lastIndexOf(" "))} …`;
}
