import { endpointsOf } from "../../../testkit/endpoints";
import { createPipe } from "../../../provider/src/resources/pipe/create-pipe";
import { newSimulator } from "../../../testkit/simulator";
import type { Simulator } from "../../../simulator/src/index";
import { connect, counts, failureOf, PIPE, type Connected } from "../../../testkit/connected";
import { InstantClock } from "../../../testkit/instant-clock";
import { INVALID, startProxy, UNUSUAL } from "./tampered-answers";

let simulator: Simulator;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let api: Connected;

beforeEach(async () => {
  simulator = await newSimulator();
  proxy = await startProxy(simulator);
  api = connect(simulator, { baseUrl: proxy.url, clock: new InstantClock() });
});
const ids = (): string[] => simulator.control.state().pipes.map(({ id }) => id);

describe.each(INVALID)("an answer that is %s", (_what, tampering) => {
  test("lets createPipe find its own pipe, and not an unmanaged one of the same name", async () => {
    const [unmanaged] = simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
    proxy.tamper("POST", tampering);
    const { id } = await createPipe(api.client, api.scope, PIPE);
    expect(counts(simulator)["createPipe"]).toBe(1);
    expect(ids().sort()).toEqual([unmanaged?.id, id].sort());
  });

  test("lets createReversePrivateEndpoint send no second POST, and the error says that the endpoint may exist", async () => {
    proxy.tamper("POST", tampering);
    const error = await failureOf(endpointsOf(api).create("to the lake"));
    expect(error.message).toMatch(/^create reverse private endpoint "to the lake" failed: POST /);
    expect(error.message).toMatch(
      / The API may have created it\. Check in the service's console whether it exists: if so, set adopt to its id\.$/,
    );
    expect(error.message).not.toMatch(/again/);
    expect(counts(simulator)).toEqual({ createReversePrivateEndpoint: 1 });
  });

  test("makes listPipes fail with its operation and a next step, and without a stack", async () => {
    simulator.control.seedPipes([{ ...PIPE, settings: {} }]);
    proxy.tamper("GET", tampering);
    const { code, message, answer } = await failureOf(api.client.listPipes(api.scope));
    expect(["connection", "timeout", "invalid-response", "server-error"]).toContain(code);
    expect(message).toMatch(
      /^list the pipes of service \S+ failed: GET \S+ (got no response|returned|succeeded) .*\. [A-Z].*\.$|got no response: .*\.$/,
    );
    expect(message).not.toMatch(/Axios|node:|\n/);
    expect(answer.operation).toBe("listPipes");
  });
});

test.each(UNUSUAL)("accepts an answer that is %s", async (_what, tampering) => {
  proxy.tamper("POST", tampering);
  proxy.tamper("GET", tampering);
  await expect(api.client.listPipes(api.scope)).resolves.toEqual([]);
  const { id } = await createPipe(api.client, api.scope, PIPE);
  expect(ids()).toEqual([id]);
  expect(counts(simulator)["createPipe"]).toBe(1);
});

test("a read is repeated when its answer was cut in the middle", async () => {
  api = connect(simulator, { baseUrl: proxy.url, clock: new InstantClock(), maxRetries: 2 });
  for (const [, tampering] of INVALID.slice(0, 2)) proxy.tamper("GET", tampering);
  await expect(api.client.listPipes(api.scope)).resolves.toEqual([]);
  expect(counts(simulator)).toEqual({ listPipes: 3 });
});

test.each<[what: string, first: string]>([
  ["that stays out after its head", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"],
  ["that stays out in the middle of its head", "HTTP/1.1 200 OK\r\n"],
  ["that does not begin", ""],
  ["that never ends", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
])("an answer has a deadline %s", async (what, first) => {
  const options = { requestTimeoutSeconds: 0.3, maxRetries: 1, clock: new InstantClock() };
  const { client, scope, lines } = connect(simulator, { baseUrl: proxy.url, ...options });
  proxy.tamper("GET", (socket) => {
    socket.write(first);
    if (what !== "that never ends") return;
    const drops = setInterval(() => socket.write("1\r\n \r\n"), 20);
    socket.on("close", () => {
      clearInterval(drops);
    });
  });
  await expect(client.listPipes(scope)).resolves.toEqual([]);
  expect(lines).toEqual([expect.stringMatching(/: no response in time; retrying \(1 of 1\)$/)]);
});
