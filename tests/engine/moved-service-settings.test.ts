import type { JsonObject } from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { RewritingService } from "../../testkit/rewriting-service";
import { takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

const args: JsonObject = {
  ipAccessList: [{ source: "10.0.0.1", description: "office" }, { source: "10.0.0.2" }],
  privateEndpointIds: ["vpce-1"],
  deletionPolicy: "delete",
};
const { deletionPolicy: _, ...entries } = args;

const settings = (name: string, options?: string): string =>
  declaration("ServiceSettings", name, args, options);

const listsOf = (simulator: Simulator): JsonObject => {
  const [service] = simulator.control.state().services;
  const { ipAccessList, privateEndpointIds } = service ?? {};
  return JSON.parse(JSON.stringify({ ipAccessList, privateEndpointIds })) as JsonObject;
};

test("settings with the policy to delete keep their entries when they are renamed, moved or replaced, and lose them when they are deleted", async () => {
  const { simulator, stack } = await deployed(settings("old"));
  const programs = [
    settings("renamed"),
    `const parent = new pulumi.ComponentResource("test:index:Parent", "parent");\n${settings("renamed", "{ parent }")}`,
  ];
  for (const program of programs) {
    await stack.write(program);
    await stack.up();
    expect(listsOf(simulator)).toEqual(entries);
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  }
  const { urn } = (await stack.export()).named("renamed");
  await stack.up({ flags: ["--replace", urn] });
  expect(listsOf(simulator)).toEqual(entries);
  await stack.write("");
  await stack.up();
  expect(listsOf(simulator)).toEqual({ ipAccessList: [], privateEndpointIds: [] });
  takeWrites(simulator);
});

test("exclusive settings keep an entry that the service spells in another way, over runs and a refresh", async () => {
  const service = await RewritingService.start({
    spell: ({ source, description = "" }) => ({
      source: source === "any" ? "0.0.0.0/0" : `${source}/32`,
      description: `${description.trim()}!`,
    }),
    ipAccessList: [{ source: "203.0.113.9", description: "theirs" }],
  });
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = service.account;
  const program = (more: JsonObject): string => declaration("ServiceSettings", "settings", more);
  const declared: JsonObject = {
    ipAccessList: [{ source: "any" }, { source: "10.0.0.1", description: "office " }],
  };
  const stack = await newStack({
    program: program({ ...declared, exclusive: true, deletionPolicy: "delete" }),
    config: {
      baseUrl: service.url,
      apiKeyId,
      organizationId,
      serviceId: serviceIds[0] ?? "",
      rateLimit: "off",
    },
    secrets: { apiKeySecret },
  });
  await stack.up();
  const ours = [
    { source: "0.0.0.0/0", description: "!" },
    { source: "10.0.0.1/32", description: "office!" },
  ];
  expect(service.ipAccessList).toEqual(ours);
  service.takeBodies();
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.write(program({ ...declared, name: "Shop", exclusive: true, deletionPolicy: "delete" }));
  await stack.up();
  expect([service.takeBodies(), service.ipAccessList]).toEqual([[{ name: "Shop" }], ours]);
  await stack.destroy();
  expect(service.ipAccessList).toEqual([]);
});
