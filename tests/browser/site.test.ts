import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type Page } from "playwright-core";
import { chromiumOptions } from "./chromium";
import { temporaryFolder, onEnd } from "../kit/cleanup";

const ORIGIN = "http://site.example";

let folder: string;
let browser: Browser;
let page: Page;
/** Requests for anything but files of the site, and errors of scripts. */
let problems: string[];

beforeAll(async () => {
  folder = await temporaryFolder("site");
  // It ends with an error where a link has no target.
  const build = ["run", "site", "--", "--outDir", folder];
  await promisify(execFile)("npm", build, { cwd: path.resolve(__dirname, "../..") });
  browser = await chromium.launch(await chromiumOptions());
  onEnd(() => browser.close());
});

async function openPage(width: number): Promise<void> {
  problems = [];
  page = await browser.newPage({ viewport: { width, height: 800 } });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.route("**/*", async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const file = path.join(folder, decodeURIComponent(pathname).replace(/\/$/, "/index.html"));
    if (origin === ORIGIN && existsSync(file)) return route.fulfill({ path: file });
    problems.push(route.request().url());
    return route.abort();
  });
}

describe("on a wide screen,", () => {
  beforeEach(() => openPage(1280));
  afterEach(() => page.close());

  test("a page with a program in several languages shows one at a time", async () => {
    await page.goto(`${ORIGIN}/languages.html`);
    const programs = page.locator(".vp-code-group").last();
    const program = programs.locator(".language-yaml");
    expect(await program.isVisible()).toBe(false);
    await programs.getByText("YAML", { exact: true }).click();
    await program.waitFor();
    expect(await programs.locator(".language-typescript").isVisible()).toBe(false);
  });

  /** What the browser shows of the focused element: for the input of a tab, its label. */
  async function focused() {
    const isTab = (await page.locator("input:focus").count()) > 0;
    const shown = page.locator(isTab ? "input:focus + *" : ":focus");
    const { y = -1, width = 0 } = (await shown.boundingBox()) ?? {};
    return { isTab, isVisible: width > 0 && y >= 0 && y <= 800, text: await shown.innerText() };
  }

  test("the keyboard reaches the visible links of a page, and then its tabs", async () => {
    await page.goto(`${ORIGIN}/languages.html`);
    const reached: Awaited<ReturnType<typeof focused>>[] = [];
    while (reached.length < 200 && reached.at(-1)?.isTab !== true) {
      await page.keyboard.press("Tab");
      reached.push(await focused());
    }
    expect(reached[0]?.text).toMatch(/^Skip to content/);
    expect(reached.filter(({ isVisible }) => !isVisible)).toEqual([]);
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toMatchObject({ isTab: true, text: "Python" });
  });
});

describe("on a narrow screen, all pages", () => {
  const pages: { name: string; width: number; text: string }[] = [];
  const namesThat = (are: (page: (typeof pages)[number]) => boolean): string[] =>
    pages.filter(are).map(({ name }) => name);

  beforeAll(async () => {
    await openPage(360);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const name of files.filter((file) => file.endsWith(".html"))) {
      await page.goto(`${ORIGIN}/${name}`);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      const text = await page.locator("main, .NotFound").first().innerText();
      pages.push({ name, width, text });
    }
    await page.close();
  });

  test("load with a text, without errors and requests to elsewhere", () => {
    expect(pages.length).toBeGreaterThan(50);
    expect(namesThat(({ text }) => text.length < 100)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("fit into the screen", () => {
    expect(namesThat(({ width }) => width > 360)).toEqual([]);
  });
});
