const POLL_MS = 1000;

const KIND_OF_STATE = {
  ok: ["Running", "Ready", "Completed"],
  busy: ["Provisioning", "Setup", "Snapshot", "Modifying", "PendingAcceptance"],
  warn: ["Paused", "Stopped"],
  bad: ["Failed", "InternalError", "Rejected"],
};

/** Control can make anything of a field. */
const asText = (value) =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** An element with texts and elements in it. A text is never HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (child instanceof Node ? child : asText(child))));
  return made;
}

/** @returns {any} */
const byId = (id) => document.getElementById(id);

function stateMark(text) {
  const kind = Object.keys(KIND_OF_STATE).find((each) => KIND_OF_STATE[each].includes(text)) ?? "";
  return element("span", { class: `state ${kind}` }, text);
}

/** A fault can change an answer of 200, for example to a body that is slow or not JSON. */
function kindOfStatus({ status, fault }) {
  if (status === "pending") return "busy";
  if (typeof status === "string" || status >= 500) return "bad";
  return status >= 300 || fault !== undefined ? "warn" : "ok";
}

const statusMarks = (request) => [
  element("span", { class: `state ${kindOfStatus(request)}` }, request.status),
  ...(request.fault === undefined ? [] : [element("span", { class: "fault" }, `fault: ${request.fault}`)]),
];

const UUID = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The path below the service, which most requests have in common, with the first letters of ids. */
const shortPath = (path) =>
  path.replace(/^\/v1\/organizations\/[^/]+\/services\/[^/]+(?=\/)/, "…").replace(UUID, "$1…");

const timeOf = (at) => new Date(at).toLocaleTimeString([], { hour12: false });

const requests = (heading, empty) => ({
  heading,
  column: "right",
  details: "requests",
  empty,
  columns: {
    Request: ({ method, path }) => [
      element("b", {}, method),
      " ",
      element("span", { title: path }, shortPath(path)),
    ],
    Operation: ({ operationId }) => [operationId ?? "none"],
    Status: statusMarks,
    ms: ({ durationMs }) => [durationMs],
    Time: ({ at }) => [timeOf(at)],
  },
});

const TABLES = {
  pipes: {
    heading: "Pipes",
    column: "left",
    details: "pipes",
    empty: `No pipes. Set DATAPIPES_BASE_URL=${location.origin}, then run pulumi up with a program that declares a pipe.`,
    columns: {
      Name: ({ name }) => [name],
      State: ({ state }) => [stateMark(state)],
      Source: ({ source }) => [source],
      Destination: ({ destination }) => [destination.map(asText).filter(Boolean).join(".")],
    },
  },
  endpoints: {
    heading: "Reverse private endpoints",
    column: "left",
    details: "endpoints",
    empty: "None. A program that declares a ReversePrivateEndpoint creates one.",
    columns: {
      Description: ({ description, id }) => [description || id],
      Status: ({ status }) => [stateMark(status)],
      Type: ({ type }) => [type],
    },
  },
  services: {
    heading: "Services",
    column: "left",
    details: "services",
    empty: "No services: the control path deleted them. A reset restores them.",
    columns: { Name: ({ name }) => [name], Pipes: ({ pipes }) => [pipes], Id: ({ id }) => [id] },
  },
  faults: {
    heading: "Faults",
    column: "left",
    details: undefined,
    empty: "No active faults. Add faults with the control path.",
    columns: {
      Fault: ({ kind }) => [kind],
      Operation: ({ operationId }) => [operationId === "*" ? "any" : operationId],
      Requests: ({ times }) => [times === "always" ? "every request" : `next ${times}`],
    },
  },
  writes: requests("Requests that write", "None yet. The newest is the first."),
  reads: requests("Requests that read", "None yet. The newest is the first."),
};

const COLUMNS_OF_NUMBERS = ["ms", "Time", "Pipes"];
const classOf = (heading) => (COLUMNS_OF_NUMBERS.includes(heading) ? "number" : "");

let overview;
let tag;
let timer;
/** The details that are open, by path; undefined until they are there. */
const opened = new Map();

function buildTables() {
  for (const [id, { heading, column, columns }] of Object.entries(TABLES)) {
    const heads = Object.keys(columns).map((name) =>
      element("th", { scope: "col", class: classOf(name) }, name),
    );
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody"));
    const title = element("h2", { id: `${id}-heading` }, `${heading} `, element("span", { class: "count" }));
    const parts = [title, element("p", { class: "empty" }), element("div", { class: "scroll" }, table)];
    byId(column).append(element("section", { id, "aria-labelledby": `${id}-heading` }, ...parts));
  }
}

const pre = (value) =>
  element("pre", { tabindex: "0" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));

const block = (label, value) =>
  element(
    "div",
    {},
    element("h3", {}, label),
    value === null ? element("p", { class: "empty" }, "None.") : pre(value),
  );

/** A request with its body and its answer, or a record as it is. */
function detailsOf(path, shown) {
  if (shown === undefined) return ["Loading …"];
  if (!path.startsWith("requests/")) return [pre(shown)];
  const { body, answer, ...facts } = shown;
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const line = known.map(([name, value]) => `${name}: ${value}`).join(" · ");
  const blocks = element("div", { class: "blocks" }, block("Request body", body), block("Answer", answer));
  return [element("p", { class: "empty" }, line), blocks];
}

function rowsOf(item, { columns, details }) {
  const path = `${details}/${item.sequence ?? item.id}`;
  const isOpen = opened.has(path);
  const cells = Object.entries(columns).map(([heading, cell], index) => {
    const content = cell(item);
    if (index > 0) return element("td", { class: classOf(heading) }, ...content);
    if (details === undefined) return element("th", { scope: "row" }, ...content);
    const button = element(
      "button",
      { class: "open", "aria-expanded": isOpen, "data-path": path },
      ...content,
    );
    return element("th", { scope: "row" }, button);
  });
  const row = element("tr", { class: `row${isOpen ? " opened" : ""}` }, ...cells);
  if (details === undefined) return [row];
  row.addEventListener("click", () => void toggle(path));
  if (!isOpen) return [row];
  const cell = element("td", { colspan: cells.length }, ...detailsOf(path, opened.get(path)));
  return [row, element("tr", { class: "details" }, cell)];
}

/** Draws the rows that have all words of the filter in what they show. */
function draw() {
  const focused = document.activeElement?.getAttribute("data-path");
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const [id, table] of Object.entries(TABLES)) {
    const items = overview[id].filter((item) => {
      const text = JSON.stringify(item).toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const all = overview[id].length;
    const section = byId(id);
    section.querySelector("tbody").replaceChildren(...items.flatMap((item) => rowsOf(item, table)));
    section.querySelector(".count").textContent =
      items.length === all ? `${all}` : `${items.length} of ${all}`;
    section.querySelector(".scroll").hidden = items.length === 0;
    section.querySelector(".empty").hidden = items.length > 0;
    section.querySelector(".empty").textContent = all === 0 ? table.empty : "No rows match the filter.";
  }
  /** @type {HTMLElement | null} */
  const again = document.querySelector(`[data-path="${focused}"]`);
  if (focused) again?.focus();
}

async function get(path, headers = {}) {
  return fetch(`/ui/data${path}`, { headers, cache: "no-store" });
}

/** Loads open details; what does not exist any more is closed. */
async function loadDetails(path) {
  const response = await get(`/${path}`);
  const details = response.ok ? await response.json() : undefined;
  if (details === undefined) opened.delete(path);
  else if (opened.has(path)) opened.set(path, details);
}

async function toggle(path) {
  if (!opened.delete(path)) opened.set(path, undefined);
  draw();
  if (opened.has(path)) await loadDetails(path).then(draw, () => opened.delete(path));
}

async function update() {
  const response = await get("", tag === undefined ? {} : { "if-none-match": tag });
  if (response.status === 304) return;
  overview = await response.json();
  await Promise.all([...opened.keys()].map(loadDetails));
  draw();
  // Only now: after a failure the next poll asks for everything again.
  tag = response.headers.get("etag");
}

function showConnection(isConnected) {
  const mark = element(
    "span",
    { class: `state ${isConnected ? "ok" : "bad"}` },
    isConnected ? "Live" : "No connection",
  );
  // Screen readers announce the state when it changes, and not the time of each second.
  if (byId("status").textContent !== mark.textContent) byId("status").replaceChildren(mark);
  byId("updated").textContent = isConnected
    ? `updated ${timeOf(Date.now())}`
    : "The simulator does not respond.";
}

/** Asks for changes, and again after a second. No timer runs while the page is hidden. */
async function poll() {
  clearTimeout(timer);
  await update().then(
    () => showConnection(true),
    () => {
      tag = undefined;
      showConnection(false);
    },
  );
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, POLL_MS);
}

byId("origin").textContent = location.origin;
byId("filter").addEventListener("input", () => overview && draw());
document.addEventListener("visibilitychange", () => !document.hidden && void poll());
buildTables();
void poll();
