import { FaultRun } from "./faults/run";

let run: FaultRun;

/** All operations with all faults, before the first test. */
beforeAll(async () => {
  run = await FaultRun.start();
});

type Row = [request: string, fault: string, succeeds: boolean, sent: number, existing: number, after: number];

/**
 * Whether the run succeeds, how often it sends the request, and how many objects exist after it and after the next run.
 * After a lost create of an endpoint, the next run creates a second endpoint: the API does not list them.
 */
const ROWS: Row[] = [
  ["createPipe", "rate-limit", true, 2, 1, 1],
  ["createPipe", "reset-after", true, 1, 1, 1],
  ["createPipe", "bad-json", true, 1, 1, 1],
  ["createPipe", "echo 400", false, 1, 0, 1],
  ["createReversePrivateEndpoint", "rate-limit", true, 2, 1, 1],
  ["createReversePrivateEndpoint", "reset-after", false, 1, 1, 2],
  ["createReversePrivateEndpoint", "bad-json", false, 1, 1, 2],
  ["createReversePrivateEndpoint", "echo 400", false, 1, 0, 1],
  ["updatePipe", "rate-limit", true, 2, 1, 1],
  ["updatePipe", "reset-after", true, 2, 1, 1],
  ["updatePipe", "bad-json", false, 1, 1, 1],
  ["updatePipe", "echo 400", false, 1, 1, 1],
  ["updateService", "rate-limit", true, 2, 1, 1],
  ["updateService", "reset-after", true, 2, 1, 1],
  ["updateService", "bad-json", false, 1, 1, 1],
  ["updateService", "echo 400", false, 1, 1, 1],
  ["listPipes", "rate-limit", true, 2, 1, 1],
  ["listPipes", "reset-after", true, 2, 1, 1],
  ["listPipes", "bad-json", false, 1, 1, 1],
  ["listPipes", "echo 400", false, 1, 1, 1],
];

test.each(ROWS)(
  "%s with %s: ends as listed, and the next run succeeds",
  (request, fault, succeeds, sent, existing, after) => {
    const { during, next } = run.resultOf(request, fault);
    expect(during).toMatchObject({ succeeds, sent, existing });
    expect(next).toEqual({
      succeeds: true,
      existing: after,
      isManaged: true,
      isAsDeclared: true,
      isPreviewEmpty: true,
    });
  },
);

const TASKS: Record<string, RegExp> = {
  createPipe: /^create pipe "pipe-\d" failed: /,
  createReversePrivateEndpoint: /^create reverse private endpoint(?: ".*")? failed: /,
  updatePipe: /^update pipe "pipe-\d" \(\S+\) failed: /,
  updateService: /^update service \S+ failed: /,
  listPipes: /^list the pipes of service \S+ failed: /,
};
const FAILED = ROWS.filter(([, , succeeds]) => !succeeds);

test.each(FAILED)("%s with %s: the error names the task and the response", (request, fault) => {
  const { error } = run.resultOf(request, fault);
  expect(error).toMatch(TASKS[request] ?? "");
  expect(error).toMatch(/ failed: the (?:server returned \d{3}|provider got no response)\b/);
  expect(error).not.toMatch(/AxiosError|^\s+at /m);
});

test.each(["reset-after", "bad-json"])("the error of an endpoint with %s says that it may exist", (fault) => {
  const { error } = run.resultOf("createReversePrivateEndpoint", fault);
  expect(error).toContain("The API may have created it.");
});

test("a run that succeeds does not say to run the command again", () => {
  expect(run.outputs.join("\n")).not.toMatch(/\brun (?:the command|it|`pulumi \w+`) again\b/i);
});

test("shows and stores no secret", () => {
  expect(run.leaks).toEqual([]);
});
