import type { Described } from "./catalogue";
import type { Declarations } from "./declarations";
import { code, page, plain, table } from "./markdown";
import { sectionsOf, type Row, type Section } from "./rows";

/** What the words of the column "On change" mean. */
const LEGEND: readonly (readonly [string, string])[] = [
  ["in place", "is sent with an update; unchanged fields are not sent"],
  ["replaces", "requires a new resource"],
  ["another kind replaces", "is compared member by member; another of the kinds requires a new resource"],
  ["sent along", "is sent with a create, or with an update of another field"],
  ["never sent", "only the provider uses it; it is kept in the state"],
  ["by member", "depends on the member"],
];

const HEAD = ["Field", "Type", "On change", "Required, or default", "Description"];

export function resourcePage(resource: Described, declarations: Declarations): string {
  const sections = sectionsOf(resource, declarations);
  return page(
    `# ${resource.type}`,
    "<!-- Made by `npm run reference` from the schema and the doc comments. Changes go there. -->",
    declarations.commentOf(resource.type)?.text ?? "",
    "A required field is required only if its object is declared. The API document is the page " +
      "[Management API](management-api.md).",
    legend(sections.flatMap(({ rows }) => rows)),
    ...sections.flatMap(sectionText),
    "## Outputs",
    "Beside `id` and the arguments, each with the value found at the last write or refresh:",
    outputTable(resource, declarations),
  );
}

const legend = (rows: readonly Row[]): string =>
  table(
    ["On change", "A changed value"],
    LEGEND.filter(([word]) => rows.some(({ onChange }) => onChange === word)),
  );

const sectionText = ({ path, rows }: Section): readonly string[] => [
  path === "" ? "## Arguments" : `## ${code(path)}`,
  table(HEAD, rows.map(cells)),
];

const cells = ({ path, type, onChange, secret, presence, description }: Row): readonly string[] => [
  code(path),
  plain(secret ? `${type}, secret` : type),
  onChange,
  plain(presence),
  plain(description),
];

function outputTable({ type, fields }: Described, declarations: Declarations): string {
  const mirrored = new Set(fields.map(({ name }) => name));
  const outputs = declarations.outputsOf(type).filter(({ name }) => !mirrored.has(name));
  const rows = outputs.map((output) => [
    code(output.name),
    code(output.type.replace(/^pulumi\.Output<(.*)>$/, "$1").replace(/pulumi\.Unwrap<(\w+)>/, "$1")),
    plain(output.comment.text),
  ]);
  return table(["Output", "Type", "Description"], rows);
}
