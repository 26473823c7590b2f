import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { minimal } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { failureOf } from "../../../testkit/connected";
import { online, up, type Online, type Deployed } from "./online";

const pipe = { name: "orders", ...minimal.kafka };
const endpoint = { description: "to a service", type: "VPC_ENDPOINT_SERVICE" };

/** A resource of each kind that can be deleted, and how a person calls it. */
const kinds = [
  {
    kind: "pipe",
    noun: "pipe",
    define: pipeDefinition,
    args: pipe,
    operationId: "deletePipe",
    what: (id: string) => `pipe "orders" (${id})`,
    remains: "keeps running and loading data",
  },
  {
    kind: "reverse private endpoint",
    noun: "endpoint",
    define: reversePrivateEndpointDefinition,
    args: endpoint,
    operationId: "*",
    what: (id: string) => `reverse private endpoint "to a service" (${id})`,
    remains: "still exists",
  },
] as const;

async function deployed(run: Online, args: object): Promise<Deployed> {
  const before = await up(run, args);
  takeWrites(run.simulator);
  run.lines.length = 0;
  return before;
}

const left = ({ simulator }: Online): number => {
  const { pipes, endpoints } = simulator.control.state();
  return pipes.length + endpoints.length;
};

describe.each(kinds)(
  "a $kind that the program no longer declares",
  ({ noun, define, args, operationId, what, remains }) => {
    test.each([undefined, "retain"])(
      "stays with the policy %p, and a line says so",
      async (deletionPolicy) => {
        const run = await online(define);
        const { id, outputs } = await deployed(run, { ...args, deletionPolicy });
        await run.lifecycle.delete(id, outputs);
        expect(run.simulator.control.requests()).toEqual([]);
        expect(run.lines).toEqual([
          `${what(id)} ${remains}: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.`,
        ]);
      },
    );

    test("is deleted with the policy to delete", async () => {
      const run = await online(define);
      const { id, outputs } = await deployed(run, { ...args, deletionPolicy: "delete" });
      await run.lifecycle.delete(id, outputs);
      expect(takeWrites(run.simulator).map(({ method }) => method)).toEqual(["DELETE"]);
      expect([left(run), run.lines]).toEqual([0, []]);
    });

    test.each([
      [405, "method-not-allowed", `cannot delete ${noun}s`],
      [403, "forbidden", "refuses the deletion"],
    ])(
      "stays where the service answers %i, and the error says how to remove it from the state",
      async (status, code, why) => {
        const run = await online(define);
        const { id, outputs } = await deployed(run, { ...args, deletionPolicy: "delete" });
        run.simulator.control.fault({ operationId, kind: "status", status });
        const error = await failureOf(run.lifecycle.delete(id, outputs));
        expect([error.code, error.answer.status]).toEqual([code, status]);
        expect(error.message).toMatch(new RegExp(`^delete .* returned ${status}`));
        expect(error.message).toMatch(
          new RegExp(
            ` The service ${why}\\. Declare it unchanged with deletionPolicy: "retain" and run \`pulumi up --target <URN>\`\\.$`,
          ),
        );
        // The message names what it is about once, in its first words.
        expect(error.message.split(id)).toHaveLength(2);
        expect(error.message.replace(/FAULT: [\w ]+/, "").length).toBeLessThan(400);
        expect(left(run)).toBe(1);
      },
    );

    test("stays in the state after another error", async () => {
      const run = await online(define);
      const { id, outputs } = await deployed(run, { ...args, deletionPolicy: "delete" });
      run.simulator.control.fault({ operationId, kind: "status", status: 400 });
      const error = await failureOf(run.lifecycle.delete(id, outputs));
      expect(error.code).toBe("bad-request");
      expect(error.message).not.toContain("unmanaged");
    });
  },
);

test.each([403, 405])(
  "a pipe that no longer exists is deleted where the service answers %i",
  async (status) => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
    run.simulator.control.deletePipe(id);
    run.simulator.control.fault({ operationId: "deletePipe", kind: "status", status });
    await run.lifecycle.delete(id, outputs);
    expect(run.lines).toEqual([]);
  },
);

test("a pipe stays in the state where the service refuses the deletion and the list", async () => {
  const run = await online(pipeDefinition);
  const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
  run.simulator.control.deletePipe(id);
  run.simulator.control.fault({ operationId: "*", kind: "status", status: 403, times: 9 });
  const error = await failureOf(run.lifecycle.delete(id, outputs));
  expect(error.message).toMatch(/^delete .* The service refuses the deletion\./);
});

describe("an answer of 404", () => {
  test("is no error when the pipe is gone", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
    run.simulator.control.deletePipe(id);
    await run.lifecycle.delete(id, outputs);
    expect(run.lines).toEqual([]);
  });

  test("is an error when the list still has the pipe: the service cannot delete", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
    run.simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    const error = await failureOf(run.lifecycle.delete(id, outputs));
    expect(error.code).toBe("not-found");
    expect(error.message).toMatch(
      / cannot delete pipes\. Declare it unchanged with deletionPolicy: "retain" and /,
    );
  });

  test.each(["deletePipe", "*"] as const)(
    "keeps the pipe in the state where it is a gateway's page, to %s",
    async (operationId) => {
      const run = await online(pipeDefinition);
      const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
      run.simulator.control.fault({ operationId, kind: "html", status: 404, times: 9 });
      const error = await failureOf(run.lifecycle.delete(id, outputs));
      expect([error.code, error.answer.isPage]).toEqual(["not-found", true]);
    },
  );

  test("keeps the pipe in the state where the DELETE is refused and a gateway answers the list", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { ...pipe, deletionPolicy: "delete" });
    run.simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    run.simulator.control.fault({ operationId: "listPipes", kind: "html", status: 404, times: 9 });
    const error = await failureOf(run.lifecycle.delete(id, outputs));
    expect([error.code, error.answer.isPage]).toEqual(["not-found", true]);
    expect(run.lines).toEqual([]);
  });

  test("removes an endpoint from the state with a warning that it may exist", async () => {
    const run = await online(reversePrivateEndpointDefinition);
    const { id, outputs } = await deployed(run, { ...endpoint, deletionPolicy: "delete" });
    run.simulator.control.deleteEndpoint(id);
    await run.lifecycle.delete(id, outputs);
    expect(run.lines).toEqual([
      `reverse private endpoint "to a service" (${id}): the API returned 404: it no longer exists or cannot be deleted. ` +
        `No operation reads endpoints: check the service's console.`,
    ]);
  });
});
