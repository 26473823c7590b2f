import { contract } from "../../simulator/src/contract";
import { DEFINITION } from "../../simulator/src/definition";
import { call, start, KAFKA } from "./client";

/** Every object in a value, by its path. */
const objectsIn = (value: unknown, at = ""): [path: string, schema: Readonly<Record<string, unknown>>][] =>
  typeof value !== "object" || value === null
    ? []
    : [
        [at, value as Readonly<Record<string, unknown>>],
        ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, `${at}/${name}`)),
      ];

test("openapi.yaml allows only the listed fields in every object of requests and answers", () => {
  const open = objectsIn(DEFINITION).filter(
    ([, schema]) => schema["type"] === "object" && schema["additionalProperties"] !== false,
  );
  expect(open).toEqual([]);
});

test.each<[form: string | undefined, change: object, says: string]>([
  [undefined, { source: { kafka: { credentials: {} } } }, "source.kafka.credentials is not a field"],
  [undefined, { destination: { roles: [] } }, "destination.roles is not a field"],
  [undefined, { extra: 1 }, "extra is not a field"],
  [undefined, { name: 1 }, "name must be string"],
  ["quantity", { scaling: { replicaMemoryGb: 1 } }, "scaling.replicaMemoryGb must be string"],
  ["sparse", {}, "source is not a field"],
  ["omit", { destination: { managedTable: null } }, "destination.managedTable must be boolean"],
])("an answer of the form %s is checked, and what breaks it is named: %j", async (variant, change, named) => {
  const simulator = await start();
  const [pipe] = simulator.control.seedPipes([KAFKA]);
  const envelope = { status: 200, requestId: simulator.account.organizationId };
  const check = (result: object, form?: string) =>
    contract.checkResponse(form === "sparse" ? "createPipe" : "updatePipe", { ...envelope, result }, form);
  expect(check({ ...pipe })).toEqual([]);
  expect(check({ ...pipe, ...change }, variant).join()).toContain(`result.${named}`);
});

test("a simulator that breaks the contract answers 500 and names the field", async () => {
  const simulator = await start();
  // No request can bring this about; a backup seeded by control is not marked as edited.
  simulator.control.seedBackups([{ sizeInBytes: "large" as unknown as number }]);
  const { status, envelope } = await call(simulator, "GET", "/backups");
  expect(status).toBe(500);
  expect(envelope.error).toContain("simulator defect: the answer of listBackups breaks the contract");
  expect(envelope.error).toContain("result[0].sizeInBytes must be number");
});
