import { canary } from "../../testkit/canary";
import { accountOf } from "../../testkit/examples";
import { complete, creationBody } from "../../testkit/pipes";
import { newSimulator, type SeedPipe, type Simulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const services = ["0a1b2c3d-0000-4000-8000-0000000000a1", "0a1b2c3d-0000-4000-8000-0000000000a2"] as const;
/** The command that `datapipes import` prints. */
export const importing = [
  "import",
  "--file",
  "import.json",
  "--generate-code=false",
  "--protect=false",
  "--yes",
];
export const password = canary("password");
export const accountKey = canary("account-key").replaceAll(/[;=]/g, "");

const destination = { database: "shop", table: "events" };
const postgres = { host: "db.example", credentials: { username: "reader", password } };
const objectStorage = { url: "https://x.example/*", connectionString: `AccountKey=${accountKey}` };

export const HARD_NAMES = 'class, __proto__, config, a "b" */ `${c}` \\, 🚀, 注文, orders-kafka, 24 h'.split(
  ", ",
);

export const secretPipes: readonly SeedPipe[] = [
  creationBody("replica", { destination, source: { postgres } }),
  creationBody("files", { destination, source: { objectStorage } }),
];

/** Two services with pipes of four kinds, also with names that are no identifiers and with secrets. */
export async function twoServices(): Promise<Simulator> {
  const simulator = await newSimulator({ accounts: [{ ...accountOf(1), serviceIds: [...services] }] });
  for (const service of services)
    simulator.control.seedPipes(
      Object.entries(complete).map(([kind, pipe]) => creationBody(`orders ${kind}`, pipe)),
      service,
    );
  const named = HARD_NAMES.map((name) => creationBody(name, complete.kinesis));
  simulator.control.seedPipes([...named, ...secretPipes], services[0]);
  return simulator;
}

export const ofBoth = services.flatMap((service) => ["--service", service]);
export const newProject = (simulator: Simulator) => newStack({ simulator, language: "typescript" });
