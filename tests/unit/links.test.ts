import { existsSync } from "node:fs";
import path from "node:path";
import { documentFiles, parseDocument, readDocument, type Document } from "../../testkit/documents";

const repository = path.resolve(__dirname, "../..");
const documents = documentFiles().map(readDocument);

/** Links to other sites are not checked. */
const isRelative = (link: string): boolean => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link);

/** Why a link has no target; undefined if it has one. */
function defectOf({ file, anchors }: Document, link: string): string | undefined {
  const [target = "", anchor] = decodeURI(link).split("#");
  const found = target === "" ? file : path.join(path.dirname(file), target);
  if (!existsSync(path.join(repository, found))) return `${file}: ${link}: no such file`;
  if (anchor === undefined) return undefined;
  const known = target === "" ? anchors : documents.find((document) => document.file === found)?.anchors;
  return known?.has(anchor) === true ? undefined : `${file}: ${link}: no such heading`;
}

test("every link between the documents has its target", () => {
  expect(documents.flatMap(({ links }) => links.filter(isRelative)).length).toBeGreaterThan(50);
  const defects = documents.flatMap((document) =>
    document.links.filter(isRelative).flatMap((link) => defectOf(document, link) ?? []),
  );
  expect(defects).toEqual([]);
});

test("finds links in text, lists, tables and HTML, and anchors as GitHub makes them", () => {
  const text = `
# One \`two\`: three & four

## Again

## Again

- [a](x.md) and ![b](y.png)

| t            |
| ------------ |
| [c][c] <a id="here" href="z.md">d</a> |

[c]: w.md#again-1
`;
  const document = parseDocument("docs/page.md", text);
  expect(document.links).toEqual(["x.md", "y.png", "w.md#again-1", "z.md"]);
  expect([...document.anchors]).toEqual(["one-two-three--four", "again", "again-1", "here"]);
  const [present] = documents.filter(({ anchors }) => anchors.size > 0);
  if (present === undefined) throw new Error("no document has a heading");
  expect(defectOf(present, `#${[...present.anchors][0] ?? ""}`)).toBeUndefined();
  expect(defectOf(present, "#none")).toMatch("no such heading");
  expect(defectOf(document, "none.md")).toMatch("no such file");
});
