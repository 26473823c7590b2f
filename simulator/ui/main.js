import { html, render } from "lit-html";
import { faultsSection } from "./faults.js";
import { endpointsSection, pipesSection, requestsSection, servicesSection } from "./tables.js";

const POLL_MS = 1000;

/** Everything that the page shows. */
const page = {
  /** What the simulator has; undefined until the first answer. */
  overview: undefined,
  forms: undefined,
  /** The details that are open, by collection and id; undefined until they are there. */
  details: new Map(),
  isConnected: true,
  updatedAt: undefined,
  draw,
  act,
  toggle,
};

let tag;
let timer;
let isPolling = false;

/** The answer to a request for data; undefined if the page has it already. */
async function get(path, headers = {}) {
  const response = await fetch(`/ui/data${path}`, { headers, cache: "no-store" });
  if (response.ok) return response;
  // A browser reports a request as failed if nobody reads its answer.
  await response.text();
  if (response.status === 304) return undefined;
  throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
}

/** Loads open details again; what does not exist any more is closed. */
async function loadDetails(key) {
  try {
    const details = await (await get(`/${key}`)).json();
    if (page.details.has(key)) page.details.set(key, details);
  } catch (error) {
    if (error.status === undefined) throw error;
    page.details.delete(key);
  }
}

async function update() {
  const response = await get("", tag === undefined ? {} : { "if-none-match": tag });
  page.forms ??= await (await get("/fault-forms")).json();
  if (response === undefined) return;
  page.overview = await response.json();
  await Promise.all([...page.details.keys()].map(loadDetails));
  // Only now: after a failure the next poll asks for everything again.
  tag = response.headers.get("etag");
}

/** Asks for changes, and again after a second. No timer runs while the page is hidden. */
async function poll() {
  if (isPolling) return;
  isPolling = true;
  clearTimeout(timer);
  try {
    await update();
    page.isConnected = true;
    page.updatedAt = new Date();
  } catch {
    page.isConnected = false;
    tag = undefined;
  }
  isPolling = false;
  draw();
  if (!document.hidden) timer = setTimeout(poll, POLL_MS);
}

/** Sends a change; returns the text of its error, if it has one. */
async function act(method, path, body) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  try {
    const response = await fetch(`/ui/data/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()).error;
  } catch {
    return "The simulator does not answer.";
  } finally {
    await poll();
  }
}

/** Opens or closes the details of a row. */
async function toggle(key) {
  if (page.details.delete(key)) {
    draw();
    return;
  }
  page.details.set(key, undefined);
  draw();
  await loadDetails(key).catch(() => page.details.delete(key));
  draw();
}

/** Screen readers announce the state when it changes, and not the time of each second. */
const connection = () => html`
  <p class="connection">
    <span role="status">
      ${
        page.isConnected
          ? html`<span class="state ok">Live</span>`
          : html`<span class="state bad">No connection</span> The simulator does not answer. Trying again.`
      }
    </span>
    ${page.isConnected && page.updatedAt !== undefined ? `updated ${page.updatedAt.toLocaleTimeString([], { hour12: false })}` : ""}
  </p>
`;

const view = () => html`
  <header>
    <h1>Datapipes simulator</h1>
    <code>${location.origin}</code>
    ${connection()}
  </header>
  ${
    page.overview === undefined || page.forms === undefined
      ? html`<p class="empty">Loading …</p>`
      : html`<main>
          <div class="column">
            ${pipesSection(page)} ${faultsSection(page)} ${endpointsSection(page)} ${servicesSection(page)}
          </div>
          <div class="column">${requestsSection(page)}</div>
        </main>`
  }
`;

function draw() {
  render(view(), document.body);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void poll();
});
void poll();
