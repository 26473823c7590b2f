import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";
import type { Simulator } from "../../../simulator/src/index";
import { canary, leaks } from "../../../testkit/canary";
import { chromiumOptions } from "../../../testkit/chromium";
import { onEnd } from "../../../testkit/started";
import { KAFKA, POSTGRES, call, createPipe, start } from "./client";

const WAIT_MS = 20_000;

const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title="run"</script>`;

let launched: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
  launched ??= chromiumOptions().then(async (options) => {
    const browser = await chromium.launch(options);
    onEnd(() => browser.close());
    return browser;
  });
  return launched;
}

const pages: Page[] = [];

/** An open page asks its simulator every second. */
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

interface Visit {
  page: Page;
  /** What the browser complained of: errors, and violations of the policy. */
  complaints: string[];
}

async function visit({ pageUrl = "" }: Simulator, options: BrowserContextOptions = {}): Promise<Visit> {
  const page = await (await launch()).newPage(options);
  pages.push(page);
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) =>
    complaints.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ""}`),
  );
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(pageUrl);
  await page.getByRole("heading", { name: "Last requests" }).waitFor();
  return { page, complaints };
}

test("the page says what to do while there is nothing, and that the simulator has stopped", async () => {
  const simulator = await start({ ui: true });
  const { page, complaints } = await visit(simulator);
  const text = await page.locator("main").innerText();
  expect(text).toContain(`DATAPIPES_BASE_URL=${simulator.url}`);
  expect(text).toContain("No requests yet");
  expect(text).toContain("No fault is active");
  expect(complaints).toEqual([]);
  expect((await page.getByRole("status").innerText()).trim()).toBe("Live");
  await simulator.close();
  await page.getByText("No connection").waitFor();
});

test("the page shows new pipes, states and requests by itself", async () => {
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const { page, complaints } = await visit(simulator);
  const pipe = await createPipe(simulator, KAFKA);
  const row = page.locator("#pipes tr", { hasText: "orders" });
  await row.getByText("Running", { exact: true }).waitFor();
  simulator.control.editPipe(pipe.id, { state: "Paused" });
  await row.getByText("Paused", { exact: true }).waitFor();
  await call(simulator, "GET", "/pipes/none");
  await page.locator("#requests tr.row", { hasText: "GET …/pipes/none" }).getByText("405").waitFor();
  simulator.control.deletePipe(pipe.id);
  await page.getByText("No pipes.").waitFor();
  expect(simulator.control.requests()).toHaveLength(2);
  expect(complaints).toEqual([]);
});

test("the page shows details by keyboard, and masks secrets in them", async () => {
  const secret = canary("password");
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const { page, complaints } = await visit(simulator);
  const credentials = { username: "u", password: secret };
  await createPipe(simulator, {
    ...POSTGRES,
    source: { postgres: { ...POSTGRES.source.postgres, credentials } },
  });
  const request = page.getByRole("button", { name: "POST …/pipes" });
  await request.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Answer 200").waitFor();
  expect(await request.getAttribute("aria-expanded")).toBe("true");
  await page.locator("#pipes").getByRole("button", { name: "replica" }).click();
  await page.locator("#pipes pre", { hasText: '"host": "db.example"' }).waitFor();
  expect(await page.locator("#requests pre").first().innerText()).toContain('"credentials": "[secret]"');
  expect(leaks({ html: await page.content(), text: await page.innerText("body") }, [secret])).toEqual([]);
  await page.keyboard.press("Enter");
  await page.locator("#pipes pre").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("a fault that the page switches on hits the next request, and goes", async () => {
  const simulator = await start({ ui: true });
  const { page, complaints } = await visit(simulator);
  await page.getByRole("combobox", { name: "Fault", exact: true }).selectOption("status");
  await page.getByRole("combobox", { name: "On", exact: true }).selectOption("listPipes");
  await page.getByRole("spinbutton", { name: "Status", exact: true }).fill("503");
  await page.getByRole("button", { name: "Switch on" }).click();
  const active = page.locator("#faults li", { hasText: "status on listPipes" });
  await active.waitFor();
  expect((await call(simulator, "GET", "/pipes")).status).toBe(503);
  await page.getByText("fault: status").waitFor();
  await active.waitFor({ state: "detached" });
  expect((await call(simulator, "GET", "/pipes")).status).toBe(200);

  await page.getByLabel("Until I remove it").check();
  await page.getByRole("button", { name: "Switch on" }).click();
  await active.getByText("every request until removed").waitFor();
  for (let request = 0; request < 3; request += 1)
    expect((await call(simulator, "GET", "/pipes")).status).toBe(503);
  await page.getByRole("button", { name: "Remove the fault status on listPipes" }).click();
  await page.getByText("No fault is active").waitFor();
  expect((await call(simulator, "GET", "/pipes")).status).toBe(200);
  expect(complaints).toEqual([]);
});

test("hostile names, states and paths are text, and no script runs", async () => {
  const simulator = await start({ ui: true, stateSeconds: 0 });
  const [pipe] = simulator.control.seedPipes([{ ...KAFKA, name: HOSTILE, state: HOSTILE }]);
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", { name: HOSTILE });
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, body: HOSTILE });
  simulator.control.fault({ operationId: "createPipe", kind: "redirect", location: HOSTILE, times: 3 });
  await call(simulator, "GET", "/pipes");
  await call(simulator, "POST", "/pipes", { name: HOSTILE, [HOSTILE]: HOSTILE });
  await call(simulator, "GET", `/pipes/${encodeURIComponent(HOSTILE)}`);
  const { page, complaints } = await visit(simulator);
  await page.locator("#pipes").getByRole("button", { name: HOSTILE }).click();
  await page.locator("#pipes pre").waitFor();
  for (const name of ["GET …/pipes", "POST …/pipes"])
    await page.locator("#requests").getByRole("button", { name, exact: true }).click();
  await page.locator("#requests pre").nth(1).waitFor();
  await page.getByRole("combobox", { name: "Fault", exact: true }).selectOption("incomplete-list");
  expect(await page.locator("select[name=pipeIds] option").allInnerTexts()).toEqual([HOSTILE]);
  expect(await page.locator("img, main script, iframe").count()).toBe(0);
  expect(await page.title()).toBe("Datapipes simulator");
  expect(await page.locator("#pipes pre").innerText()).toContain(pipe?.id);
  expect(complaints).toEqual([]);
});

test(`a field that control has made an object is text, even if it looks like a template`, async () => {
  const simulator = await start({ ui: true });
  const [pipe] = simulator.control.seedPipes([KAFKA]);
  const template = { _$litType$: 1, strings: [HOSTILE], values: [] };
  const all = { name: template, destination: { table: template }, source: [template] };
  simulator.control.editPipe(pipe?.id ?? "", all);
  simulator.control.editService(simulator.account.serviceIds[0] ?? "", { name: template });
  const { page, complaints } = await visit(simulator);
  await page.locator("#pipes").getByRole("button", { name: "litType" }).click();
  await page.locator("#pipes pre").waitFor();
  expect(await page.locator("#services th").allInnerTexts()).toContainEqual(
    expect.stringContaining("litType"),
  );
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the browser runs no script that is written into the page", async () => {
  const simulator = await start({ ui: true });
  const { page } = await visit(simulator);
  // The browser's debugger may call eval itself; what a timer calls runs under the policy of the page.
  const tried = (code: string): Promise<string> =>
    page.evaluate(`new Promise((resolve) => setTimeout(() => {
      try { ${code}; resolve("done"); } catch (error) { resolve(error.name); }
    }))`);
  const [evaluated, inserted] = [
    await tried("eval('1')"),
    await tried("document.body.innerHTML = '<b>text</b>'"),
  ];
  expect([evaluated, inserted]).toEqual(["EvalError", "TypeError"]);
});

test("the page scrolls as a whole, and opened JSON is shown with it", async () => {
  const simulator = await start({ ui: true });
  simulator.control.seedPipes(
    Array.from({ length: 40 }, (_, index) => ({ ...KAFKA, name: `pipe ${index}` })),
  );
  const { page } = await visit(simulator, { viewport: { width: 1200, height: 500 } });
  await page.locator("#pipes").getByRole("button", { name: "pipe 0" }).click();
  await page.locator("#pipes pre").waitFor();
  const hidden = await page.evaluate<number[]>(
    `[...document.querySelectorAll(".scroll")].map((pane) => pane.scrollHeight - pane.clientHeight)`,
  );
  expect(Math.max(...hidden)).toBe(0);
});

test("paths break between their parts, not inside of a word", async () => {
  const simulator = await start({ ui: true });
  const pipe = await createPipe(simulator, KAFKA);
  // The wide mark of the fault leaves little space for the path.
  simulator.control.fault({ operationId: "getPipeSettings", kind: "wrong-content-type" });
  await call(simulator, "GET", `/pipes/${pipe.id}/settings`);
  const { page } = await visit(simulator);
  const linesOfWord = `(() => {
    const texts = document.evaluate("//*[@id='requests']//span/text()[contains(., 'settings')]", document);
    const text = texts.iterateNext();
    const range = document.createRange();
    range.setStart(text, text.data.indexOf("settings"));
    range.setEnd(text, text.data.indexOf("settings") + "settings".length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  })()`;
  const lines: number[] = [];
  for (let width = 1100; width <= 1500; width += 10) {
    await page.setViewportSize({ width, height: 900 });
    lines.push(await page.evaluate<number>(linesOfWord));
  }
  expect(Math.max(...lines)).toBe(1);
});

test("an answer of 200 under a fault is marked with the fault, and is not green", async () => {
  const simulator = await start({ ui: true });
  const kinds = ["slow-body", "bad-json"] as const;
  for (const kind of kinds) {
    simulator.control.fault({ operationId: "listPipes", kind });
    await call(simulator, "GET", "/pipes").catch(() => undefined);
  }
  const { page } = await visit(simulator);
  for (const kind of kinds) {
    const row = page.locator("#requests tr.row", { hasText: `fault: ${kind}` });
    await row.waitFor();
    expect(await row.locator(".state").getAttribute("class")).toBe("state warn");
  }
});

test("the page fits into 800 pixels, in light and in dark mode", async () => {
  const simulator = await start({ ui: true });
  await createPipe(simulator, { ...KAFKA, name: `name-${"x".repeat(300)}` });
  const { page } = await visit(simulator, { viewport: { width: 800, height: 900 } });
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
