import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Attributes of HTML are escaped. */
const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const attributesOf = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) => unescaped(value));

/** The links of a built site to pages, files and headings that it does not have, and what it would load from elsewhere. */
export function brokenLinks(folder: string, base: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const known = new Set(files);
  const pages = files.filter((file) => file.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, readFileSync(path.join(folder, page), "utf8")]));
  const anchors = new Map([...texts].map(([page, html]) => [page, new Set(attributesOf(html, "id"))]));
  const hasTarget = (page: string, link: string): boolean => {
    const url = new URL(link, `http://site${base}${page}`);
    const file = decodeURIComponent(url.pathname)
      .slice(base.length)
      .replace(/(^|\/)$/, "$1index.html");
    const anchor = decodeURIComponent(url.hash.slice(1));
    return (
      url.pathname.startsWith(base) &&
      known.has(file) &&
      (anchor === "" || anchors.get(file)?.has(anchor) === true)
    );
  };
  return [...texts].flatMap(([page, html]) => {
    const inside = attributesOf(html, "href").filter((link) => !/^[a-z]+:/i.test(link));
    const loaded = attributesOf(html, "src");
    return [...new Set([...inside, ...loaded])]
      .filter((link) => !link.startsWith("data:") && !hasTarget(page, link))
      .map((link) => `${page}: ${link}`);
  });
}
