import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { declarePipes } from "./pipes";

// Mocks take the place of Pulumi's engine: nothing is sent or stored.
before(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: `id-of-${name}`,
        state: { ...(inputs as object), state: "Running" },
      }),
      call: ({ token }) => {
        throw new Error(`no mock for ${token}`);
      },
    },
    "project",
  );
  pulumi.runtime.setAllConfig({
    "project:kafkaBrokers": "kafka.example.com:9092",
    "project:kafkaTopic": "orders",
    "project:kafkaUsername": "loader",
    "project:kafkaPassword": "not-a-real-password",
  });
});

/** The value of an output. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

void test("every column has a mapping", async () => {
  const { orders } = declarePipes();
  const [destination, mappings] = await valueOf(pulumi.all([orders.destination, orders.fieldMappings]));
  assert.deepEqual(
    mappings?.map(({ destinationField }) => destinationField),
    destination?.columns?.map(({ name }) => name),
  );
});

void test("the credentials are secret", async () => {
  const { orders } = declarePipes();
  assert.equal(await pulumi.isSecret(orders.source), true);
});

void test("the pipe keeps running when the program no longer declares it", async () => {
  const { orders } = declarePipes();
  assert.equal(await valueOf(orders.deletionPolicy), "retain");
});
