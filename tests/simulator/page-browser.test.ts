import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import type { Simulator } from "../../simulator/src/index";
import { KAFKA, POSTGRES, call, createPipe, listStatus, start } from "./client";
import { canary, leaks } from "../kit/canary";
import { chromiumOptions } from "../kit/chromium";
import { onEnd } from "../kit/cleanup";

const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title="run"</script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(await chromiumOptions());
  onEnd(() => browser.close());
});

/** Opens the page, and collects what the browser complains of: errors, and violations of the policy. */
async function open({ pageUrl = "" }: Simulator, complaints: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(pageUrl);
  await page.getByText("Live").waitFor();
  return page;
}

/** The page is in light and in dark mode no wider than the window. */
async function expectToFit(page: Page): Promise<void> {
  const backgrounds = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [width, background] = await page.evaluate<[number, string]>(
      `[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]`,
    );
    expect(width).toBeLessThanOrEqual(800);
    backgrounds.add(background);
  }
  expect(backgrounds.size).toBe(2);
}

test("the page shows pipes and requests, opens and filters them, and runs no text as HTML", async () => {
  const secret = canary("password");
  const postgres = { ...POSTGRES.source.postgres, credentials: { username: "u", password: secret } };
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const complaints: string[] = [];
  const page = await open(simulator, complaints);
  const shown = await page.locator("main").innerText();
  for (const part of [`DATAPIPES_BASE_URL=${simulator.url}`, "None yet", "No active faults"])
    expect(shown).toContain(part);

  const { id } = await createPipe(simulator, { ...POSTGRES, source: { postgres } });
  const row = page.locator("#pipes tr.row", { hasText: "replica" });
  await row.getByText("Running", { exact: true }).waitFor();
  simulator.control.editPipe(id, { state: "Paused" });
  await row.getByText("Paused", { exact: true }).waitFor();

  const request = page.getByRole("button", { name: "POST …/pipes" });
  await request.focus();
  await page.keyboard.press("Enter");
  await page.locator("#writes pre").nth(1).waitFor();
  expect(await request.getAttribute("aria-expanded")).toBe("true");
  await row.click();
  const details = page.locator("#pipes pre");
  await details.waitFor();
  expect(await details.innerText()).toContain('"host": "db.example"');
  expect(leaks({ html: await page.content() }, [secret])).toEqual([]);

  simulator.control.seedPipes([{ ...KAFKA, name: HOSTILE, state: HOSTILE }]);
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 503, body: HOSTILE });
  await page.locator("#faults").getByText("listPipes").waitFor();
  expect(await listStatus(simulator)).toBe(503);
  await page.locator("#reads").getByText("fault: status").waitFor();
  await call(simulator, "POST", "/pipes", { name: HOSTILE, [HOSTILE]: HOSTILE });
  await page.locator("#pipes").getByText(HOSTILE).first().waitFor();
  expect(await page.locator("img, main script, iframe").count()).toBe(0);
  expect(await page.title()).toBe("Datapipes simulator");
  await expectToFit(page);

  await page.getByLabel("Filter", { exact: true }).fill("POSTGRES repl");
  await page.locator("#pipes .count").getByText("1 of 2", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await simulator.close();
  await page.getByText("No connection").waitFor();
  await page.close();
});
