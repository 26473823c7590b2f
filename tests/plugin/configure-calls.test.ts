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

/** How many requests each simulator has received. */
const requests = () => ({
  own: simulator.control.requests().length,
  foreign: foreign.control.requests().length,
});

const REFUSED = "pulumi-resource-datapipes refuses";

test.each([
  { what: "its own key", settings: () => settingsOf(foreign) },
  { what: "no key", settings: () => withoutKey(foreign) },
])("an engine's process refuses a second Configure with $what", async ({ settings }) => {
  const { configure, send } = await on(simulator);
  const refused = await callFailureOf(configure(settings()));
  expect(refused.message).toContain(`${REFUSED} to be configured twice`);
  await send();
  expect(requests()).toEqual({ own: 1, foreign: 0 });
});

test("an engine's process refuses Attach, and a second Configure after it", async () => {
  const { attach, configure, send } = await on(simulator);
  expect((await callFailureOf(attach())).message).toContain(`${REFUSED} Attach`);
  const refused = await callFailureOf(configure(settingsOf(foreign)));
  expect(refused.message).toContain(`${REFUSED} to be configured twice`);
  await send();
  expect(requests()).toEqual({ own: 1, foreign: 0 });
});

test("a process that the engine cancels before it configures it sends nothing", async () => {
  const { client, configure, send } = await on();
  await call((done) => client.cancel(new Empty(), done));
  await configure(settingsOf(simulator));
  expect((await callFailureOf(send())).message).toContain("the run was canceled");
  expect(requests()).toEqual({ own: 0, foreign: 0 });
});

test("a process that was started by hand accepts one Configure for each engine that attaches", async () => {
  const { attach, configure, send } = await on(undefined, { byHand: true });
  await attach();
  // An engine attaches for each provider of the program, in any order with Configure.
  await attach();
  await configure(settingsOf(simulator));
  await send();
  await configure(settingsOf(foreign));
  await send();
  expect(requests()).toEqual({ own: 1, foreign: 1 });
  expect((await callFailureOf(configure(settingsOf(simulator)))).message).toContain(REFUSED);
});

test("a process that was started by hand works for the next engine after Cancel", async () => {
  const { attach, client, configure, send } = await on(undefined, { byHand: true });
  await attach();
  await configure(settingsOf(simulator));
  // The engine cancels the work of a provider at the end of a run.
  await call((done) => client.cancel(new Empty(), done));
  expect((await callFailureOf(send())).message).toContain("the run was canceled");
  await attach();
  await configure(settingsOf(simulator));
  await send();
  expect(requests()).toEqual({ own: 1, foreign: 0 });
});

const ENVIRONMENTS = [
  {
    place: "environment",
    variablesOf: ({ apiKeyId, apiKeySecret }: Simulator["account"]) => ({
      DATAPIPES_API_KEY_ID: apiKeyId,
      DATAPIPES_API_KEY_SECRET: apiKeySecret,
    }),
  },
  {
    place: "stack's configuration",
    variablesOf: ({ apiKeyId, apiKeySecret }: Simulator["account"]) => ({
      PULUMI_CONFIG: JSON.stringify({ apiKeyId, apiKeySecret }),
    }),
  },
];

describe.each(ENVIRONMENTS)("the key of the $place", ({ variablesOf }) => {
  /** A process that has sent the key to its first base URL, and has a new engine. */
  async function started() {
    const env = { ...process.env, ...variablesOf(simulator.account) };
    const plugin = await on(undefined, { env, byHand: true });
    await plugin.configure(withoutKey(simulator), "eu");
    await plugin.send();
    expect(requests()).toEqual({ own: 1, foreign: 0 });
    await plugin.attach();
    return plugin;
  }

  test("is sent to the first base URL again", async () => {
    const { configure, send } = await started();
    await configure(withoutKey(simulator), "eu");
    await send();
    expect(requests()).toEqual({ own: 2, foreign: 0 });
  });

  test("is not sent to another base URL, and a warning says so", async () => {
    const { check, configure, lines, send } = await started();
    await configure(withoutKey(foreign), "eu");
    expect((await callFailureOf(send())).message).toContain("datapipes:apiKeySecret is not set");
    expect((await check(minimal.kafka)).failures.join(" ")).toContain("datapipes:apiKeyId is not set");
    expect(requests()).toEqual({ own: 1, foreign: 0 });
    const message = expect.stringContaining("does not send the API key of its environment to") as string;
    expect(lines).toEqual([expect.objectContaining({ severity: "warning", message })]);
  });

  test("does not replace the key of a provider with another base URL", async () => {
    const { configure, send } = await started();
    await configure(settingsOf(foreign), "eu");
    await send();
    expect(requests()).toEqual({ own: 1, foreign: 1 });
  });
});
