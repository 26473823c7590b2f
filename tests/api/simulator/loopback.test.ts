import { connect } from "node:net";
import type { Simulator } from "../../../simulator/src/index";
import { basic, send, servicePath, start } from "./client";

const portOf = ({ url }: Simulator): number => Number(new URL(url).port);

/** Sends lines as they are, which no client library does with these headers; answers all that comes back. */
function raw(simulator: Simulator, lines: readonly string[], body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(simulator), "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("end", () => {
      socket.destroy();
      resolve(text);
    });
    socket.on("error", reject);
    socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  });
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

const get = (path: string, ...headers: string[]): string[] => [`GET ${path} HTTP/1.1`, ...headers];

describe("the Host header", () => {
  test.each(["127.0.0.1", "127.0.0.1:1", "localhost", "LOCALHOST:65535", "[::1]", "[::1]:8600"])(
    "may be %s",
    async (host) => {
      const simulator = await start({ control: true });
      expect(statusOf(await raw(simulator, get("/control/state", `Host: ${host}`)))).toBe(200);
    },
  );

  test.each([
    "attacker.example",
    "attacker.example:8600",
    "localhost.attacker.example",
    "localhost.",
    "127.0.0.1.attacker.example",
    "127.0.0.1@attacker.example",
    "attacker.example:80@127.0.0.1",
    "2130706433",
    "0.0.0.0",
    "192.168.0.1:8600",
    "[::ffff:127.0.0.1]",
    "",
  ])("is answered with 403 when it is '%s', on the control path and on the API path", async (host) => {
    const simulator = await start({ control: true });
    for (const path of ["/control/requests", `${servicePath(simulator)}/pipes`, "/"]) {
      const text = await raw(simulator, get(path, `Host: ${host}`));
      expect([path, statusOf(text)]).toEqual([path, 403]);
      expect(text).toContain("the Host header must be 127.0.0.1, localhost or [::1]");
    }
    expect(simulator.control.requests()).toEqual([]);
  });

  test("must be there in HTTP/1.0 too, and a target with another host is refused", async () => {
    const simulator = await start({ control: true });
    expect(statusOf(await raw(simulator, ["GET /control/state HTTP/1.0"]))).toBe(403);
    const target = get("http://attacker.example/control/state", "Host: 127.0.0.1");
    expect(statusOf(await raw(simulator, target))).toBe(403);
  });
});

describe("a request of a web page", () => {
  test.each([
    ["Origin: https://attacker.example"],
    ["Origin: null"],
    ["Origin: http://127.0.0.1:1"],
    ["Origin: http://localhost"],
    ["Origin: https://127.0.0.1:PORT"],
    ["Origin: http://127.0.0.1:PORT.attacker.example"],
    ["Sec-Fetch-Site: cross-site"],
    ["Sec-Fetch-Site: same-site"],
  ])("of another origin is answered with 403 and has no effect: %s", async (header) => {
    const simulator = await start({ control: true });
    const port = String(portOf(simulator));
    const own = header.replace("PORT", port);
    const { apiKeyId, apiKeySecret } = simulator.account;
    simulator.control.seedBackups([{}], { replace: true });
    const control = ["POST /control/reset HTTP/1.1", `Host: 127.0.0.1:${port}`, own, "Content-Length: 0"];
    const text = await raw(simulator, control);
    expect([statusOf(text), text.includes("access-control")]).toEqual([403, false]);
    const api = [...get(`${servicePath(simulator)}/pipes`, "Host: localhost"), own];
    const authorization = `Authorization: ${basic(apiKeyId, apiKeySecret)}`;
    expect(statusOf(await raw(simulator, [...api, authorization]))).toBe(403);
    expect(simulator.control.state().backups).toHaveLength(1);
    expect(simulator.control.requests()).toEqual([]);
  });

  test("of another origin learns nothing from a preflight", async () => {
    const simulator = await start({ control: true });
    const preflight = [
      "OPTIONS /control/faults HTTP/1.1",
      "Host: 127.0.0.1",
      "Origin: https://attacker.example",
    ];
    const text = await raw(simulator, [...preflight, "Access-Control-Request-Method: POST"]);
    expect([statusOf(text), /access-control-allow/i.test(text)]).toEqual([403, false]);
  });

  test.each(["127.0.0.1", "localhost", "[::1]"])(
    "of the simulator's own origin is accepted: %s",
    async (host) => {
      const simulator = await start({ control: true });
      const authority = `${host}:${portOf(simulator)}`;
      const headers = [`Host: ${authority}`, `Origin: http://${authority}`, "Sec-Fetch-Site: same-origin"];
      expect(statusOf(await raw(simulator, get("/control/state", ...headers)))).toBe(200);
    },
  );
});

test.each([
  ["text/plain", "Content-Type: text/plain"],
  ["a form", "Content-Type: application/x-www-form-urlencoded"],
  ["application/jsonp", "Content-Type: application/jsonp"],
  ["nothing", "X-None: 1"],
])("a body of %s on the control path is answered with 415", async (_what, type) => {
  const simulator = await start({ control: true });
  const body = JSON.stringify({ operationId: "*", kind: "hang" });
  const head = ["POST /control/faults HTTP/1.1", "Host: 127.0.0.1", type, `Content-Length: ${body.length}`];
  expect(statusOf(await raw(simulator, head, body))).toBe(415);
  expect(simulator.control.faults()).toEqual([]);
});

test("a body of JSON on the control path is read", async () => {
  const simulator = await start({ control: true });
  const headers = { "content-type": "application/json; charset=utf-8" };
  const fault = { operationId: "*", kind: "hang" };
  expect((await send(simulator, "POST", "/control/faults", fault, { headers })).status).toBe(200);
});
