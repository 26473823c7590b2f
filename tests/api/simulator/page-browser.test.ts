import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { chromium } from "playwright-core";
import type { Simulator } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { chromiumOptions } from "../../../testkit/chromium";
import { onEnd } from "../../../testkit/started";
import { PAGE_MS } from "../../../testkit/timeouts";
import { KAFKA, POSTGRES, call, createPipe, listStatus, start } from "./client";

const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title="run"</script>`;

let browser: Browser;
let simulator: Simulator;
let page: Page;
/** What the browser complained of: errors, and violations of the policy. */
let complaints: string[];

beforeAll(async () => {
  browser = await chromium.launch(await chromiumOptions());
  onEnd(() => browser.close());
});

beforeEach(async () => {
  simulator = await start({ ui: true, stateSeconds: 0 });
  complaints = [];
});

/** An open page asks its simulator every second. */
afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

async function open(options: BrowserContextOptions = {}): Promise<void> {
  page = await browser.newPage(options);
  page.setDefaultTimeout(PAGE_MS);
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(simulator.pageUrl ?? "");
  await page.getByRole("heading", { name: "Last requests" }).waitFor();
}

const button = (name: string, within = "body"): Locator =>
  page.locator(within).getByRole("button", { name, exact: true });
const select = (name: string, option: string) =>
  page.getByRole("combobox", { name, exact: true }).selectOption(option);

async function openPipe(name: string): Promise<Locator> {
  await page.locator("#pipes").getByRole("button", { name }).click();
  const details = page.locator("#pipes pre");
  await details.waitFor();
  return details;
}

test("the page says what to do while there is nothing, and that the simulator has stopped", async () => {
  await open();
  const shown = await page.locator("main").innerText();
  for (const part of [`DATAPIPES_BASE_URL=${simulator.url}`, "No requests yet", "No fault is active"])
    expect(shown).toContain(part);
  expect((await page.getByRole("status").innerText()).trim()).toBe("Live");
  page.removeAllListeners();
  await simulator.close();
  await page.getByText("No connection").waitFor();
});

test("the page shows new pipes, states and requests by itself", async () => {
  await open();
  const { id } = await createPipe(simulator);
  const row = page.locator("#pipes tr", { hasText: "orders" });
  await row.getByText("Running", { exact: true }).waitFor();
  simulator.control.editPipe(id, { state: "Paused" });
  await row.getByText("Paused", { exact: true }).waitFor();
  await call(simulator, "GET", "/pipes/none");
  await page.locator("#requests tr.row", { hasText: "GET …/pipes/none" }).getByText("405").waitFor();
  simulator.control.deletePipe(id);
  await page.getByText("No pipes.").waitFor();
  expect(simulator.control.requests()).toHaveLength(2);
});

test("the page shows details by keyboard, and masks secrets in them", async () => {
  const secret = canary("password");
  const postgres = { ...POSTGRES.source.postgres, credentials: { username: "u", password: secret } };
  await open();
  await createPipe(simulator, { ...POSTGRES, source: { postgres } });
  const request = page.getByRole("button", { name: "POST …/pipes" });
  await request.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Answer 200").waitFor();
  expect(await request.getAttribute("aria-expanded")).toBe("true");
  const details = await openPipe("replica");
  expect(await details.innerText()).toContain('"host": "db.example"');
  expect(await page.locator("#requests pre").first().innerText()).toContain('"credentials": "[secret]"');
  expect(leaks({ html: await page.content(), text: await page.innerText("body") }, [secret])).toEqual([]);
  await page.keyboard.press("Enter");
  await details.waitFor({ state: "detached" });
});

test("the page filters pipes and requests by what they show, also those that come later", async () => {
  const { id } = await createPipe(simulator);
  await createPipe(simulator, POSTGRES);
  simulator.control.editPipe(id, { state: "Failed" });
  await open();
  const shown = (table: string) => page.locator(`#${table} tr.row th`).allInnerTexts();
  const filter = (table: string, text: string) =>
    page.getByLabel(`Filter ${table}`, { exact: true }).fill(text);
  const count = (table: string, text: string) =>
    page.locator(`#${table} .count`).getByText(text, { exact: true }).waitFor();
  await filter("pipes", "failed");
  await count("pipes", "1 of 2");
  expect(await shown("pipes")).toEqual(["orders"]);
  await filter("pipes", "POSTGRES repl");
  await page.locator("#pipes tr.row", { hasText: "replica" }).waitFor();
  expect(await shown("pipes")).toEqual(["replica"]);
  await filter("pipes", "postgres failed");
  await page.getByText("None of 2 has postgres and failed.").waitFor();
  await filter("pipes", "");
  await count("pipes", "2");
  await filter("requests", "listpipes");
  await page.getByText("None of 2 has listpipes.").waitFor();
  await listStatus(simulator);
  await count("requests", "1 of 3");
  expect(await shown("requests")).toEqual(["GET …/pipes"]);
});

test("a fault that the page switches on hits the next request, and goes, or stays until it is removed", async () => {
  await open();
  await select("Fault", "status");
  await select("On", "listPipes");
  await page.getByRole("spinbutton", { name: "Status", exact: true }).fill("503");
  await button("Switch on").click();
  const active = page.locator("#faults li", { hasText: "status on listPipes" });
  await active.waitFor();
  expect(await listStatus(simulator)).toBe(503);
  await page.getByText("fault: status").waitFor();
  await active.waitFor({ state: "detached" });
  expect(await listStatus(simulator)).toBe(200);

  await page.getByLabel("Until I remove it").check();
  await button("Switch on").click();
  await active.getByText("every request until removed").waitFor();
  for (const status of [503, 503, 503]) expect(await listStatus(simulator)).toBe(status);
  await button("Remove the fault status on listPipes").click();
  await page.getByText("No fault is active").waitFor();
  expect(await listStatus(simulator)).toBe(200);
});

test("hostile names, states, paths and what looks like a template are text, and no script runs", async () => {
  const { control } = simulator;
  const [pipe, edited] = control.seedPipes([{ ...KAFKA, name: HOSTILE, state: HOSTILE }, KAFKA]);
  const template = { _$litType$: 1, strings: [HOSTILE], values: [] };
  const elsewhere = { destination: { table: template }, source: [template] };
  control.editPipe(edited?.id ?? "", { name: template, ...elsewhere });
  control.editService(simulator.account.serviceIds[0] ?? "", { name: HOSTILE });
  control.fault({ operationId: "listPipes", kind: "status", status: 500, body: HOSTILE });
  control.fault({ operationId: "createPipe", kind: "redirect", location: HOSTILE, times: 3 });
  await listStatus(simulator);
  await call(simulator, "POST", "/pipes", { name: HOSTILE, [HOSTILE]: HOSTILE });
  await call(simulator, "GET", `/pipes/${encodeURIComponent(HOSTILE)}`);
  await open();
  expect(await (await openPipe(HOSTILE)).innerText()).toContain(pipe?.id);
  for (const name of ["GET …/pipes", "POST …/pipes"]) await button(name, "#requests").click();
  await page.locator("#requests pre").nth(1).waitFor();
  await select("Fault", "incomplete-list");
  expect(await page.locator("select[name=pipeIds] option").allInnerTexts()).toEqual([
    HOSTILE,
    JSON.stringify(template),
  ]);
  await button(JSON.stringify(template), "#pipes").click();
  await page.locator("#pipes pre").nth(1).waitFor();
  expect(await page.locator("img, main script, iframe").count()).toBe(0);
  expect(await page.title()).toBe("Datapipes simulator");
});

test("the page fits into 800 pixels, in light and in dark mode", async () => {
  await createPipe(simulator, { ...KAFKA, name: `name-${"x".repeat(300)}` });
  await open({ viewport: { width: 800, height: 900 } });
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
});
