import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import MarkdownIt from "markdown-it";

const repository = path.resolve(__dirname, "../..");

type Token = ReturnType<MarkdownIt["parse"]>[number];

export type CodeBlock = ReturnType<typeof blockOf>;
export type Document = ReturnType<typeof parseDocument>;

export const documentFiles = (): readonly string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: repository,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "");

export const readDocument = (file: string): Document =>
  parseDocument(file, readFileSync(path.join(repository, file), "utf8"));

export function parseDocument(file: string, text: string) {
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const inline = tokens.flatMap(({ children }) => children ?? []);
  return {
    file,
    blocks: tokens.flatMap((token, index) => (token.type === "fence" ? [blockOf(file, tokens, index)] : [])),
    inlineCode: inline.filter(({ type }) => type === "code_inline").map(({ content }) => content),
  };
}

const NOTE = /^<!-- code: (.*?) -->\s*$/s;

function blockOf(file: string, tokens: readonly Token[], index: number) {
  const { info = "", content = "", map } = tokens[index] ?? {};
  const before = tokens[index - 1];
  /** The text of the comment `<!-- code: … -->` before the block, which readers do not see. */
  const note = before?.type === "html_block" ? NOTE.exec(before.content)?.[1] : undefined;
  return {
    file,
    /** The line of its first line of code, counted from 1. */
    line: (map?.[0] ?? 0) + 2,
    language: info.split(/\s/)[0] ?? "",
    code: content,
    ...(note !== undefined && { note }),
  };
}

export const isForUsers = (file: string): boolean =>
  /^(?:docs\/|(?:(?:provider|simulator|examples(?:\/[^/]+)+|templates\/[^/]+)\/)?README\.md$)/.test(file);

/** Separators of commands in a line, and what begins a comment. */
const SEPARATOR = /\s*(?:&&|\|\|?|;|&(?=\s|$))\s*/;

/** The commands that a document shows, as their words, without prompts, comments and variables. */
export function commandsIn({ blocks, inlineCode }: Document): readonly (readonly string[])[] {
  const scripts = blocks.filter(({ language }) => ["sh", "bash", "shell"].includes(language));
  const lines = scripts.flatMap(({ code }) => code.replaceAll("\\\n", " ").split("\n"));
  return [...lines, ...inlineCode]
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").replace(/^\$ /, ""))
    .flatMap((line) => line.split(SEPARATOR))
    .map((command) => command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [])
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}
