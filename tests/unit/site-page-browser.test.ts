import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type Page } from "playwright-core";
import { chromiumOptions } from "../kit/chromium";
import { temporaryFolder, onEnd } from "../kit/cleanup";

const ORIGIN = "http://site.example";

let folder: string;
let browser: Browser;
let page: Page;
/** Requests for anything but files of the site, and errors. */
let complaints: string[];

beforeAll(async () => {
  folder = await temporaryFolder("site");
  const build = ["node_modules/vitepress/bin/vitepress.js", "build", "docs", "--outDir", folder];
  // It ends with an error where a link has no target.
  await promisify(execFile)(process.execPath, build, { cwd: path.resolve(__dirname, "../..") });
  browser = await chromium.launch(await chromiumOptions());
  onEnd(() => browser.close());
});

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.route("**/*", async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const file = path.join(folder, decodeURIComponent(pathname).replace(/\/$/, "/index.html"));
    if (origin === ORIGIN && existsSync(file)) return route.fulfill({ path: file });
    complaints.push(route.request().url());
    return route.abort();
  });
});

afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

async function found(words: string): Promise<readonly (string | null)[]> {
  await page.goto(`${ORIGIN}/`);
  await page.locator("#local-search button").click();
  await page.locator(".search-input").fill(words);
  await page.locator("a.result").first().waitFor();
  return Promise.all((await page.locator("a.result").all()).map((result) => result.getAttribute("href")));
}

test.each([
  ["rotate password", "/guides/rotate-credentials.html"],
  ["drift", "/guides/drift.html"],
  ["retain", "/guides/delete-or-retain.html"],
  ["two accounts", "/guides/several-accounts.html"],
  ["kafka credentials", "/guides/rotate-credentials.html"],
  ["401", "/guides/troubleshoot.html"],
  ["vpcResourceShareArn", "/reference/reverse-private-endpoint.html"],
])("a search for %j finds %s first, without a request to elsewhere", async (words, first) => {
  expect((await found(words))[0]?.split("#")[0]).toBe(first);
});

test("a page with a program in several languages shows one at a time", async () => {
  await page.goto(`${ORIGIN}/languages.html`);
  const programs = page.locator(".vp-code-group").last();
  const program = programs.locator(".language-yaml");
  expect(await program.isVisible()).toBe(false);
  await programs.getByText("YAML", { exact: true }).click();
  await program.waitFor();
  expect(await programs.locator(".language-typescript").isVisible()).toBe(false);
});

test("the keyboard reaches a page's links in their order, and its tabs, which show the focus", async () => {
  await page.goto(`${ORIGIN}/languages.html`);
  const focused = () => page.evaluate<string>(FOCUSED);
  const reached: string[] = [];
  for (let step = 0; step < 200 && !reached.at(-1)?.startsWith("INPUT"); step += 1) {
    await page.keyboard.press("Tab");
    reached.push(await focused());
  }
  expect(reached[0]).toMatch(/^A Skip to content/);
  expect(reached.filter((each) => each.startsWith("hidden"))).toEqual([]);
  const outline = `getComputedStyle(document.activeElement.nextElementSibling).outlineStyle`;
  expect(await page.evaluate<string>(outline)).toBe("solid");
  await page.keyboard.press("ArrowRight");
  expect(await focused()).toMatch(/^INPUT Python/);
});

/** The focused element, and whether it can be seen. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const shown = element.tagName === "INPUT" ? element.nextElementSibling : element;
  const { top, bottom, width } = shown.getBoundingClientRect();
  const hidden = width === 0 || bottom < 0 || top > innerHeight ? "hidden " : "";
  return hidden + element.tagName + " " + (shown.textContent || "").trim().slice(0, 30);
})()`;

test("no page is empty or too wide or asks elsewhere; each has its own title and description", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  expect(pages.length).toBeGreaterThan(50);
  const wide: string[] = [];
  const empty: string[] = [];
  const heads: { title: string; description: string }[] = [];
  for (const name of pages) {
    await page.goto(`${ORIGIN}/${name}`);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    const text = await page.locator("main, .NotFound").first().innerText();
    const description = (await page.locator("meta[name=description]").getAttribute("content")) ?? "";
    heads.push({ title: await page.title(), description });
    if (width > 360) wide.push(`${name}: ${width}`);
    if (text.length < 100) empty.push(name);
  }
  expect(empty).toEqual([]);
  expect(wide).toEqual([]);
  for (const texts of [heads.map(({ title }) => title), heads.map(({ description }) => description)]) {
    expect(new Set(texts).size).toBe(pages.length);
    expect(texts.filter((text) => !/^["\w]/.test(text))).toEqual([]);
  }
});
