import type { LoggedRequest, Simulator } from "../../simulator/src/index";
import { basic, call, nested, start } from "./client";

const MIB = 1024 * 1024;
const NOT_KEPT = "(not kept: the log has 16 MiB of later bodies, and none over 1 MiB)";
const TOO_DEEP = "(not shown: it is nested too deeply)";

const bodyOf = (bytes: number) => ({ name: "x".repeat(bytes - '{"name":""}'.length) });

const post = (simulator: Simulator, raw: string, headers = {}) =>
  call(simulator, "POST", "/pipes", undefined, { raw, headers });

const loggedBodies = ({ control }: Simulator) => control.requests().map(({ body }) => body);

describe("the request log", () => {
  test.each([
    ["keeps a body of 1 MiB", JSON.stringify(bodyOf(MIB)), bodyOf(MIB)],
    ["keeps no body over 1 MiB", JSON.stringify(bodyOf(MIB + 1)), NOT_KEPT],
    [
      "counts the bytes of a body, not its characters",
      JSON.stringify({ name: "é".repeat(MIB / 2) }),
      NOT_KEPT,
    ],
    ["keeps a body of 100 levels", nested(100), JSON.parse(nested(100)) as object],
    ["shows no body of 200,000 levels", nested(200_000), TOO_DEEP],
  ])("%s, and the page can show the request", async (_, raw, logged) => {
    const simulator = await start({ ui: true });
    await post(simulator, raw);
    expect(loggedBodies(simulator)).toEqual([logged]);
    expect((await fetch(`${simulator.url}/ui/data`)).status).toBe(200);
    expect((await fetch(`${simulator.url}/ui/data/requests/1`)).status).toBe(200);
  });

  test("keeps the latest 16 MiB", async () => {
    const simulator = await start();
    for (let sent = 0; sent < 17; sent += 1) await post(simulator, JSON.stringify(bodyOf(MIB)));
    expect(loggedBodies(simulator)).toEqual([NOT_KEPT, ...Array<object>(16).fill(bodyOf(MIB))]);
  });

  test("keeps no body of a request without a valid key", async () => {
    const simulator = await start();
    await post(simulator, "{}", { authorization: basic("demo-key-id", "wrong") });
    expect(loggedBodies(simulator)).toEqual([null]);
  });

  test("has the requests that `onRequest` gets", async () => {
    const seen: LoggedRequest[] = [];
    const simulator = await start({ onRequest: (request) => seen.push(request) });
    await post(simulator, "{}");
    expect(seen).toHaveLength(1);
    expect(simulator.control.requests()).toEqual(seen);
  });
});

test.each([
  ["of 10 MiB", `"${"x".repeat(10 * MIB)}"`, 413],
  ["of 800,000 levels", nested(800_000), 400],
  ["without a fault", "{}", 400],
])("the control path refuses a body %s, with or without its length", async (_, body, status) => {
  const simulator = await start({ control: true });
  // A stream is sent without its length.
  for (const sent of [body, new Blob([body]).stream()]) {
    const options = { method: "POST", headers: { "content-type": "application/json" }, duplex: "half" };
    const response = await fetch(`${simulator.url}/control/faults`, {
      ...options,
      body: sent,
    } as RequestInit);
    expect(response.status).toBe(status);
  }
});
