import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file of the page. */
export interface Asset {
  type: string;
  content: string;
}

const UI = join(__dirname, "..", "ui");
/** The library's files for browsers lie beside its main file; Node.js resolves to the folder for servers. */
const LIT = dirname(require.resolve("lit-html")).replace(/[/\\]node$/, "");

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

const OWN = ["index.html", "style.css", "icon.svg", "main.js", "tables.js", "faults.js", "details.js"];
const LIBRARY = ["lit-html.js", "directive.js", "directive-helpers.js", "directives/repeat.js"];

function asset(folder: string, file: string): Asset {
  const content = readFileSync(join(folder, file), "utf8");
  // Source maps are not served.
  return {
    type: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "text/plain",
    content: content.replace(/\n\/\/# [^\n]*\n?$/, "\n"),
  };
}

/** The files of the page by their paths. */
export const loadAssets = (): ReadonlyMap<string, Asset> =>
  new Map([
    ...OWN.map((file) => [file, asset(UI, file)] as const),
    ...LIBRARY.map((file) => [`lit-html/${file}`, asset(LIT, file)] as const),
  ]);

/** What a policy names to allow the import map, which browsers read from the page itself only. */
export function importMapHash(page: string): string {
  const [, map = ""] = /<script type="importmap">([^]*?)<\/script>/.exec(page) ?? [];
  return `'sha256-${createHash("sha256").update(map).digest("base64")}'`;
}
