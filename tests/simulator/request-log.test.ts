import type { LoggedRequest } from "../../simulator/src/index";
import { basic, call, nested, start } from "./client";

describe("the request log", () => {
  const bodies = async (body: string, count: number, headers = {}): Promise<unknown[]> => {
    const seen: LoggedRequest[] = [];
    const simulator = await start({ ui: true, onRequest: (request) => seen.push(request) });
    for (let sent = 0; sent < count; sent += 1)
      await call(simulator, "POST", "/pipes", undefined, { raw: body, headers });
    const logged = simulator.control.requests();
    expect(logged.at(-1)).toEqual(seen.at(-1));
    expect((await fetch(`${simulator.url}/ui/data`)).status).toBe(200);
    expect((await fetch(`${simulator.url}/ui/data/requests/${count}`)).status).toBe(200);
    return logged.map((request) => request.body);
  };
  const text = (bytes: number): string => JSON.stringify({ name: "x".repeat(bytes - 11) });
  const MIB = 1024 * 1024;
  const kept = (count: number) => Array<object>(count).fill(expect.any(Object) as object);
  const notKept = expect.stringMatching(/^\(not kept: /) as string;

  test("keeps no body of a request without a valid key", async () => {
    expect(await bodies(text(100), 1, { authorization: basic("demo-key-id", "wrong") })).toEqual([null]);
  });

  test.each([
    ["every body of at most 1 MiB", MIB, 2, kept(2)],
    ["no body over 1 MiB", MIB + 1, 1, [notKept]],
    ["the latest 16 MiB", MIB, 17, [notKept, ...kept(16)]],
  ])("keeps %s", async (_, bytes, count, expected) => {
    expect(await bodies(text(bytes), count)).toEqual(expected);
  });

  test("shows requests whose bodies are nested too deeply for the page", async () => {
    expect(await bodies(nested(100), 1)).toEqual([JSON.parse(nested(100))]);
    expect(await bodies(nested(200_000), 1)).toEqual(["(not shown: it is nested too deeply)"]);
  });
});

test("the control path refuses long and deep bodies", async () => {
  const simulator = await start({ control: true });
  const statuses = [`"${"x".repeat(10 * 1024 * 1024)}"`, nested(800_000), "{}"].flatMap((body) =>
    // A stream is sent without its length.
    [body, new Blob([body]).stream()].map(async (sent) => {
      const options = { method: "POST", headers: { "content-type": "application/json" }, duplex: "half" };
      return (await fetch(`${simulator.url}/control/faults`, { ...options, body: sent } as RequestInit))
        .status;
    }),
  );
  expect(await Promise.all(statuses)).toEqual([413, 413, 400, 400, 400, 400]);
});
