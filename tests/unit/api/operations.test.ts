import * as operations from "../../../provider/src/api/operations";
import type { Operation } from "../../../provider/src/api/operations";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const service = "/v1/organizations/org/services/ser%2Fvice";
const edit = { ipAccessList: { add: [] } };

const PIPES = `${service}/pipes`;
const ENDPOINTS = `${service}/pipesReversePrivateEndpoints`;
const ANY = "any-failure";
const RATE_LIMIT = "rate-limit";
const LISTS = "list the pipes of service ser/vice";
const BACKUPS = "list the backups of service ser/vice";
const SETTINGS = "read the settings of pipe a/b";
const NAMED = { name: 'o"p' };

test.each<[Operation, name: string, attempt: string, request: string, retryOn: string, body?: object]>([
  [
    operations.createPipe(scope, NAMED),
    "createPipe",
    'create pipe "o\\"p"',
    `POST ${PIPES}`,
    "not-received",
    NAMED,
  ],
  [operations.createPipe(scope, {}), "createPipe", "create pipe", `POST ${PIPES}`, "not-received", {}],
  [
    operations.updatePipe(scope, "a/b", NAMED),
    "updatePipe",
    "update pipe a/b",
    `PATCH ${PIPES}/a%2Fb`,
    ANY,
    NAMED,
  ],
  [operations.listPipes(scope), "listPipes", LISTS, `GET ${PIPES}`, ANY],
  [operations.getPipeSettings(scope, "a/b"), "getPipeSettings", SETTINGS, `GET ${PIPES}/a%2Fb/settings`, ANY],
  [
    operations.updateService(scope, edit),
    "updateService",
    "update service ser/vice",
    `PATCH ${service}`,
    RATE_LIMIT,
    edit,
  ],
  [operations.listBackups(scope), "listBackups", BACKUPS, `GET ${service}/backups`, ANY],
  [operations.deletePipe(scope, "a/b"), "deletePipe", "delete pipe a/b", `DELETE ${PIPES}/a%2Fb`, ANY],
  [
    operations.createReversePrivateEndpoint(scope, { description: undefined, ...edit }),
    "createReversePrivateEndpoint",
    "create reverse private endpoint",
    `POST ${ENDPOINTS}`,
    RATE_LIMIT,
    edit,
  ],
  [
    operations.deleteReversePrivateEndpoint(scope, "a/b"),
    "deleteReversePrivateEndpoint",
    "delete reverse private endpoint a/b",
    `DELETE ${ENDPOINTS}/a%2Fb`,
    ANY,
  ],
])("$name sends this request", (...row) => {
  const [operation, name, attempt, request, retryOn, body] = row;
  const [method, path] = request.split(" ");
  expect(operation).toEqual({ name, attempt, method, path, retryOn, ...(body && { body }) });
});

test.each<[unknown, retryOn: Operation["retryOn"]]>([
  [{}, "any-failure"],
  [{ name: "add", source: { kafka: null, list: ["remove"] } }, "any-failure"],
  [undefined, "any-failure"],
  [{ ipAccessList: { remove: [] }, name: "x" }, "rate-limit"],
  [{ ipAccessList: { add: [] }, name: "x" }, "rate-limit"],
  [{ source: { postgres: { tableMappingsToAdd: [], host: "h" } } }, "rate-limit"],
  [{ source: { postgres: { tableMappingsToRemove: [], host: "h" } } }, "rate-limit"],
  [{ transparentDataEncryptionKeyId: "k", name: "x" }, "rate-limit"],
])("retries an update of %j on %s", (body, retryOn) => {
  expect(operations.updatePipe(scope, "p", body).retryOn).toBe(retryOn);
  expect(operations.updateService(scope, body).retryOn).toBe(retryOn);
});

const PIPE = "…/services/ser%2Fvice/pipes/…";
const ENDPOINT = "…/services/ser%2Fvice/pipesReversePrivateEndpoints";
const LONG = { description: "d".repeat(41) };
const CREATED = `create reverse private endpoint "${"d".repeat(40)}…"`;
const DELETED = 'delete reverse private endpoint "to it" (e1)';

test.each<[Operation, attempt: string, line: string]>([
  [operations.updatePipe(scope, "a1", {}, "orders"), 'update pipe "orders" (a1)', `PATCH ${PIPE}`],
  [operations.deletePipe(scope, "a1", "orders"), 'delete pipe "orders" (a1)', `DELETE ${PIPE}`],
  [operations.updatePipe(scope, "a1", {}, ""), "update pipe a1", `PATCH ${PIPE}`],
  [operations.createReversePrivateEndpoint(scope, LONG), CREATED, `POST ${ENDPOINT}`],
  [operations.deleteReversePrivateEndpoint(scope, "e1", "to it"), DELETED, `DELETE ${ENDPOINT}/…`],
])("$name has the name of its target where the provider knows it", (operation, attempt, line) => {
  expect(operation.attempt).toBe(attempt);
  expect(operations.requestLine(operation)).toBe(line);
});

test("the key of a service depends on both ids, and not on their case", () => {
  expect(operations.scopeKey({ organizationId: "A", serviceId: "b" })).toBe(
    operations.scopeKey({ organizationId: "a", serviceId: "B" }),
  );
  expect(operations.scopeKey({ organizationId: "a", serviceId: "c" })).not.toBe(
    operations.scopeKey({ organizationId: "a", serviceId: "b" }),
  );
});
