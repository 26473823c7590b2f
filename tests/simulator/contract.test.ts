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
  const objects = objectsIn(DEFINITION).filter(([, schema]) => schema["type"] === "object");
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.filter(([, schema]) => schema["additionalProperties"] !== false)).toEqual([]);
});

test.each<[operation: "createPipe" | "updatePipe", form: string | undefined, change: object, says: string]>([
  [
    "updatePipe",
    undefined,
    { source: { kafka: { credentials: {} } } },
    "source.kafka.credentials is not a field",
  ],
  ["updatePipe", undefined, { name: 1 }, "name must be string"],
  ["updatePipe", "quantity", { scaling: { replicaMemoryGb: 1 } }, "scaling.replicaMemoryGb must be string"],
  ["updatePipe", "omit", { destination: { managedTable: null } }, "destination.managedTable must be boolean"],
  ["createPipe", "sparse", {}, "source is not a field"],
])("an answer to %s in the form %s is checked: %j breaks it", async (operation, form, change, says) => {
  const simulator = await start();
  const [pipe] = simulator.control.seedPipes([KAFKA]);
  const requestId = simulator.account.organizationId;
  const envelope = { status: 200, requestId, result: { ...pipe, ...change } };
  expect(contract.checkResponse(operation, envelope, form).join()).toContain(`result.${says}`);
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
