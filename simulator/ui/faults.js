import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

/** What the form has now. */
const draft = { kind: "status", always: false, error: undefined };

/** Members of a fault that its line states in words. */
const IN_WORDS = ["id", "kind", "operationId", "serviceId", "times", "after"];

/** @param {{ times?: number | "always", after?: number }} fault */
function howOften({ times = 1, after = 0 }) {
  const requests =
    times === "always"
      ? "every request until removed"
      : `next ${times === 1 ? "request" : `${times} requests`}`;
  return after === 0 ? requests : `${requests}, after ${after}`;
}

const chosen = (fault) =>
  Object.entries(fault)
    .filter(([name, value]) => !IN_WORDS.includes(name) && value !== false)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

const operationText = (operation) => (operation === "*" ? "any operation" : operation);

function activeFault(page, fault) {
  const serviceOf = (id) => page.overview.services.find((service) => service.id === id)?.name ?? id;
  const name = `${fault.kind} on ${operationText(fault.operationId)}`;
  const remove = async () => {
    draft.error = await page.act("DELETE", `faults/${fault.id}`);
    page.draw();
    document.getElementById("faults-heading").focus();
  };
  return html`<li>
    <span>
      <strong>${fault.kind}</strong> on <strong>${operationText(fault.operationId)}</strong>
      ${fault.serviceId === undefined ? nothing : html`in ${serviceOf(fault.serviceId)}`}
      <span class="quiet">${[howOften(fault), chosen(fault)].filter(Boolean).join(" · ")}</span>
    </span>
    <button @click=${remove} aria-label="Remove the fault ${name}">Remove</button>
  </li>`;
}

function fieldInput(page, { name, label, type, value }) {
  if (type === "pipes")
    return html`<label>
      ${label}
      <select name=${name} multiple required>
        ${page.overview.pipes.map((pipe) => html`<option value=${pipe.id}>${pipe.name}</option>`)}
      </select>
    </label>`;
  if (type === "checkbox")
    return html`<label class="check"><input type="checkbox" name=${name} /> ${label}</label>`;
  return html`<label
    >${label} <input name=${name} type=${type} .defaultValue=${String(value)} required
  /></label>`;
}

/** The fault that a form describes. */
function faultOf(form, { fields }) {
  const data = new FormData(form);
  const fault = { kind: data.get("kind"), operationId: data.get("operationId") };
  if (data.get("serviceId")) fault.serviceId = data.get("serviceId");
  fault.times = draft.always ? "always" : Number(data.get("times"));
  if (Number(data.get("after")) > 0) fault.after = Number(data.get("after"));
  for (const { name, type } of fields)
    if (type === "checkbox") fault[name] = data.get(name) !== null;
    else if (type === "pipes") fault[name] = data.getAll(name);
    else fault[name] = type === "number" ? Number(data.get(name)) : data.get(name);
  return fault;
}

function faultForm(page) {
  const { kinds, operations } = page.forms;
  const form = kinds[draft.kind];
  const add = async (event) => {
    event.preventDefault();
    draft.error = await page.act("POST", "faults", faultOf(event.currentTarget, form));
    page.draw();
  };
  const change = (field) => (event) => {
    draft[field] = event.target.type === "checkbox" ? event.target.checked : event.target.value;
    page.draw();
  };
  const targets =
    draft.kind === "incomplete-list" ? ["listPipes"] : ["*", ...operations.filter((name) => name !== "*")];
  return html`<form class="fault-form" @submit=${add}>
    <label>
      Fault
      <select name="kind" @change=${change("kind")}>
        ${Object.keys(kinds).map((kind) => html`<option ?selected=${kind === draft.kind}>${kind}</option>`)}
      </select>
    </label>
    <label>
      On
      <select name="operationId">
        ${targets.map((name) => html`<option value=${name}>${operationText(name)}</option>`)}
      </select>
    </label>
    ${
      page.overview.services.length < 2
        ? nothing
        : html`<label>
            Service
            <select name="serviceId">
              <option value="">any</option>
              ${page.overview.services.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
            </select>
          </label>`
    }
    <label>
      Requests
      <input name="times" type="number" min="1" value="1" ?disabled=${draft.always} required />
    </label>
    <label class="check">
      <input type="checkbox" name="always" .checked=${draft.always} @change=${change("always")} />
      Until I remove it
    </label>
    <label>Let pass first <input name="after" type="number" min="0" value="0" required /></label>
    ${repeat(
      form.fields,
      ({ name }) => `${draft.kind} ${name}`,
      (field) => fieldInput(page, field),
    )}
    <button class="main">Switch on</button>
    <p class="quiet">${draft.kind}: ${form.summary}</p>
    <p role="alert" class="error whole-line">${draft.error ?? nothing}</p>
  </form>`;
}

/** The active faults, and a form for another one. */
export function faultsSection(page) {
  const { faults } = page.overview;
  const clear = async () => {
    draft.error = await page.act("DELETE", "faults");
    page.draw();
  };
  return html`<section id="faults" aria-labelledby="faults-heading">
    <h2 id="faults-heading" tabindex="-1">
      Faults <span class="count">${faults.length}</span>
      ${faults.length < 2 ? nothing : html`<button class="right" @click=${clear}>Remove all</button>`}
    </h2>
    ${
      faults.length === 0
        ? html`<p class="empty">
            No fault is active. Switch one on, and it applies to the next matching request.
          </p>`
        : html`<ul class="faults">
            ${repeat(
              faults,
              ({ id }) => id,
              (fault) => activeFault(page, fault),
            )}
          </ul>`
    }
    ${faultForm(page)}
  </section>`;
}
