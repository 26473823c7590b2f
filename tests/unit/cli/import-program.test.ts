import { hostsOf, namesOfSource } from "../../../provider/src/cli/import/hosts";
import { usualSettings } from "../../../provider/src/cli/import/usual-settings";
import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";

const MAIN = "b-1.main.example b-2.main.example";
const CLOUD = "pkc-4r297.eu.example";
const LAKE = "objectStorageLake objectStorageLakeExample ";

/** The names before that of the kind, which is the last one. */
test.each<[source: PropertyMap, hosts: string, names: string]>([
  [{ kafka: { brokers: "b-1.Main.example:9092, b-2.main.example" } }, MAIN, "kafkaMain kafkaMainExample "],
  [{ kafka: { brokers: `SASL_SSL://${CLOUD}:9092` } }, CLOUD, "kafkaPkc4R297 kafkaPkc4R297Eu "],
  [{ kafka: { brokers: "10.0.0.7:9092" } }, "10.0.0.7", ""],
  [{ kafka: { topics: "orders" } }, "", ""],
  [{ postgres: { host: "db.example", port: 5432 } }, "db.example", "postgresDb postgresDbExample "],
  [{ objectStorage: { url: "https://me:pw@Lake.example:443/a/*?b" } }, "lake.example", LAKE],
  [{ objectStorage: { url: "s3://lake/*" } }, "lake", "objectStorageLake objectStorageLake "],
  [{ kinesis: { region: "eu-central-1" } }, "eu-central-1", "kinesisEuCentral1 kinesisEuCentral1 "],
])("finds the hosts of %j, and names for them", (source, hosts, names) => {
  expect(hostsOf({ source }).join(" ")).toBe(hosts);
  const [kind = ""] = Object.keys(source);
  expect(namesOfSource(kind, hostsOf({ source }), false).join(" ")).toBe(`${names}${kind}`);
  expect(namesOfSource(kind, hostsOf({ source }), true)).toEqual([kind]);
});

const kafka = (...all: readonly PropertyMap[]) =>
  all.map((settings, index) => ({ id: String(index), source: { kafka: { topics: "a" } }, settings }));

const text = { dbmsMaxThreads: "3" };

test.each<[what: string, pipes: ReturnType<typeof kafka>, filledIn: PropertyMap, rest: PropertyMap]>([
  ["that all pipes have", kafka({ dbmsMaxThreads: 3 }, { dbmsMaxThreads: 3 }), { dbmsMaxThreads: 3 }, {}],
  ["that differ", kafka({ dbmsMaxThreads: 3 }, { dbmsMaxThreads: 4 }), {}, { dbmsMaxThreads: 3 }],
  ["of one pipe", kafka({ dbmsMaxThreads: 3 }), {}, { dbmsMaxThreads: 3 }],
  ["of one pipe, as services fill them in", kafka({ dbmsMaxThreads: 8 }), { dbmsMaxThreads: 8 }, {}],
  ["that the kind cannot have", kafka({ objectStorageConcurrency: 3 }), {}, {}],
  ["that are no numbers", kafka(text, text), {}, text],
  ["of unknown names", kafka({ constructor: 3 }, { constructor: 3 }), {}, { constructor: 3 }],
])("leaves out or keeps settings %s", (_, pipes, filledIn, rest) => {
  const usual = usualSettings(pipes);
  expect(usual.filledIn).toEqual(filledIn);
  const [{ source, settings } = { source: {}, settings: {} }] = pipes;
  expect(usual.leaveOut({ source, settings })["settings"]).toEqual(rest);
});
