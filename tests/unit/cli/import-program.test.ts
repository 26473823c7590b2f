import { hostsOf, namesOfSource } from "../../../provider/src/cli/import/hosts";
import { usualSettings } from "../../../provider/src/cli/import/usual-settings";
import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";

test.each<[source: PropertyMap, hosts: string, names: string]>([
  [
    { kafka: { brokers: "b-1.Main.example:9092, b-2.main.example" } },
    "b-1.main.example b-2.main.example",
    "kafkaMain kafkaMainExample kafka",
  ],
  [
    { kafka: { brokers: "SASL_SSL://pkc-4r297.eu.example:9092" } },
    "pkc-4r297.eu.example",
    "kafkaPkc4R297 kafkaPkc4R297Eu kafka",
  ],
  [{ kafka: { brokers: "10.0.0.7:9092" } }, "10.0.0.7", "kafka"],
  [{ kafka: { topics: "orders" } }, "", "kafka"],
  [{ postgres: { host: "db.example", port: 5432 } }, "db.example", "postgresDb postgresDbExample postgres"],
  [
    { objectStorage: { url: "https://me:pw@Lake.example:443/a/*?b" } },
    "lake.example",
    "objectStorageLake objectStorageLakeExample objectStorage",
  ],
  [{ objectStorage: { url: "s3://lake/*" } }, "lake", "objectStorageLake objectStorageLake objectStorage"],
  [{ kinesis: { region: "eu-central-1" } }, "eu-central-1", "kinesisEuCentral1 kinesisEuCentral1 kinesis"],
])("finds the hosts of %j, and names for them", (source, hosts, names) => {
  expect(hostsOf({ source }).join(" ")).toBe(hosts);
  const [kind = ""] = Object.keys(source);
  expect(namesOfSource(kind, hostsOf({ source }), false).join(" ")).toBe(names);
  expect(namesOfSource(kind, hostsOf({ source }), true)).toEqual([kind]);
});

const kafka = (...all: readonly PropertyMap[]) =>
  all.map((settings, index) => ({ id: String(index), source: { kafka: { topics: "a" } }, settings }));

test.each<
  [what: string, pipes: ReturnType<typeof kafka>, filledIn: PropertyMap, rest: PropertyMap | undefined]
>([
  ["that all pipes have", kafka({ dbmsMaxThreads: 3 }, { dbmsMaxThreads: 3 }), { dbmsMaxThreads: 3 }, {}],
  ["that differ", kafka({ dbmsMaxThreads: 3 }, { dbmsMaxThreads: 4 }), {}, { dbmsMaxThreads: 3 }],
  ["of one pipe", kafka({ dbmsMaxThreads: 3 }), {}, { dbmsMaxThreads: 3 }],
  ["of one pipe, as services fill them in", kafka({ dbmsMaxThreads: 8 }), { dbmsMaxThreads: 8 }, {}],
  ["that the kind cannot have", kafka({ objectStorageConcurrency: 3 }), {}, {}],
  [
    "that are no numbers",
    kafka({ dbmsMaxThreads: "3" }, { dbmsMaxThreads: "3" }),
    {},
    { dbmsMaxThreads: "3" },
  ],
  ["of unknown names", kafka({ constructor: 3 }, { constructor: 3 }), {}, { constructor: 3 }],
])("leaves out or keeps settings %s", (_, pipes, filledIn, rest) => {
  const usual = usualSettings(pipes);
  expect(usual.filledIn).toEqual(filledIn);
  const [{ source, settings } = { source: {}, settings: {} }] = pipes;
  expect(usual.leaveOut({ source, settings })["settings"]).toEqual(rest);
});
