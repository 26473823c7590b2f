import fc from "fast-check";
import * as operations from "../../../provider/src/api/operations";
import { path } from "../../../provider/src/api/path";

const scope = { organizationId: "org", serviceId: "svc" };
const service = "/v1/organizations/org/services/svc";

test.each<[operations.Operation, string, string]>([
  [operations.createPipe(scope, { name: "a" }), "POST", `${service}/pipes`],
  [operations.updatePipe(scope, "p", {}), "PATCH", `${service}/pipes/p`],
  [operations.listPipes(scope), "GET", `${service}/pipes`],
  [operations.getPipeSettings(scope, "p"), "GET", `${service}/pipes/p/settings`],
  [operations.createReversePrivateEndpoint(scope, {}), "POST", `${service}/pipesReversePrivateEndpoints`],
  [operations.updateService(scope, {}), "PATCH", service],
  [operations.listBackups(scope), "GET", `${service}/backups`],
  [operations.deletePipe(scope, "p"), "DELETE", `${service}/pipes/p`],
])("%j is %s %s", (operation, method, address) => {
  expect([operation.method, operation.path]).toEqual([method, address]);
});

test("an operation names its attempt and its target", () => {
  expect(operations.createPipe(scope, { name: 'a"b' }).attempt).toBe('create pipe "a\\"b"');
  expect(operations.createPipe(scope, {}).attempt).toBe("create pipe");
  expect(operations.updatePipe(scope, "p", {}).attempt).toBe("update pipe p");
});

test.each(["", ".", "..", "half a pair \ud800"])("%j is refused as an id", (id) => {
  expect(() => path`/a/${id}/b`).toThrow(/is not a valid id: the provider sent nothing/);
});

test("an id with any characters stays one segment of the path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (id) => {
      fc.pre(id !== "" && id !== "." && id !== ".." && id === Buffer.from(id).toString());
      const { pathname, search, hash } = new URL(path`/v1/x/${id}/y`, "https://api.example.com");
      const [, first, second, third, ...more] = pathname.split("/");
      expect([first, second, more, search, hash]).toEqual(["v1", "x", ["y"], "", ""]);
      expect(decodeURIComponent(third ?? "")).toBe(id);
    }),
  );
});
