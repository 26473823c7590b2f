import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import type { Simulator } from "../../simulator/src/index";
import { KAFKA, POSTGRES, call, createPipe, listStatus, start } from "../simulator/client";
import { canary, leaks } from "../kit/canary";
import { chromiumOptions } from "./chromium";
import { onEnd } from "../kit/cleanup";

const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title="run"</script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(await chromiumOptions());
  onEnd(() => browser.close());
});

let simulator: Simulator;
let page: Page;
/** What the browser complains of: errors, and violations of the policy. */
let complaints: string[];

beforeEach(async () => {
  simulator = await start({ ui: true, stateSeconds: 0 });
  complaints = [];
  page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(simulator.pageUrl ?? "");
  await page.getByText("Live").waitFor();
});

afterEach(async () => {
  await page.close();
});

const widthOf = () => page.evaluate<number>("document.documentElement.scrollWidth");

test("the page follows the state of a pipe", async () => {
  const { id } = await createPipe(simulator, POSTGRES);
  const row = page.locator("#pipes tr.row", { hasText: "replica" });
  await row.getByText("Running", { exact: true }).waitFor();
  simulator.control.editPipe(id, { state: "Paused" });
  await row.getByText("Paused", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("the page opens a request by keyboard and a pipe by a click, and shows no secret", async () => {
  const secret = canary("password");
  const postgres = { ...POSTGRES.source.postgres, credentials: { username: "u", password: secret } };
  await createPipe(simulator, { ...POSTGRES, source: { postgres } });
  const request = page.getByRole("button", { name: "POST …/pipes" });
  await request.focus();
  await page.keyboard.press("Enter");
  await page.locator("#writes pre").nth(1).waitFor();
  expect(await request.getAttribute("aria-expanded")).toBe("true");
  await page.locator("#pipes tr.row", { hasText: "replica" }).click();
  expect(await page.locator("#pipes pre").innerText()).toContain('"host": "db.example"');
  expect(leaks({ html: await page.content() }, [secret])).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the page runs no text of a pipe, a request or a fault as HTML", async () => {
  simulator.control.seedPipes([{ ...KAFKA, name: HOSTILE, state: HOSTILE }]);
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 503, body: HOSTILE });
  await page.locator("#faults").getByText("listPipes").waitFor();
  expect(await listStatus(simulator)).toBe(503);
  await page.locator("#reads").getByText("fault: status").waitFor();
  await call(simulator, "POST", "/pipes", { name: HOSTILE, [HOSTILE]: HOSTILE });
  await page.locator("#pipes").getByText(HOSTILE).first().waitFor();
  expect(await page.locator("img, main script, iframe").count()).toBe(0);
  expect(await page.title()).toBe("Datapipes simulator");
  expect(await widthOf()).toBeLessThanOrEqual(800);
  expect(complaints).toEqual([]);
});
