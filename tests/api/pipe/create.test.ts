import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import type { FaultKind, Profile, TimeFormat } from "../../../simulator/src/index";
import { answer, requestCounts, type SimulatorOptions } from "../../kit/simulator";
import { failureOf } from "../../kit/client";
import { newRun, up, type ResourceRun } from "../../kit/run";
import { withValue, type JsonObject } from "../../kit/json";
import { creationBody, minimal } from "../../kit/pipes";

const orders: JsonObject = { __key: "Pipe::orders", name: "orders", ...minimal.kafka };
/** A pipe of the same name, table and kind of source, which loads other data. */
const returns = withValue(minimal.kafka, "source.kafka.topics", "returns");

const running = (options?: SimulatorOptions) => newRun(pipeDefinition, options, { maxRetries: 4 });
const lose = ({ control }: ResourceRun, kind: FaultKind = { kind: "reset-after" }): void => {
  control.fault({ operationId: "createPipe", ...kind });
};
const idsIn = ({ control }: ResourceRun): string[] => control.state().pipes.map(({ id }) => id);
const posts = ({ simulator }: ResourceRun): number | undefined => requestCounts(simulator)["createPipe"];

/** Another client creates a pipe that the provider could take for its own. */
const createElsewhere = ({ control }: ResourceRun): string =>
  control.seedPipes([creationBody("orders", returns)])[0]?.id ?? "";

/** A run whose list is 50 seconds old when the next create needs it. */
async function withOldList(options: SimulatorOptions = {}): Promise<ResourceRun> {
  const run = await running(options);
  run.nextRun();
  await up(run, { __key: "Pipe::first", name: "first", ...minimal.kinesis });
  await run.clock.sleep(50_000);
  run.control.clearRequests();
  return run;
}

const status = (code: number, body?: unknown): FaultKind => ({
  kind: "status",
  status: code,
  processed: true,
  ...(body !== undefined && { body }),
});

test.each<[what: string, fault: FaultKind]>([
  ...[408, 499, 500, 502, 503, 504].map((code): [string, FaultKind] => [`a ${code}`, status(code)]),
  ["an HTML error page of a gateway", { kind: "html", status: 404, processed: true }],
  ["an HTML page of status 200", { kind: "html", status: 200, processed: true }],
  ["broken JSON", { kind: "bad-json", processed: true }],
  ["an envelope without a pipe", { ...answer({}), processed: true }],
  ["a 429 of a gateway", status(429, "too many requests")],
])(
  "a create whose answer is %s sends one POST and takes the pipe that a later list shows",
  async (_, fault) => {
    const run = await running({ readLagSeconds: 20 });
    lose(run, fault);
    const { id } = await up(run, orders);
    expect(idsIn(run)).toEqual([id]);
    expect(posts(run)).toBe(1);
  },
);

test("a create whose pipe is not in the list fails after a minute, and says what to check", async () => {
  const run = await running({ readLagSeconds: 75 });
  lose(run);
  const { message } = await failureOf(up(run, orders));
  expect(message).toMatch(/^create pipe "orders" failed: the provider got no response: /);
  expect(message).toContain(
    " The new pipe did not appear in the list within a minute. Check in the service's console whether it exists: if so, " +
      "set adopt to its ID.",
  );
  expect(message).not.toMatch(/again|pulumi up/);
  expect(run.sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  expect(posts(run)).toBe(1);
});

test("a create whose answer is lost fails when the list cannot be read, and says what to check", async () => {
  const run = await running();
  lose(run);
  run.control.fault({ operationId: "listPipes", kind: "status", status: 500, after: 1, times: "always" });
  const { message } = await failureOf(up(run, orders));
  expect(message).toMatch(
    / The API may have created the pipe, but the provider cannot read the list to find out \(status 500\)\. Check in the service's console whether it exists: if so, set adopt to its ID\.$/,
  );
  expect(posts(run)).toBe(1);
});

describe.each([0, 480, -480])(
  "with a server's clock %i s ahead, a create whose answer is lost",
  (clockSkewSeconds) => {
    test("takes its own pipe when the list of before is old", async () => {
      const run = await withOldList({ clockSkewSeconds });
      lose(run);
      const { id } = await up(run, orders);
      expect(idsIn(run).slice(1)).toEqual([id]);
    });

    test("takes no pipe that another client created 4 s before", async () => {
      const run = await withOldList({ clockSkewSeconds });
      createElsewhere(run);
      await run.clock.sleep(4_000);
      lose(run, { kind: "reset-before" });
      expect((await failureOf(up(run, orders))).finding).toBe("may-exist");
    });

    test("takes neither, and names both, when another client creates the same at the same time", async () => {
      const run = await withOldList({ clockSkewSeconds, readLagSeconds: 5 });
      const count = run.sleeps.length;
      run.otherClient = (sleeps) => {
        if (sleeps === count + 1) createElsewhere(run);
      };
      lose(run);
      const { code, message } = await failureOf(up(run, orders));
      expect(code).toBe("conflict");
      expect(message).toContain(
        ` The list shows pipes that may be the new one: ${idsIn(run).slice(1).join(", ")}. The provider cannot tell, and adopted none.`,
      );
      expect(posts(run)).toBe(1);
    });
  },
);

test.each([0, 300, 600, 900])(
  "a lost create takes its pipe when its creation time is cut to seconds, %i ms later",
  async (phase) => {
    const run = await withOldList({ timeFormat: "seconds" });
    await run.clock.sleep(phase);
    lose(run);
    const { id } = await up(run, orders);
    expect(idsIn(run).slice(1)).toEqual([id]);
  },
);

test.each<TimeFormat>(["absent", "unix-seconds"])(
  "a lost create takes no pipe when creation times are %s, and names the pipe to check",
  async (timeFormat) => {
    const run = await running({ timeFormat });
    lose(run);
    const { finding, message } = await failureOf(up(run, orders));
    const [id = ""] = idsIn(run);
    expect(finding).toBe("pipe-not-identified");
    expect(message).toContain(
      `The list shows pipes that may be the new one: ${id}. The provider cannot tell, and adopted none.`,
    );
    expect(posts(run)).toBe(1);
  },
);

test.each<Profile>(["lower-case", "masked", "sparse", "omit"])(
  "a create whose answer is lost finds its pipe in a service with the profile %s",
  async (profile) => {
    const run = await running({ profiles: [profile] });
    lose(run);
    const source = { objectStorage: { url: "https://account.example", path: "/in//2026/*.json" } };
    const { id } = await up(run, { ...orders, source, destination: { table: "Orders" } });
    expect(idsIn(run)).toEqual([id]);
  },
);

test("a create takes the new pipe when the answer names an older one", async () => {
  const run = await running();
  const theirs = createElsewhere(run);
  lose(run, { ...answer(run.control.state().pipes[0]), processed: true });
  const { id } = await up(run, orders);
  expect(idsIn(run)).toEqual([theirs, id]);
});
