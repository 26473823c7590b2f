import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { call, startPlugin } from "./native-plugin";
import { minimal } from "../kit/pipes";
import { callFailureOf, settingsOf } from "../kit/plugin";
import { newSimulator, type Simulator } from "../kit/simulator";

let simulator: Simulator;
/** What another user of the machine has at the base URL that he gives. */
let foreign: Simulator;

beforeAll(async () => {
  [simulator, foreign] = await Promise.all([newSimulator(), newSimulator()]);
});

beforeEach(() => {
  for (const each of [simulator, foreign]) each.control.clearRequests();
});

const on = async (...options: Parameters<typeof startPlugin>) => {
  const plugin = await startPlugin(...options);
  const send = () => plugin.invoke("getPipes", {});
  return { ...plugin, send, attach: () => plugin.attach(plugin.engine.address) };
};

const withoutKey = (at: Simulator): object => {
  const { apiKeyId: _id, apiKeySecret: _secret, ...others } = settingsOf(at);
  return others;
};

const requests = () => [simulator, foreign].map(({ control }) => control.requests().length);

const ENVIRONMENTS: readonly [string, (key: Simulator["account"]) => NodeJS.ProcessEnv][] = [
  [
    "environment",
    (key) => ({ DATAPIPES_API_KEY_ID: key.apiKeyId, DATAPIPES_API_KEY_SECRET: key.apiKeySecret }),
  ],
  [
    "stack's configuration",
    ({ apiKeyId, apiKeySecret }) => ({ PULUMI_CONFIG: JSON.stringify({ apiKeyId, apiKeySecret }) }),
  ],
];

const REFUSED = "pulumi-resource-datapipes refuses";

test.each([
  ["its own key", () => settingsOf(foreign)],
  ["no key", () => withoutKey(foreign)],
])(
  "an engine's process refuses Attach and a second Configure with %s, and keeps the first",
  async (_what, others) => {
    const { attach, configure, send } = await on(simulator);
    expect((await callFailureOf(configure(others()))).message).toContain(`${REFUSED} to be configured twice`);
    expect((await callFailureOf(attach())).message).toContain(`${REFUSED} Attach`);
    expect((await callFailureOf(configure(others()))).message).toContain(`${REFUSED} to be configured twice`);
    await send();
    expect(requests()).toEqual([1, 0]);
  },
);

test("a process that the engine cancels before it configures it sends nothing", async () => {
  const { client, configure, send } = await on();
  await call((done) => client.cancel(new Empty(), done));
  await configure(settingsOf(simulator));
  expect((await callFailureOf(send())).message).toContain("the run was canceled");
  expect(requests()).toEqual([0, 0]);
});

test("a process that was started by hand accepts one Configure for each engine that attaches", async () => {
  const { attach, client, configure, invoke, send } = await on(undefined, { byHand: true });
  await attach();
  // An engine attaches for each provider of the program, in any order with Configure.
  await attach();
  await configure(settingsOf(simulator));
  await send();
  await configure(settingsOf(foreign));
  await send();
  expect(requests()).toEqual([1, 1]);
  expect((await callFailureOf(configure(settingsOf(simulator)))).message).toContain(REFUSED);
  // The engine cancels the work of a provider at the end of a run.
  await call((done) => client.cancel(new Empty(), done));
  expect((await callFailureOf(invoke("getBackups", {}))).message).toContain("the run was canceled");
  await attach();
  await configure(settingsOf(simulator));
  await send();
  expect(requests()).toEqual([2, 1]);
});

test.each(ENVIRONMENTS)("the key of the %s is sent to the first base URL only", async (_, environment) => {
  const env = { ...process.env, ...environment(simulator.account) };
  const { attach, check, configure, lines, send } = await on(undefined, { env, byHand: true });
  await configure(withoutKey(simulator), "eu");
  await send();
  await attach();
  await configure(withoutKey(foreign), "eu");
  expect((await callFailureOf(send())).message).toContain("datapipes:apiKeySecret is not set");
  expect((await check(minimal.kafka)).failures.join(" ")).toContain("datapipes:apiKeyId is not set");
  expect(requests()).toEqual([1, 0]);
  await attach();
  await configure(withoutKey(simulator), "eu");
  await send();
  expect(requests()).toEqual([2, 0]);
  await attach();
  await configure(settingsOf(foreign), "eu");
  await send();
  expect(requests()).toEqual([2, 1]);
  expect(lines).toEqual([
    expect.objectContaining({
      severity: "warning",
      message: expect.stringContaining("does not send the API key of its environment to") as string,
    }),
  ]);
});
