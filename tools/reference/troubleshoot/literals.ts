import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { childrenOf } from "../declarations";

/** A text of the source that users may read. */
export interface Literal {
  /** The file and its line. */
  readonly place: string;
  /** The text between its placeholders. */
  readonly parts: readonly string[];
  /** Whether a reader may search for it. Other texts are parts of messages, or lines that say that all is well. */
  readonly isMessage: boolean;
}

const SOURCE = "provider/src";

/** Files whose texts are no messages. */
const OTHER_TEXTS: ReadonlySet<string> = new Set([
  // The page has these as the next steps of its entries.
  "messages/next-steps.ts",
  // Help, and generated programs.
  "cli/command/command.ts",
  "cli/import/command.ts",
  "cli/doctor/command.ts",
  "cli/import/program.ts",
  "cli/import/pipe-code.ts",
  "cli/status/command.ts",
  "cli/status/table.ts",
  "cli/summary/command.ts",
  // The table of `datapipes status` is above, the Markdown of `datapipes summary` below.
  "cli/summary/changes.ts",
  "cli/summary/second-pipes.ts",
  "cli/summary/summary.ts",
  // The reference has these.
  "api/http/repetition.ts",
  "program/outputs.ts",
  "program/handler.ts",
  // What messages call a request.
  "api/document/operations.ts",
  // Commands that add a package.
  "cli/doctor/packages.ts",
]);

/** Beginnings of texts that no user reads as a message: words for a value, reports of success, and errors of the package's own code. */
const OTHER_BEGINNINGS = [
  "no content type",
  "one without a name",
  "a value that is not known yet",
  "that is not known",
  "Everything is in order.",
  "npx --no datapipes doctor",
  "pulumi stack init",
  "pulumi stack select",
  "pulumi stack ls",
  "listPipes returned 200 in",
  "add `import",
  // Replaces a stack trace, and is not printed.
  "failed; the error of the resource says why.",
  // The name of a warning of Node.js, which is suppressed.
  "Promise rejection was handled asynchronously",
];

/** Properties whose texts are no messages: descriptions of settings, and what a definition says at the end of a message or in a summary. */
const OTHER_PROPERTIES: ReadonlySet<string> = new Set(["description", "form", "takeOver", "deletedPart"]);
/** Reports of success of `datapipes doctor`, and progress of the commands. */
const OTHER_CALLS: ReadonlySet<string> = new Set(["ok", "say"]);

/** A text of fewer words is a part of another one. */
const MIN_WORDS = 3;

/** All texts of the package that may be a message, or a part of one that a reader can search for. */
export async function messageLiterals(repository: string): Promise<readonly Literal[]> {
  const folder = path.join(repository, SOURCE);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  const files = names.filter((name) => !OTHER_TEXTS.has(name.replaceAll(path.sep, "/")));
  const found = files.map(async (name) =>
    literalsOf(`${SOURCE}/${name}`, await readFile(path.join(folder, name), "utf8")),
  );
  return (await Promise.all(found)).flat();
}

export function literalsOf(name: string, text: string): readonly Literal[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const literals: Literal[] = [];
  const visit = (node: ts.Node, isInOtherCall: boolean): void => {
    if (isOther(node)) return;
    const isOtherText = isInOtherCall || isOtherCall(node);
    const parts = partsOf(node);
    if (parts !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const fixed = parts.map((part) => part.trim()).filter((part) => part !== "");
      literals.push({ place: `${name}:${line}`, parts: fixed, isMessage: !isOtherText && isMessage(fixed) });
    }
    // The operands of a concatenation are parts of its text; only what they insert is a text of its own.
    for (const child of parts === undefined ? childrenOf(node) : insertedIn(node)) visit(child, isOtherText);
  };
  visit(file, false);
  return literals.filter(({ parts }) => parts.length > 0);
}

const isMessage = (parts: readonly string[]): boolean =>
  (parts.join(" … ").match(/(?<!\S)[A-Za-z',;.:]{2,}(?!\S)/g) ?? []).length >= MIN_WORDS &&
  !OTHER_BEGINNINGS.some((beginning) => parts[0]?.startsWith(beginning) === true);

const isOther = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTypeNode(node) ||
  (ts.isPropertyAssignment(node) &&
    OTHER_PROPERTIES.has(node.name.getText()) &&
    partsOf(node.initializer) !== undefined);

const isOtherCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && OTHER_CALLS.has(node.expression.getText());

/** The fixed parts of a text, or of a concatenation of texts; undefined if the node is no text. */
function partsOf(node: ts.Node): readonly string[] | undefined {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (!isConcatenation(node)) return undefined;
  const [left, right] = [partsOf(node.left), partsOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  // A value beside a text is a placeholder.
  if (left === undefined || right === undefined) return ["", ...(left ?? right ?? []), ""];
  return [...left.slice(0, -1), `${left.at(-1) ?? ""}${right[0] ?? ""}`, ...right.slice(1)];
}

const isConcatenation = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** The expressions that a text inserts. */
function insertedIn(node: ts.Node): readonly ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!isConcatenation(node)) return [];
  return [node.left, node.right].flatMap((side) => (partsOf(side) === undefined ? [side] : insertedIn(side)));
}
