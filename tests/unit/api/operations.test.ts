import * as operations from "../../../provider/src/api/operations";
import type { Operation } from "../../../provider/src/api/operations";

const scope = { organizationId: "org", serviceId: "ser/vice" };
const service = "/v1/organizations/org/services/ser%2Fvice";
const edit = { ipAccessList: { add: [] } };

test.each<[Operation, Operation]>([
  [
    operations.createPipe(scope, { name: 'o"p' }),
    {
      name: "createPipe",
      attempt: 'create pipe "o\\"p"',
      method: "POST",
      path: `${service}/pipes`,
      body: { name: 'o"p' },
      repeatable: "when-unseen",
    },
  ],
  [
    operations.createPipe(scope, {}),
    {
      name: "createPipe",
      attempt: "create pipe",
      method: "POST",
      path: `${service}/pipes`,
      body: {},
      repeatable: "when-unseen",
    },
  ],
  [
    operations.updatePipe(scope, "a/b", { name: "p" }),
    {
      name: "updatePipe",
      attempt: "update pipe a/b",
      method: "PATCH",
      path: `${service}/pipes/a%2Fb`,
      body: { name: "p" },
      repeatable: "after-any-failure",
    },
  ],
  [
    operations.listPipes(scope),
    {
      name: "listPipes",
      attempt: "list the pipes of service ser/vice",
      method: "GET",
      path: `${service}/pipes`,
      repeatable: "after-any-failure",
    },
  ],
  [
    operations.getPipeSettings(scope, "a/b"),
    {
      name: "getPipeSettings",
      attempt: "read the settings of pipe a/b",
      method: "GET",
      path: `${service}/pipes/a%2Fb/settings`,
      repeatable: "after-any-failure",
    },
  ],
  [
    operations.createReversePrivateEndpoint(scope, { description: undefined, ...edit }),
    {
      name: "createReversePrivateEndpoint",
      attempt: "create reverse private endpoint",
      method: "POST",
      path: `${service}/pipesReversePrivateEndpoints`,
      body: edit,
      repeatable: "when-turned-away",
    },
  ],
  [
    operations.updateService(scope, edit),
    {
      name: "updateService",
      attempt: "update service ser/vice",
      method: "PATCH",
      path: service,
      body: edit,
      repeatable: "when-turned-away",
    },
  ],
  [
    operations.listBackups(scope),
    {
      name: "listBackups",
      attempt: "list the backups of service ser/vice",
      method: "GET",
      path: `${service}/backups`,
      repeatable: "after-any-failure",
    },
  ],
  [
    operations.deletePipe(scope, "a/b"),
    {
      name: "deletePipe",
      attempt: "delete pipe a/b",
      method: "DELETE",
      path: `${service}/pipes/a%2Fb`,
      repeatable: "after-any-failure",
    },
  ],
  [
    operations.deleteReversePrivateEndpoint(scope, "a/b"),
    {
      name: "deleteReversePrivateEndpoint",
      attempt: "delete reverse private endpoint a/b",
      method: "DELETE",
      path: `${service}/pipesReversePrivateEndpoints/a%2Fb`,
      repeatable: "after-any-failure",
    },
  ],
])("$name is this request", (operation, expected) => {
  expect(operation).toEqual(expected);
});

test.each<[unknown, repeatable: Operation["repeatable"]]>([
  [{}, "after-any-failure"],
  [{ name: "add", source: { kafka: null, list: ["remove"] } }, "after-any-failure"],
  [undefined, "after-any-failure"],
  [{ ipAccessList: { remove: [] }, name: "x" }, "when-turned-away"],
  [{ ipAccessList: { add: [] }, name: "x" }, "when-turned-away"],
  [{ source: { postgres: { tableMappingsToAdd: [], host: "h" } } }, "when-turned-away"],
  [{ source: { postgres: { tableMappingsToRemove: [], host: "h" } } }, "when-turned-away"],
  [{ transparentDataEncryptionKeyId: "k", name: "x" }, "when-turned-away"],
])("an update of %j is repeated %s", (body, repeatable) => {
  expect(operations.updatePipe(scope, "p", body).repeatable).toBe(repeatable);
  expect(operations.updateService(scope, body).repeatable).toBe(repeatable);
});

test.each<[Operation, attempt: string, line: string]>([
  [
    operations.updatePipe(scope, "a1", {}, "orders"),
    'update pipe "orders" (a1)',
    "PATCH …/services/ser%2Fvice/pipes/…",
  ],
  [
    operations.deletePipe(scope, "a1", "orders"),
    'delete pipe "orders" (a1)',
    "DELETE …/services/ser%2Fvice/pipes/…",
  ],
  [operations.updatePipe(scope, "a1", {}, ""), "update pipe a1", "PATCH …/services/ser%2Fvice/pipes/…"],
  [
    operations.createReversePrivateEndpoint(scope, { description: "d".repeat(41) }),
    `create reverse private endpoint "${"d".repeat(40)}…"`,
    "POST …/services/ser%2Fvice/pipesReversePrivateEndpoints",
  ],
  [
    operations.deleteReversePrivateEndpoint(scope, "e1", "to it"),
    'delete reverse private endpoint "to it" (e1)',
    "DELETE …/services/ser%2Fvice/pipesReversePrivateEndpoints/…",
  ],
])("$name says the name of what it is about, where that is known", (operation, attempt, line) => {
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
