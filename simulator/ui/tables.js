import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { exchange, record } from "./details.js";

const KIND_OF_STATE = {
  ok: ["Running", "Ready", "Completed"],
  busy: ["Provisioning", "Setup", "Snapshot", "Modifying", "PendingAcceptance"],
  warn: ["Paused", "Stopped"],
  bad: ["Failed", "Rejected"],
};

const kindOfState = (state) =>
  Object.keys(KIND_OF_STATE).find((kind) => KIND_OF_STATE[kind].includes(state)) ?? "";

/** A fault can change a response of 200, for example to a body that is slow or not JSON. */
function kindOfStatus({ status, durationMs, fault }) {
  if (status === 0) return durationMs === null ? "busy" : "bad";
  if (status >= 500) return "bad";
  return status >= 300 || fault !== null ? "warn" : "ok";
}

const state = (text, kind) => html`<span class="state ${kind}">${text}</span>`;

/** A table whose rows open their details. `columns` have a heading, a class and the cell of an item. */
function table(page, { collection, items, idOf, columns, details }) {
  const row = (item) => {
    const key = `${collection}/${idOf(item)}`;
    const isOpen = page.details.has(key);
    const shown = page.details.get(key);
    const cell = ({ cell: content, width = "" }, index) =>
      index === 0
        ? html`<th scope="row" class=${width}>
            <button class="open" aria-expanded=${isOpen}>${content(item)}</button>
          </th>`
        : html`<td class=${width}>${content(item)}</td>`;
    return html`
      <tr class=${isOpen ? "row opened" : "row"} @click=${() => page.toggle(key)}>
        ${columns.map(cell)}
      </tr>
      ${
        isOpen
          ? html`<tr class="details">
              <td colspan=${columns.length}>${shown === undefined ? "Loading …" : details(shown)}</td>
            </tr>`
          : nothing
      }
    `;
  };
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${columns.map(({ heading, width = "" }) => html`<th scope="col" class=${width}>${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${repeat(items, idOf, row)}
      </tbody>
    </table>
  </div>`;
}

const section = (id, heading, count, content, filter = undefined) => html`
  <section id=${id} aria-labelledby="${id}-heading">
    <div class="head">
      <h2 id="${id}-heading">${heading} <span class="count">${count}</span></h2>
      ${filter}
    </div>
    ${content}
  </section>
`;

/** What people have typed to filter a table, by collection. */
const filters = new Map();

/** A section with a table of the items that have all words of its filter in one of their texts, in any case. */
function filteredSection(page, { id, heading, textsOf, suggestions, empty, ...all }) {
  const { items, idOf, columns, details } = all;
  if (items.length === 0) return section(id, heading, 0, html`<p class="empty">${empty}</p>`);
  const words = (filters.get(id) ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const hasWords = (item) => {
    const text = textsOf(item).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = items.filter(hasWords);
  const change = ({ currentTarget }) => {
    filters.set(id, currentTarget.value);
    page.draw();
  };
  const filter = html`<input
      type="search"
      class="filter"
      aria-label="Filter ${id}"
      placeholder="Filter"
      list="${id}-suggestions"
      autocomplete="off"
      @input=${change}
    />
    <datalist id="${id}-suggestions">
      ${[...new Set(items.map(suggestions))].map((text) => html`<option value=${text}></option>`)}
    </datalist>`;
  const content =
    shown.length === 0
      ? html`<p class="empty">None of ${items.length} has ${words.join(" and ")}.</p>`
      : table(page, { collection: id, items: shown, idOf, columns, details });
  const count = shown.length === items.length ? items.length : `${shown.length} of ${items.length}`;
  return section(id, heading, count, content, filter);
}

/** A text that may break before capitals and after dots, and nowhere else; or where the pattern says. */
const breakable = (text, where = /(?<=\.)|(?=[A-Z])/) =>
  text.split(where).map((part, index) => (index === 0 ? part : html`<wbr />${part}`));

const byId = ({ id }) => id;

/** A column that only several services need. */
function serviceColumn({ overview }) {
  if (overview.services.length < 2) return [];
  const nameOf = ({ serviceId }) => overview.services.find(({ id }) => id === serviceId)?.name ?? serviceId;
  return [{ heading: "Service", cell: nameOf }];
}

export function pipesSection(page) {
  const items = page.overview.pipes;
  const columns = [
    { heading: "Name", cell: ({ name }) => name, width: "wide" },
    { heading: "State", cell: (pipe) => state(pipe.state, kindOfState(pipe.state)) },
    { heading: "Source", cell: ({ source }) => source, width: "fixed" },
    { heading: "Destination", cell: ({ destination }) => breakable(destination) },
    ...serviceColumn(page),
  ];
  return filteredSection(page, {
    id: "pipes",
    heading: "Pipes",
    items,
    idOf: byId,
    columns,
    details: (shown) => record(page, "pipes", shown),
    textsOf: ({ id, name, state: text, source, destination }) => [id, name, text, source, destination],
    suggestions: ({ state: text }) => text,
    empty: html`No pipes. Set <code>DATAPIPES_BASE_URL=${location.origin}</code>, then run
      <code>pulumi up</code> with a program that declares a pipe.`,
  });
}

export function endpointsSection(page) {
  const items = page.overview.endpoints;
  const columns = [
    { heading: "Description", cell: ({ description }) => description, width: "wide" },
    { heading: "Status", cell: ({ status }) => state(status, kindOfState(status)) },
    { heading: "Type", cell: ({ type }) => type, width: "wide" },
    ...serviceColumn(page),
  ];
  const details = (shown) => record(page, "endpoints", shown);
  const content =
    items.length === 0
      ? html`<p class="empty">
          None. A program that declares a <code>ReversePrivateEndpoint</code> creates one.
        </p>`
      : table(page, { collection: "endpoints", items, idOf: byId, columns, details });
  return section("endpoints", "Reverse private endpoints", items.length, content);
}

export function servicesSection(page) {
  const items = page.overview.services;
  const columns = [
    { heading: "Name", cell: ({ name }) => name, width: "wide" },
    { heading: "Pipes", cell: ({ pipes }) => pipes, width: "number" },
    { heading: "Id", cell: ({ id }) => html`<code>${id}</code>` },
  ];
  const details = (shown) => record(page, "services", shown);
  const content =
    items.length === 0
      ? html`<p class="empty">No services: control has deleted them. A reset brings them back.</p>`
      : table(page, { collection: "services", items, idOf: byId, columns, details });
  return section("services", "Services", items.length, content);
}

const UUID = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The path below the service, which most requests have in common, with the first letters of ids. */
const shortPath = (path) =>
  path.replace(/^\/v1\/organizations\/[^/]+\/services\/[^/]+(?=\/)/, "…").replace(UUID, "$1…");

const timeOf = ({ at }) => new Date(at).toLocaleTimeString([], { hour12: false });

const statusText = ({ status, outcome }) => (status === 0 ? outcome.replace(/:.*/, "") : status);

const statusCell = (request) => html`
  ${state(statusText(request), kindOfStatus(request))}
  ${request.fault === null ? nothing : html`<span class="fault">fault: ${request.fault}</span>`}
`;

const requestName = ({ method, path }) =>
  html`<span class="method">${method}</span>
    <span title=${path}>${breakable(shortPath(path), /(?=\/)/)}</span>`;

export function requestsSection(page) {
  const items = page.overview.requests;
  const columns = [
    { heading: "Request", cell: requestName, width: "wide" },
    { heading: "Operation", cell: ({ operationId }) => breakable(operationId ?? "none"), width: "operation" },
    { heading: "Status", cell: statusCell },
    { heading: "ms", cell: ({ durationMs }) => durationMs ?? "", width: "number" },
    { heading: "Time", cell: timeOf, width: "number" },
  ];
  return filteredSection(page, {
    id: "requests",
    heading: "Last requests",
    items,
    idOf: ({ sequence }) => sequence,
    columns,
    details: exchange,
    textsOf: (request) => [
      `${request.method} ${request.path}`,
      request.operationId ?? "",
      statusText(request),
      request.fault === null ? "" : `fault: ${request.fault}`,
    ],
    suggestions: ({ operationId }) => operationId ?? "none",
    empty: "No requests yet. Each request to the API shows here, the newest first.",
  });
}
