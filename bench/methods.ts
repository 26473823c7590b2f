import { interleaved } from "./child";
import { spreadOf, type Spread } from "./statistics";

/** What check and diff of one full pipe cost in the plugin, in ms of CPU per call. */
export type Methods = Readonly<Record<"check" | "diff" | "coldCheck" | "coldDiff", Spread | undefined>>;

const ROUNDS = 7;
/** As many calls as in a run of the engine: V8 optimizes code that runs more often. */
const CALLS = 200;
const WARM_CALLS = 2000;

/** Prints the mean of calls with arguments of their own, as they come off the wire, in ms of CPU. */
const mean = (method: "check" | "diff", calls: number): string => `
  require("ts-node/register");
  const { complete } = require("./testkit/pipes");
  const scope = { organizationId: "11111111-1111-4111-8111-111111111111", serviceId: "22222222-2222-4222-8222-222222222222" };
  const inputs = JSON.stringify({ ...scope, name: "orders", ...complete.kafka, deletionPolicy: "delete", __provider: "" });
  const outputs = JSON.stringify({ ...JSON.parse(inputs), state: "Running", observed: { ...complete.kafka, id: "1" } });
  const config = new Map([["baseUrl", "http://127.0.0.1:1"], ["apiKeyId", "id"], ["apiKeySecret", "secret"]]);
  const provider = require("pulumi-datapipes/runtime").handler("Pipe");
  provider.configure({ config: { get: (key) => config.get(key.replace("datapipes:", "")) } });
  const made = Array.from({ length: ${calls} }, () => [JSON.parse(outputs), JSON.parse(inputs)]);
  const call = { check: (olds, news) => provider.check(news, { ...news }), diff: (olds, news) => provider.diff("1", olds, news) }.${method};
  (async () => {
    const begun = process.cpuUsage();
    for (const [olds, news] of made) {
      const answer = await call(olds, news);
      if (answer.changes === undefined && answer.failures?.length !== 0) throw new Error(JSON.stringify(answer));
    }
    const { user, system } = process.cpuUsage(begun);
    console.log((user + system) / 1000 / ${calls});
  })();
`;

/** Measures the two methods that the engine calls for every resource at every preview. */
export function measureMethods(): Methods {
  const measured = interleaved(
    {
      coldCheck: mean("check", CALLS),
      coldDiff: mean("diff", CALLS),
      check: mean("check", WARM_CALLS),
      diff: mean("diff", WARM_CALLS),
    },
    ROUNDS,
  );
  return {
    check: spreadOf(measured.check),
    diff: spreadOf(measured.diff),
    coldCheck: spreadOf(measured.coldCheck),
    coldDiff: spreadOf(measured.coldDiff),
  };
}
