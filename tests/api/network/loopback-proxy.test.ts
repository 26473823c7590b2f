import { createServer } from "node:http";
import { connect, failureOf } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import { listening } from "./servers";

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);
const before = VARIABLES.map((name) => [name, process.env[name]] as const);

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

/** A proxy that notes what it is asked for, and refuses it. */
async function startProxy(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(502).end();
  });
  return { url: `http://${await listening(server)}`, asked };
}

function useProxy(variable: string, url: string): void {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  process.env[variable] = url;
}

test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])(
  "%s gets no request to this machine",
  async (variable) => {
    const simulator = await newSimulator();
    const proxy = await startProxy();
    useProxy(variable, proxy.url);
    for (const host of ["127.0.0.1", "localhost"]) {
      const { client, scope } = connect(simulator, { baseUrl: simulator.url.replace("127.0.0.1", host) });
      // On some machines localhost is ::1 alone, where the simulator does not listen.
      await client.listPipes(scope).catch(() => undefined);
    }
    expect(proxy.asked).toEqual([]);
    expect(simulator.control.requests().length).toBeGreaterThan(0);
  },
);

test("a proxy of the environment gets the requests to another machine", async () => {
  const simulator = await newSimulator();
  const proxy = await startProxy();
  useProxy("HTTP_PROXY", proxy.url);
  const { client, scope } = connect(simulator, { baseUrl: "http://api.example.com" });
  expect((await failureOf(client.listPipes(scope))).answer.status).toBe(502);
  expect(proxy.asked).toEqual([expect.stringMatching(/^http:\/\/api\.example\.com\/v1\//)]);
});
