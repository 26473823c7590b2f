import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Clock } from "../../../provider/src/api/rate-limiter";
import type { Identified, WireObject } from "../../../provider/src/api/wire";
import { newSimulator } from "../../../testkit/simulator";
import { listening } from "../network/servers";
import { connect, failureOf, PIPE, type Connected } from "../../../testkit/connected";

/** How a service writes the moment when a pipe was made. */
type Written = (moment: number) => string | undefined;
const MILLISECONDS: Written = (moment) => new Date(moment).toISOString();
const SECONDS: Written = (moment) => new Date(moment).toISOString().replace(/\.\d+/, "");
const ZONELESS: Written = (moment) => new Date(moment).toISOString().replace("Z", "");
const NOTHING: Written = () => undefined;

interface Service extends Connected {
  readonly pipes: Identified[];
  readonly requests: string[];
  /** Another client makes the same pipe. */
  foreign(): string;
  wait(milliseconds: number): void;
  /** What the next POST does, in place of an answer, unless its pipe is named "first" or "second". */
  lost: ((make: (more?: WireObject) => Identified) => void) | undefined;
  /** The pipes that a list returns, by its number from 1. */
  list: (pipes: readonly Identified[], count: number) => readonly Identified[];
}

const START = Date.parse("2026-01-31T12:00:00.250Z");

/** A service whose time is ours, moved, and shifted by so much; each request takes 20 ms each way. */
async function serviceOf(ahead: number, written: Written, maxRetries = 0): Promise<Service> {
  let now = 0;
  const pipes: Identified[] = [];
  const serverNow = (): number => START + ahead + now;
  const make = (body: WireObject): Identified => {
    const pipe = { createdAt: written(serverNow()), ...body, id: randomUUID() };
    pipes.push(pipe);
    return pipe;
  };
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      now += 20;
      service.requests.push(request.method ?? "");
      response.setHeader("Date", new Date(serverNow()).toUTCString());
      const answer = (result: unknown): void => {
        now += 20;
        response.end(JSON.stringify({ status: 200, requestId: "r", result }));
      };
      if (request.method === "GET") {
        const { length } = service.requests.filter((method) => method === "GET");
        answer(service.list(pipes, length));
        return;
      }
      const body = JSON.parse(sent) as WireObject;
      const { lost } = service;
      if (lost === undefined || ["first", "second"].some((name) => body["name"] === name)) {
        answer(make(body));
        return;
      }
      service.lost = undefined;
      lost((more) => make({ ...body, ...more }));
      now += 20;
      response.destroy();
    });
  });
  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
  const baseUrl = `http://${await listening(server)}`;
  const service: Service = {
    ...connect(await newSimulator(), { baseUrl, clock, maxRetries }),
    pipes,
    requests: [],
    foreign: () => make(PIPE).id,
    wait: (milliseconds) => void (now += milliseconds),
    lost: () => undefined,
    list: (all) => all,
  };
  return service;
}

/** A service whose list of before is a minute old when our POST comes. */
async function longAfterTheList(ahead: number, written: Written): Promise<Service> {
  const service = await serviceOf(ahead, written);
  await createPipe(service.client, service.scope, { ...PIPE, name: "first" });
  service.wait(60_000);
  return service;
}

const SKEWS: [what: string, ahead: number][] = [
  ["as late as ours", 0],
  ["8 minutes ahead", 480_000],
  ["8 minutes behind", -480_000],
];

describe.each(SKEWS)("with a server's clock %s, after a POST without an answer", (_, ahead) => {
  test("finds its own pipe, also when the earlier list is old", async () => {
    const service = await longAfterTheList(ahead, MILLISECONDS);
    let own = "";
    service.lost = (make) => (own = make().id);
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(own);
    expect(service.requests.filter((method) => method === "POST")).toHaveLength(2);
  });

  test.each([
    [4_000, "created before the request"],
    [1_000, "perhaps created before the request"],
  ])(
    "names a pipe that another client created %d ms before, and does not adopt it",
    async (before, doubt) => {
      const service = await longAfterTheList(ahead, MILLISECONDS);
      const foreign = service.foreign();
      service.wait(before);
      const { code, message } = await failureOf(createPipe(service.client, service.scope, PIPE));
      expect(code).toBe("conflict");
      expect(message).toContain(`${foreign} (${doubt}). The provider did not adopt it.`);
      expect(service.pipes.map(({ name }) => name)).toEqual(["first", PIPE.name]);
    },
  );

  test("takes its own pipe beside one that another client created 4 s before", async () => {
    const service = await longAfterTheList(ahead, MILLISECONDS);
    service.foreign();
    service.wait(4_000);
    let own = "";
    service.lost = (make) => (own = make().id);
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(own);
  });

  test("names both pipes and takes neither when another client created the same pipe at the same time", async () => {
    const service = await longAfterTheList(ahead, MILLISECONDS);
    let ids: string[] = [];
    service.lost = (make) => (ids = [service.foreign(), make().id]);
    const { message } = await failureOf(createPipe(service.client, service.scope, PIPE));
    expect(message).toContain(`have appeared: ${ids.join(", ")}. The provider adopted none of them.`);
  });

  test("takes a pipe that another client created a second after a failed POST: it equals its own", async () => {
    const service = await longAfterTheList(ahead, MILLISECONDS);
    let foreign = "";
    service.lost = () => {
      service.wait(1_000);
      foreign = service.foreign();
    };
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(foreign);
  });
});

describe.each<[what: string, written: Written]>([
  ["in whole seconds", SECONDS],
  ["without a zone", ZONELESS],
  ["not at all", NOTHING],
])("where a service writes creation times %s", (_, written) => {
  test("finds its own pipe when the list was read just before", async () => {
    const service = await serviceOf(0, written);
    let own = "";
    service.lost = (make) => (own = make().id);
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(own);
  });

  test("names the pipe and does not send the POST again when the earlier list is old", async () => {
    const service = await longAfterTheList(0, written);
    let own = "";
    service.lost = (make) => (own = make().id);
    const { code, message } = await failureOf(createPipe(service.client, service.scope, PIPE));
    expect([code, service.requests.filter((method) => method === "POST").length]).toEqual(["conflict", 2]);
    expect(message).toContain(`${own} (perhaps created before the request)`);
  });

  test("does not take a pipe that another client created a second before the POST when the list is old", async () => {
    const service = await longAfterTheList(0, written);
    const foreign = service.foreign();
    service.wait(1_000);
    expect((await failureOf(createPipe(service.client, service.scope, PIPE))).message).toContain(foreign);
  });
});

describe("after a POST without an answer, where the service normalizes the name of the table", () => {
  const inCapitals = (pipe: Identified): string =>
    Object.assign(pipe, { destination: { table: PIPE.destination.table.toUpperCase() } }).id;

  test.each(SKEWS)("finds its own pipe, with a server's clock %s", async (_, ahead) => {
    const service = await longAfterTheList(ahead, MILLISECONDS);
    let own = "";
    service.lost = (make) => (own = inCapitals(make()));
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(own);
    expect(service.requests.filter((method) => method === "POST")).toHaveLength(2);
  });

  test("names the pipe and does not send the POST again when it has no creation time", async () => {
    const service = await serviceOf(0, NOTHING);
    let own = "";
    service.lost = (make) => (own = inCapitals(make()));
    const { code, message } = await failureOf(createPipe(service.client, service.scope, PIPE));
    expect([code, service.requests.filter((method) => method === "POST").length]).toEqual(["conflict", 1]);
    expect(message).toContain(`${own} (perhaps created before the request). The provider did not adopt it.`);
  });

  test("takes neither of two normalized pipes, and does not send the POST again", async () => {
    const service = await longAfterTheList(0, MILLISECONDS);
    let ids: string[] = [];
    service.lost = (make) => (ids = [inCapitals(make()), inCapitals(make())]);
    const { message } = await failureOf(createPipe(service.client, service.scope, PIPE));
    expect(ids.filter((id) => message.includes(id))).toEqual(ids);
    expect(service.pipes).toHaveLength(3);
  });

  test("takes the pipe that equals the program's beside another client's", async () => {
    const service = await longAfterTheList(0, MILLISECONDS);
    let own = "";
    service.lost = (make) => {
      inCapitals(make());
      own = make().id;
    };
    expect((await createPipe(service.client, service.scope, PIPE)).id).toBe(own);
  });
});

describe("after a POST without an answer, where the list is not what the program expects", () => {
  const inOtherCase = (pipes: readonly Identified[]): readonly Identified[] =>
    pipes.map((pipe) => ({ ...pipe, id: pipe.id.toUpperCase() }));
  const creating = ({ client, scope }: Service, name = PIPE.name) =>
    createPipe(client, scope, { ...PIPE, name });

  test("names a pipe whose name the service has normalized, and does not send the POST again", async () => {
    const service = await serviceOf(0, NOTHING);
    service.lost = (make) => make({ name: "orders" });
    const { code, message } = await failureOf(creating(service, "Orders "));
    expect([code, service.pipes.length]).toEqual(["conflict", 1]);
    expect(message).toContain(
      `may not have created: ${service.pipes[0]?.id} (differs from the program). The provider did not adopt it.`,
    );
  });

  test("does not adopt an older pipe that the list before the POST left out", async () => {
    const service = await serviceOf(0, () => "2020-01-01T00:00:00Z");
    const old = service.foreign();
    service.list = (all, count) => (count === 1 ? [] : all);
    expect((await failureOf(creating(service))).message).toContain(old);
    expect(service.pipes).toHaveLength(1);
  });

  test("does not adopt another client's pipe with another source, and creates its own", async () => {
    const service = await serviceOf(0, NOTHING, 2);
    service.lost = (make) => make({ source: { kinesis: { streamName: "s" } } });
    const { id } = await creating(service);
    expect(service.pipes.map((pipe) => pipe.id).indexOf(id)).toBe(1);
  });

  test("counts a pipe once that the list repeats", async () => {
    const service = await serviceOf(0, NOTHING);
    service.lost = (make) => make();
    service.list = (all) => [...all, ...inOtherCase(all)];
    const { id } = await creating(service);
    expect([id.toLowerCase(), service.pipes.length]).toEqual([service.pipes[0]?.id, 1]);
  });

  test("recognizes an older pipe whose id the list writes in capitals", async () => {
    const service = await serviceOf(0, NOTHING, 2);
    service.foreign();
    service.list = (all, count) => (count % 2 === 0 ? inOtherCase(all) : all);
    const { id } = await creating(service);
    expect(id).toBe(service.pipes[1]?.id);
  });
});

test("two runs that create the same pipe at once take neither when both answers are lost", async () => {
  const service = await longAfterTheList(0, MILLISECONDS);
  service.lost = (make) => {
    make();
    service.foreign();
  };
  await failureOf(createPipe(service.client, service.scope, PIPE));
  expect(service.pipes).toHaveLength(3);
});

test("creates with answers send one list for all and one POST each, however old the list is", async () => {
  const service = await longAfterTheList(0, MILLISECONDS);
  await createPipe(service.client, service.scope, { ...PIPE, name: "second" });
  expect(service.requests).toEqual(["GET", "POST", "POST"]);
});
