import { html, nothing } from "lit-html";

/** States that the simulator knows; the API allows any. */
const STATES = {
  pipes: ["Running", "Paused", "Stopped", "Failed", "Completed"],
  endpoints: ["Ready", "Provisioning", "PendingAcceptance", "Failed"],
};
const FIELD = { pipes: "state", endpoints: "status" };

const errors = new Map();

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const block = (label, value, none) => html`
  <div class="block">
    <h3>${label}</h3>
    ${value === null ? html`<p class="empty">${none}</p>` : html`<pre tabindex="0">${asText(value)}</pre>`}
  </div>
`;

const fact = (label, value) =>
  value === null || value === undefined
    ? nothing
    : html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`;

function answerLabel({ status, outcome }) {
  return status === 0 ? `Answer (${outcome})` : `Answer ${status}`;
}

/** A request with its body and its answer. */
export const exchange = (details) => html`
  <dl>
    ${fact("Path", details.path)} ${fact("Fault", details.fault)} ${fact("Request id", details.requestId)}
    ${fact("Client", details.userAgent)}
  </dl>
  <div class="blocks">
    ${block("Request body", details.body, "No JSON body.")}
    ${block(answerLabel(details), details.answer, "No body.")}
  </div>
`;

/** A form that sets the state without a request to the API. */
function stateForm(page, collection, details) {
  const field = FIELD[collection];
  const key = `${collection}/${details.id}`;
  const set = async (event) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get("value");
    errors.set(key, await page.act("POST", key, { [field]: value }));
    page.draw();
  };
  return html`<form class="inline" @submit=${set}>
    <label>
      Set the ${field} to
      <input name="value" required list="states-${key}" autocomplete="off" />
    </label>
    <datalist id="states-${key}">
      ${STATES[collection].map((state) => html`<option value=${state}></option>`)}
    </datalist>
    <button>Set</button>
    <span role="alert" class="error">${errors.get(key) ?? nothing}</span>
  </form>`;
}

/** A pipe, an endpoint or a service as it is now. */
export const record = (page, collection, details) => html`
  ${collection in FIELD ? stateForm(page, collection, details) : nothing}
  <pre tabindex="0">${asText(details)}</pre>
`;
