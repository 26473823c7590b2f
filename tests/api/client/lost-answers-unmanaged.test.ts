import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Identified, WireObject } from "../../../provider/src/api/wire";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { listening } from "../network/servers";
import { connect, failureOf, PIPE, type Connected } from "../../../testkit/connected";

/** A minimal service of pipes that does not answer the first POST. */
interface Service extends Connected {
  readonly pipes: Identified[];
  posts: number;
}

interface Behaviour {
  /** The pipes that a POST creates, by its number from 1. */
  readonly post: (body: WireObject, count: number) => Identified[];
  /** The pipes that a list returns, by its number from 1. */
  readonly list?: (pipes: readonly Identified[], count: number) => readonly Identified[];
}

async function serviceOf({ post, list = (pipes) => pipes }: Behaviour): Promise<Service> {
  const pipes: Identified[] = [];
  let lists = 0;
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const answer = (result: unknown): void => {
        response.end(JSON.stringify({ status: 200, requestId: "r", result }));
      };
      if (request.method === "GET") {
        answer(list(pipes, (lists += 1)));
        return;
      }
      service.posts += 1;
      const made = post(JSON.parse(text) as WireObject, service.posts);
      pipes.push(...made);
      if (service.posts === 1) response.destroy();
      else answer(made[0]);
    });
  });
  const baseUrl = `http://${await listening(server)}`;
  const service: Service = {
    ...connect(await newSimulator(), { baseUrl, clock: new InstantClock(), maxRetries: 2 }),
    pipes,
    posts: 0,
  };
  return service;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const made = (body: WireObject, more: WireObject = {}): Identified => ({
  id: randomUUID(),
  ...body,
  ...more,
});
const inCapitals = (pipes: readonly Identified[]): readonly Identified[] =>
  pipes.map((pipe) => ({ ...pipe, id: pipe.id.toUpperCase() }));

describe("after a POST without an answer", () => {
  test("names a pipe whose name the service has normalized, and does not send the POST again", async () => {
    const { client, scope, pipes } = await serviceOf({ post: (body) => [made(body, { name: "orders" })] });
    const { code, message } = await failureOf(createPipe(client, scope, { ...PIPE, name: "Orders " }));
    expect([code, pipes.length]).toEqual(["conflict", 1]);
    expect(message).toContain(
      `may not have created: ${pipes[0]?.id} (differs from the program). The provider did not adopt it.`,
    );
  });

  test("does not adopt an older pipe that the list before the POST left out", async () => {
    const { client, scope, pipes } = await serviceOf({
      post: () => [],
      list: (all, count) => (count === 1 ? [] : all),
    });
    pipes.push(made(PIPE, { createdAt: "2020-01-01T00:00:00Z" }));
    const { message } = await failureOf(createPipe(client, scope, PIPE));
    expect(message).toContain(pipes[0]?.id ?? "no pipe");
    expect(pipes).toHaveLength(1);
  });

  test("does not adopt another client's pipe with another source, and creates its own", async () => {
    const { client, scope, pipes } = await serviceOf({
      post: (body, count) => [
        count === 1 ? made(body, { source: { kinesis: { streamName: "s" } } }) : made(body),
      ],
    });
    const { id } = await createPipe(client, scope, PIPE);
    expect(pipes.map((pipe) => pipe.id).indexOf(id)).toBe(1);
  });

  test("counts a pipe once that the list repeats", async () => {
    const { client, scope, pipes } = await serviceOf({
      post: (body) => [made(body)],
      list: (all) => [...all, ...inCapitals(all)],
    });
    const { id } = await createPipe(client, scope, PIPE);
    expect([id.toLowerCase(), pipes.length]).toEqual([pipes[0]?.id, 1]);
  });

  test("recognizes an older pipe whose id the list writes in capitals", async () => {
    const { client, scope, pipes } = await serviceOf({
      post: (body, count) => (count === 1 ? [] : [made(body)]),
      list: (all, count) => (count % 2 === 0 ? inCapitals(all) : all),
    });
    pipes.push(made(PIPE));
    const { id } = await createPipe(client, scope, PIPE);
    expect(id).toBe(pipes[1]?.id);
  });
});
