import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createGzip } from "node:zlib";
import { generate } from "selfsigned";
import { connect, failureOf, type Connected } from "../../../testkit/connected";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { listening } from "./servers";

/** A client of a server that answers as it likes. */
async function clientOf(
  answer: RequestListener,
  more: Parameters<typeof connect>[1] = {},
): Promise<Connected> {
  const simulator = await newSimulator();
  const baseUrl = `http://${await listening(createServer(answer))}`;
  return connect(simulator, { baseUrl, clock: new InstantClock(), ...more });
}

const enveloped = (result: unknown): string => JSON.stringify({ status: 200, requestId: "r", result });

describe("an oversized answer is refused before its end", () => {
  const filler = Buffer.alloc(1024 * 1024, " ");

  test("without compression, and the request is not repeated", async () => {
    let asked = 0;
    const { client, scope } = await clientOf(
      (_request, response) => {
        asked += 1;
        const writeMore = (): void => {
          while (!response.destroyed && response.write(filler));
          if (!response.destroyed) response.once("drain", writeMore);
        };
        writeMore();
      },
      { maxRetries: 3, requestTimeoutSeconds: 50 },
    );
    const { code, message } = await failureOf(client.listPipes(scope));
    expect([code, asked]).toEqual(["invalid-response", 1]);
    expect(message).toContain("returned more than 256 MiB, which the provider does not read");
  });

  test("when only its unpacked size is too large", async () => {
    const { client, scope } = await clientOf(
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        const packing = createGzip();
        packing.pipe(response);
        const writeMore = (): void => {
          while (!response.destroyed && packing.write(filler));
          if (!response.destroyed) packing.once("drain", writeMore);
        };
        writeMore();
      },
      { requestTimeoutSeconds: 50 },
    );
    expect((await failureOf(client.listPipes(scope))).message).toContain("returned more than 256 MiB");
  });
});

describe("an untrusted certificate", () => {
  test("ends the request before it sends anything, says so, and is not retried", async () => {
    const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
    const seen: unknown[] = [];
    const server = createTlsServer({ key, cert }, (request, response) => {
      seen.push(request.headers);
      response.end(enveloped([]));
    });
    const simulator = await newSimulator();
    const baseUrl = `https://${await listening(server)}`;
    const { client, scope, lines } = connect(simulator, {
      baseUrl,
      maxRetries: 3,
      clock: new InstantClock(),
    });
    const error = await failureOf(client.listPipes(scope));
    expect(error).toMatchObject({ code: "connection", answer: { arrived: false } });
    expect(error.message).toContain(
      "Node.js did not accept the server's certificate: check datapipes:baseUrl and NODE_EXTRA_CA_CERTS.",
    );
    expect([seen, lines]).toEqual([[], []]);
  });
});

test("each write opens its own connection, which no idle timeout of a server closes", async () => {
  const ports: Record<string, (number | undefined)[]> = { GET: [], POST: [], PATCH: [] };
  const { client, scope } = await clientOf((request, response) => {
    ports[request.method ?? ""]?.push(request.socket.remotePort);
    request.resume().on("end", () => {
      response.end(enveloped(request.method === "GET" ? [] : { id: request.url?.split("/").at(-1) }));
    });
  });
  await client.listPipes(scope);
  await client.listPipes(scope);
  await client.createReversePrivateEndpoint(scope, {});
  await client.createReversePrivateEndpoint(scope, {});
  await client.updateService(scope, { ipAccessList: { add: [] } });
  expect(new Set(ports["GET"]).size).toBe(1);
  expect(new Set([...(ports["POST"] ?? []), ...(ports["PATCH"] ?? []), ports["GET"]?.[0]]).size).toBe(4);
});

describe("an answer about another object is refused:", () => {
  const OTHER = "0a1b2c3d-0000-4000-8000-00000000beef";
  const answering = (result: unknown): Promise<Connected> =>
    clientOf((request, response) => {
      request.resume().on("end", () => response.end(enveloped(result)));
    });

  test("a change of a pipe that answers with another pipe", async () => {
    const { client, scope } = await answering({ id: OTHER });
    const error = await failureOf(
      client.updatePipe(scope, "0a1b2c3d-0000-4000-8000-0000000000aa", { name: "x" }),
    );
    expect(error).toMatchObject({ code: "invalid-response", answer: { operation: "updatePipe" } });
    expect(error.message).toContain("succeeded, but the result is another pipe");
  });

  test("a change of a service that answers with another service", async () => {
    const { client, scope } = await answering({ id: OTHER });
    expect((await failureOf(client.updateService(scope, { name: "x" }))).message).toContain(
      "succeeded, but the result is another service",
    );
  });

  test.each(["createReversePrivateEndpoint", "updatePipe"] as const)(
    "%s that answers for another service",
    async (operation) => {
      const { client, scope } = await answering({ id: "x", serviceId: OTHER });
      const work =
        operation === "updatePipe"
          ? client.updatePipe(scope, "x", {})
          : client[operation](scope, { description: "d" });
      expect((await failureOf(work)).message).toContain(
        "succeeded, but the result is an object of another service",
      );
    },
  );

  test("a list of backups of another service", async () => {
    const { client, scope } = await answering([{ id: "b", serviceId: OTHER }]);
    expect((await failureOf(client.listBackups(scope))).code).toBe("invalid-response");
  });

  test("the same id in capitals is accepted", async () => {
    const { client, scope } = await answering([
      { id: "b", serviceId: "0A1B2C3D-0000-4000-8000-000000000002" },
    ]);
    expect(await client.listBackups(scope)).toHaveLength(1);
  });
});

describe("a list of 10,000 pipes", () => {
  const pipes = Array.from({ length: 10_000 }, (_, n) => ({
    id: `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, "0")}`,
    name: `pipe-${n}`,
    state: "Running",
    source: { kafka: { brokers: "b-1.example:9092,b-2.example:9092", topics: `topic-${n}` } },
    destination: {
      table: `t${n}`,
      columns: Array.from({ length: 20 }, (_, c) => ({ name: `c${c}`, type: "String" })),
    },
  }));

  test("is read once for all reads of its pipes", async () => {
    let lists = 0;
    const { client, scope } = await clientOf((_request, response) => {
      lists += 1;
      response.end(enveloped(pipes));
    });
    const found = await Promise.all(pipes.map(({ id }) => client.findPipe(scope, id)));
    expect(found.map((pipe) => pipe?.["name"])).toEqual(pipes.map(({ name }) => name));
    expect(lists).toBe(1);
  });
});

test("a server's words neither control the terminal nor look like a line of their own", async () => {
  const { client, scope } = await clientOf((_request, response) => {
    response
      .writeHead(400)
      .end(JSON.stringify({ error: "\u001b[2J\r\nup to date\u0007", requestId: "\u001b[31mr" }));
  });
  const { message } = await failureOf(client.listPipes(scope));
  expect(message).toContain("returned 400 (request [31mr): [2J up to date. Correct");
});

test("plain http to another machine causes a warning at every run", async () => {
  const simulator = await newSimulator();
  const { lines } = connect(simulator, { baseUrl: "http://api.example.com" });
  expect(lines).toEqual([
    "warning: http://api.example.com uses plain http (datapipes:allowInsecure): the provider sends the API key and all secrets unencrypted.",
  ]);
  expect(connect(simulator).lines).toEqual([]);
  expect(connect(simulator, { allowInsecure: true }).lines).toEqual([
    expect.stringMatching(/^warning: datapipes:allowInsecure is "true"/),
  ]);
});

test("the message shows a gateway's request id when it has the form of one", async () => {
  const said = async (id: string): Promise<string> => {
    const { client, scope } = await clientOf((_request, response) => {
      response.writeHead(504, { "x-request-id": id }).end("<html></html>");
    });
    return (await failureOf(client.listPipes(scope))).message;
  };
  expect(await said("Root=1-67891233-abcdef01/2")).toContain(
    "returned 504 (request Root=1-67891233-abcdef01/2): an HTML page",
  );
  expect(await said("x".repeat(200))).toContain("returned 504: an HTML page");
});
