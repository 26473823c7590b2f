import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createPipe } from "../../../provider/src/resources/recovery/create-pipe";
import type { Identified, WireObject } from "../../../provider/src/api/wire";
import { newSimulator } from "../../../testkit/simulator";
import { InstantClock } from "../../../testkit/instant-clock";
import { listening } from "../network/servers";
import { connect, failureOf, PIPE, type Connected } from "../../../testkit/connected";

/** How a service writes the moment when a pipe was made. */
type Written = (moment: number) => string | undefined;
const MILLISECONDS: Written = (moment) => new Date(moment).toISOString();
const NOTHING: Written = () => undefined;

interface Service extends Connected {
  readonly clock: InstantClock;
  readonly pipes: Identified[];
  readonly requests: string[];
  /** Makes a pipe as a POST with this body does. */
  make(body: WireObject): Identified;
  /** What the next POST does, in place of an answer; undefined to answer it. */
  lost: ((body: WireObject) => void) | undefined;
  /** How a list shows the pipes. */
  list: (pipes: readonly Identified[]) => readonly Identified[];
}

const START = Date.parse("2026-01-31T12:00:00.250Z");

/** A service whose time is ours, moved, and shifted by so much; each request takes 20 ms each way. */
async function serviceOf(ahead: number, written: Written): Promise<Service> {
  const clock = new InstantClock();
  const serverNow = (): number => START + ahead + clock.now();
  const answerTo = (method: string, body: () => WireObject): unknown => {
    service.requests.push(method);
    if (method === "GET") return service.list(service.pipes);
    const { lost } = service;
    service.lost = undefined;
    if (lost === undefined) return service.make(body());
    lost(body());
    return undefined;
  };
  const server = createServer((request, response) => {
    void text(request).then(async (sent) => {
      await clock.sleep(20);
      response.setHeader("Date", new Date(serverNow()).toUTCString());
      const result = answerTo(request.method ?? "", () => JSON.parse(sent) as WireObject);
      await clock.sleep(20);
      if (result === undefined) response.destroy();
      else response.end(JSON.stringify({ status: 200, requestId: "r", result }));
    });
  });
  const baseUrl = `http://${await listening(server)}`;
  const service: Service = {
    ...connect(await newSimulator(), { baseUrl, clock }),
    clock,
    pipes: [],
    requests: [],
    make: (body) => {
      const pipe = { createdAt: written(serverNow()), ...body, id: randomUUID() };
      service.pipes.push(pipe);
      return pipe;
    },
    lost: undefined,
    list: (all) => all,
  };
  return service;
}

const creating = ({ client, scope }: Service, name = PIPE.name) =>
  createPipe(client, scope, { ...PIPE, name });

/** Makes a service whose list of before is a minute old when our POST comes. */
async function longAfterTheList(ahead: number, written: Written): Promise<Service> {
  const service = await serviceOf(ahead, written);
  await creating(service, "first");
  service.pipes.length = 0;
  await service.clock.sleep(60_000);
  return service;
}

/** A pipe that our POST or another client's makes, in capitals with a normalized table; or a pause in ms. */
type Step = "ours" | "theirs" | "OURS" | number;

/** What happens before our POST and during it, which has no answer; whose pipe is taken then, or a part of the error. */
type Scenario = [what: string, before: Step[], during: Step[], outcome: string];

async function follow(service: Service, [, before, during, outcome]: Scenario): Promise<void> {
  const made = new Map<string, Step>();
  const act = (step: Step, body: WireObject): void => {
    if (typeof step === "number") void service.clock.sleep(step);
    else {
      const pipe = service.make(step === "theirs" ? PIPE : body);
      if (step === "OURS")
        Object.assign(pipe, { destination: { table: PIPE.destination.table.toUpperCase() } });
      made.set(pipe.id, step);
    }
  };
  for (const step of before) act(step, PIPE);
  service.requests.length = 0;
  service.lost = (body) => {
    for (const step of during) act(step, body);
  };
  const work = creating(service).then(({ id }) => `takes ${id}`);
  const { code, message } = outcome.startsWith("takes ")
    ? { code: undefined, message: await work }
    : await failureOf(work);
  const named = [...made].reduce((words, [id, step]) => words.replaceAll(id, String(step)), message);
  expect(named).toContain(outcome);
  expect(code).toBe(outcome.startsWith("takes ") ? undefined : "conflict");
  expect(service.requests.filter((method) => method === "POST")).toHaveLength(1);
  expect(service.pipes).toHaveLength(made.size);
}

const NOT_ADOPTED = "The provider did not adopt it.";

describe.each([
  ["as late as ours", 0],
  ["8 minutes ahead", 480_000],
  ["8 minutes behind", -480_000],
])("with a server's clock %s, after a POST without an answer", (_, ahead) => {
  test.each<Scenario>([
    ["finds its own pipe, also when the earlier list is old", [], ["ours"], "takes ours"],
    ["finds its own pipe, whose table the service normalizes", [], ["OURS"], "takes OURS"],
    [
      "names a pipe that another client created 4 s before, and does not adopt it",
      ["theirs", 4_000],
      [],
      `theirs (created before the request). ${NOT_ADOPTED}`,
    ],
    [
      "names a pipe that another client created 1 s before, and does not adopt it",
      ["theirs", 1_000],
      [],
      `theirs (perhaps created before the request). ${NOT_ADOPTED}`,
    ],
    [
      "takes its own pipe beside one that another client created 4 s before",
      ["theirs", 4_000],
      ["ours"],
      "takes ours",
    ],
    [
      "names both pipes and takes neither when another client created the same pipe at the same time",
      [],
      ["theirs", "ours"],
      "have appeared: theirs, ours. The provider adopted none of them.",
    ],
    [
      "takes a pipe that another client created a second after a failed POST: it equals its own",
      [],
      [1_000, "theirs"],
      "takes theirs",
    ],
  ])("%s", async (...scenario) => {
    await follow(await longAfterTheList(ahead, MILLISECONDS), scenario);
  });
});

describe("where a service writes no creation times, after a POST without an answer", () => {
  test.each<Scenario>([
    ["finds its own pipe", [], ["ours"], "takes ours"],
    [
      "names its own pipe, whose table the service normalizes",
      [],
      ["OURS"],
      `OURS (perhaps created before the request). ${NOT_ADOPTED}`,
    ],
  ])("%s when the list was read just before", async (...scenario) => {
    await follow(await serviceOf(0, NOTHING), scenario);
  });

  test.each<Scenario>([
    ["names its own pipe", [], ["ours"], `ours (perhaps created before the request). ${NOT_ADOPTED}`],
    ["does not take a pipe that another client created a second before", ["theirs", 1_000], [], "theirs"],
  ])("%s when the earlier list is old", async (...scenario) => {
    await follow(await longAfterTheList(0, NOTHING), scenario);
  });

  test("counts a pipe once that the list repeats, in another case", async () => {
    const service = await serviceOf(0, NOTHING);
    service.list = (all) => [...all, ...all.map((pipe) => ({ ...pipe, id: pipe.id.toUpperCase() }))];
    service.lost = (body) => void service.make(body);
    const { id } = await creating(service);
    expect([id.toLowerCase(), service.pipes.length]).toEqual([service.pipes[0]?.id, 1]);
  });
});

test("creates with answers send one list for all and one POST each, however old the list is", async () => {
  const service = await longAfterTheList(0, MILLISECONDS);
  await creating(service, "second");
  expect(service.requests).toEqual(["GET", "POST", "POST"]);
});
