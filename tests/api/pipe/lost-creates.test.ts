import { PartialFailure } from "../../../provider/src/core/lifecycle";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { minimal } from "../../../testkit/pipes";
import { rendered } from "../../../testkit/rendered";
import { online, up } from "../resources/online";

const NO_PIPES = { status: 200, requestId: "r", result: [] };
/** The reads of the list before the create and after its first request. */
const LOOKS = 7;

test("a create that made two pipes leaves one of them in the stack, and names the other", async () => {
  const run = await online(pipeDefinition, {}, 2);
  const { control } = run.simulator;
  control.fault({ operationId: "createPipe", kind: "reset-after" });
  control.fault({ operationId: "listPipes", kind: "status", status: 200, body: NO_PIPES, times: LOOKS });
  const work = rendered(up(run, { name: "orders", ...minimal.kafka }), "Pipe");
  const failure = await work.catch((error: unknown) => error);
  const [lost = "", made = ""] = control.state().pipes.map(({ id }) => id);
  if (!(failure instanceof PartialFailure)) throw new Error(String(failure));
  expect(failure.message).toContain(`The service now also has ${lost}, with the same name.`);
  expect(failure.message).toMatch(
    new RegExp(`^create pipe "orders" \\(${made}\\): the provider sent the request again`),
  );
  expect(failure.message).toContain(
    "All of them load the same data. The pipe stays in the stack. Delete the others ",
  );
  expect(failure.id).toBe(made);
  expect(failure.properties).toMatchObject({ name: "orders", ...minimal.kafka, observed: {} });
});
