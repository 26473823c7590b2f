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

const section = (id, heading, count, content) => html`
  <section id=${id} aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading} <span class="count">${count}</span></h2>
    ${content}
  </section>
`;

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
  const details = (shown) => record(page, "pipes", shown);
  const content =
    items.length === 0
      ? html`<p class="empty">
          No pipes. Set <code>DATAPIPES_BASE_URL=${location.origin}</code>, then run
          <code>pulumi up</code> with a program that declares a pipe.
        </p>`
      : table(page, { collection: "pipes", items, idOf: byId, columns, details });
  return section("pipes", "Pipes", items.length, content);
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
  const idOf = ({ sequence }) => sequence;
  const content =
    items.length === 0
      ? html`<p class="empty">No requests yet. Each request to the API shows here, the newest first.</p>`
      : table(page, { collection: "requests", items, idOf, columns, details: exchange });
  return section("requests", "Last requests", items.length, content);
}
