import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "../../../provider/src/index";

const calls: pulumi.runtime.MockCallArgs[] = [];
const requests: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: (args) => {
      calls.push(args);
      return { said: args.token };
    },
  });
  const { port } = server.address() as AddressInfo;
  pulumi.runtime.setAllConfig({
    "datapipes:apiKeyId": "id",
    "datapipes:apiKeySecret": "not-a-key",
    "datapipes:baseUrl": `http://127.0.0.1:${port}`,
    "datapipes:organizationId": "0a1b2c3d-0000-4000-8000-000000000001",
    "datapipes:serviceId": "0a1b2c3d-0000-4000-8000-000000000002",
    "datapipes:maxRetries": "0",
  });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(() => {
  pulumi.runtime.setAllConfig({});
  server.close();
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

const later = pulumi.output("later");

test.each<[name: string, ask: () => Promise<unknown>, inputs: object]>([
  ["getPipes", () => datapipes.getPipes(), {}],
  ["getPipes", () => datapipes.getPipes({ serviceId: "any" }), { serviceId: "any" }],
  ["getPipes", () => valueOf(datapipes.getPipesOutput({ serviceId: later })), { serviceId: "later" }],
  ["getPipe", () => datapipes.getPipe({ name: "orders" }), { name: "orders" }],
  ["getPipe", () => valueOf(datapipes.getPipeOutput({ id: later })), { id: "later" }],
  ["getPipeSettings", () => datapipes.getPipeSettings({ pipeId: "any" }), { pipeId: "any" }],
  ["getPipeSettings", () => valueOf(datapipes.getPipeSettingsOutput({ pipeId: later })), { pipeId: "later" }],
  ["getBackups", () => datapipes.getBackups(), {}],
  ["getBackups", () => valueOf(datapipes.getBackupsOutput()), {}],
])("%s calls the mocks of a unit test and sends nothing: %#", async (name, ask, inputs) => {
  expect(await ask()).toEqual({ said: `datapipes:index:${name}` });
  expect(calls).toMatchObject([{ token: `datapipes:index:${name}`, inputs }]);
  expect(requests).toEqual([]);
});

test("a data function hands its provider to the mocks", async () => {
  const provider = new datapipes.Provider("eu");
  expect(await datapipes.getPipes({}, { provider })).toEqual({ said: "datapipes:index:getPipes" });
  expect(calls).toHaveLength(1);
  expect(calls[0]?.provider).toContain("eu");
});
